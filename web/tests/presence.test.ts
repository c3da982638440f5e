import { expect, test } from "vitest";
import { Presence } from "../src/core/presence";

const seat = (kind: "person" | "bot" | "open" = "person", away = false) => ({ kind, away });
const PEOPLE = [seat(), seat(), seat()];

test("whoever changes pages was never gone, and is not back", () => {
  const presence = new Presence();
  expect(presence.look(PEOPLE, [true, true, true], 0, 0)).toEqual([]);
  expect(presence.look(PEOPLE, [true, false, true], 0, 1000)).toEqual([]);
  expect(presence.look(PEOPLE, [true, false, true], 0, 3000)).toEqual([]);
  expect(presence.look(PEOPLE, [true, true, true], 0, 3500)).toEqual([]);
});

test("who is offline for longer is told once, and once that they are back", () => {
  const presence = new Presence();
  presence.look(PEOPLE, [true, true, true], 0, 0);
  presence.look(PEOPLE, [false, false, true], 0, 1000);
  expect(presence.look(PEOPLE, [false, false, true], 0, 6000)).toEqual([{ what: "gone", seat: 1 }]);
  expect(presence.look(PEOPLE, [false, false, true], 0, 7000)).toEqual([]);
  expect(presence.look(PEOPLE, [true, true, true], 0, 8000)).toEqual([{ what: "back", seat: 1 }]);
  expect(presence.look(PEOPLE, [true, true, true], 0, 9000)).toEqual([]);
});

test("whoever sits down joins, and is not back from anywhere", () => {
  const presence = new Presence();
  presence.look([seat(), seat("open")], [true, false], 0, 0);
  expect(presence.look([seat(), seat()], [true, false], 0, 1000)).toEqual([{ what: "joined", seat: 1 }]);
  expect(presence.look([seat(), seat()], [true, true], 0, 1200)).toEqual([]);
});

test("bots that sit down are not news, nor what the server tells of seats that were left", () => {
  const presence = new Presence();
  presence.look(PEOPLE, [true, true, true], 0, 0);
  const later = [seat(), seat("bot"), seat("person", true)];
  for (const now of [1000, 9000]) expect(presence.look(later, [true, false, false], 0, now)).toEqual([]);
});

test("whoever was gone before I came is not told to be, only that they are back", () => {
  const presence = new Presence();
  expect(presence.look(PEOPLE, [true, false, true], 0, 0)).toEqual([]);
  expect(presence.look(PEOPLE, [true, false, true], 0, 9000)).toEqual([]);
  expect(presence.look(PEOPLE, [true, true, true], 0, 9500)).toEqual([{ what: "back", seat: 1 }]);
});
