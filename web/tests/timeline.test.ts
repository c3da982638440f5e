import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Timeline } from "../src/core/timeline";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A node that notes what becomes of its animations. */
function dancer() {
  const made: { playbackRate: number; cancelled: boolean; onfinish?: () => void }[] = [];
  const node = {
    animate: () => {
      const animation = {
        playbackRate: 1,
        cancelled: false,
        cancel: () => (animation.cancelled = true),
        updatePlaybackRate: (rate: number) => (animation.playbackRate = rate),
      };
      made.push(animation);
      return animation;
    },
  };
  return { made, node: node as unknown as Element };
}
const ended = async (promise: Promise<void>): Promise<boolean> => {
  let over = false;
  void promise.then(() => (over = true));
  await vi.advanceTimersByTimeAsync(0);
  return over;
};

test("cues come in their order, at their time, and the length is kept", async () => {
  const said: string[] = [];
  const timeline = new Timeline();
  const cue = (at: number, word: string) => ({ at, run: () => void said.push(word) });
  const playing = timeline.play([cue(200, "late"), cue(0, "now"), cue(100, "soon")], 300, 1);
  expect(said).toEqual(["now"]);
  await vi.advanceTimersByTimeAsync(99);
  expect(said).toEqual(["now"]);
  await vi.advanceTimersByTimeAsync(101);
  expect(said).toEqual(["now", "soon", "late"]);
  expect(await ended(playing)).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(await ended(playing)).toBe(true);
});

test("twice the speed takes half the time, also from the middle", async () => {
  const timeline = new Timeline();
  const { made, node } = dancer();
  const playing = timeline.play(
    [{ at: 0, run: () => void timeline.animate(node, [], { duration: 400 }) }],
    400,
    2,
  );
  expect(made[0]!.playbackRate).toBe(2);
  await vi.advanceTimersByTimeAsync(100);
  timeline.pace(0.5);
  expect(made[0]!.playbackRate).toBe(0.5);
  await vi.advanceTimersByTimeAsync(399);
  expect(await ended(playing)).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(await ended(playing)).toBe(true);
});

test("a cut leaves nothing: no cue, no animation, no leftover, no timer", async () => {
  const timeline = new Timeline();
  const { made, node } = dancer();
  const late = vi.fn();
  const tidied = vi.fn();
  const playing = timeline.play(
    [
      {
        at: 0,
        run: () => {
          timeline.animate(node, [], { duration: 400, hold: true });
          timeline.afterwards(tidied);
        },
      },
      { at: 100, run: late },
    ],
    500,
    1,
  );
  timeline.cut();
  expect(await ended(playing)).toBe(true);
  expect(made[0]!.cancelled).toBe(true);
  expect(tidied).toHaveBeenCalledOnce();
  expect(timeline.left).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(late).not.toHaveBeenCalled();
});

test("a cue may cut its own timeline", async () => {
  const timeline = new Timeline();
  const later = vi.fn();
  const playing = timeline.play(
    [
      { at: 0, run: () => timeline.cut() },
      { at: 0, run: later },
    ],
    500,
    1,
  );
  expect(await ended(playing)).toBe(true);
  expect(later).not.toHaveBeenCalled();
  expect(timeline.left).toBe(0);
});
