import { expect, test } from "vitest";
import recorded from "../src/lesson/lesson.json";
import { receive, type Ledger } from "../src/core/ledger";
import { Lesson, type Beat } from "../src/core/lesson.svelte";
import en from "../src/i18n/en.json";
import de from "../src/i18n/de.json";
import fr from "../src/i18n/fr.json";
import type { FromServer } from "../src/protocol";

const BEATS = recorded as unknown as Beat[];

async function begin(): Promise<{
  lesson: Lesson;
  told: FromServer[];
  say: (choice: string) => Promise<void>;
}> {
  const told: FromServer[] = [];
  const lesson = new Lesson(BEATS, "Ann");
  const line = lesson.line({ last: () => 0, message: (message) => void told.push(message), wire: () => {} });
  await Promise.resolve();
  const say = async (choice: string): Promise<void> => {
    line.send({ type: "choose", ask: 1, choice });
    await Promise.resolve();
  };
  return { lesson, told, say };
}

test("the lesson is played to its end by doing what it says", async () => {
  const { lesson, told, say } = await begin();
  let ledger: Ledger | null = null;
  let read = 0;
  for (let turn = 0; turn < 200 && !lesson.over; turn += 1) {
    for (; read < told.length; read += 1) {
      const outcome = receive(ledger, told[read]!);
      expect(outcome.kind).not.toBe("gap");
      if (outcome.kind !== "gap") ledger = outcome.ledger;
    }
    const { tip } = lesson;
    if (!tip) lesson.arrived(ledger!.number);
    else if (tip.beat === "say") lesson.seen();
    else if (tip.beat === "lift") lesson.lifted([`card:${tip.card}`]);
    else await say(tip.choice);
  }
  expect(lesson.over).toBe(true);
  expect(ledger?.table.phase).toBe("over");
  expect(ledger?.table.seats[0]!.name).toBe("Ann");
});

test("another card than the one asked for goes back, and nothing moves on", async () => {
  const { lesson, told, say } = await begin();
  lesson.arrived(1);
  lesson.seen();
  lesson.seen();
  expect(lesson.tip).toMatchObject({ beat: "do", choice: "46" });
  await say("99");
  expect(lesson.wrong).toBe(true);
  expect(lesson.tip).toMatchObject({ beat: "do", choice: "46" });
  expect(told.at(-1)).toMatchObject({ type: "error", code: "too-late" });
  await say("46");
  expect(lesson.wrong).toBe(false);
});

test.each(Object.entries({ en, de, fr }))("%s has a short sentence for every tip", (_, words) => {
  const all = words as Record<string, unknown>;
  for (const beat of BEATS) {
    if (beat.beat === "show") continue;
    const text = all[`lesson.${beat.beat === "say" ? "" : "do."}${beat.tip}`];
    expect(text, beat.tip).toBeTypeOf("string");
    expect((text as string).length, beat.tip).toBeLessThanOrEqual(96);
  }
});
