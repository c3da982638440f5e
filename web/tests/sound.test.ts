import { describe, expect, test } from "vitest";
import { Sound, SOUNDS } from "../src/core/sound";

/** An AudioContext that makes no sound and counts what would. */
function studio() {
  const sources: { started: boolean; stopped: boolean; onended?: () => void }[] = [];
  const gains: { value: number }[] = [];
  const param = () => ({
    value: 0,
    setValueAtTime: () => undefined,
    setTargetAtTime(value: number) {
      this.value = value;
    },
    linearRampToValueAtTime: () => undefined,
    exponentialRampToValueAtTime(value: number) {
      // The real one throws at zero, too.
      if (value <= 0) throw new RangeError("not above zero");
    },
  });
  const node = (more: object = {}) => ({ connect: (next: object) => next, ...more });
  const source = () => {
    const made = node({
      started: false,
      stopped: false,
      frequency: param(),
      start(at: number) {
        if (!Number.isFinite(at) || at < 0) throw new RangeError("not a time");
        made.started = true;
      },
      stop: () => (made.stopped = true),
    }) as never as (typeof sources)[number];
    sources.push(made);
    return made;
  };
  const context = {
    state: "running",
    sampleRate: 100,
    currentTime: 1,
    destination: node(),
    resume: () => Promise.resolve((context.state = "running")),
    createBuffer: () => ({ getChannelData: () => new Float32Array(100) }),
    createBufferSource: source,
    createOscillator: source,
    createBiquadFilter: () => node({ frequency: param(), Q: param() }),
    createDynamicsCompressor: () => node({ threshold: param(), ratio: param(), attack: param() }),
    createGain: () => {
      const gain = param();
      gains.push(gain);
      return node({ gain });
    },
  };
  return { context, sources, gains };
}
function hear() {
  const made = studio();
  const sound = new Sound(() => made.context as never);
  return { ...made, sound };
}

describe("sound", () => {
  test("is silent until somebody has touched the page", () => {
    const { sound, sources } = hear();
    sound.play("knock");
    expect(sources).toHaveLength(0);
    sound.wake();
    sound.play("knock");
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.every((source) => source.started)).toBe(true);
  });
  test.each(SOUNDS)("%s can be heard in every kind", (name) => {
    for (const kind of [0, 1, 2, 3]) {
      const { sound, sources } = hear();
      sound.wake();
      sound.play(name, { kind, loud: 0.5, at: 0.1 });
      if (!(name === "hooves" && kind === 0)) expect(sources.length).toBeGreaterThan(0);
    }
  });
  test("a bigger herd is louder by numbers", () => {
    const heard = [1, 2, 3].map((kind) => {
      const { sound, sources } = hear();
      sound.wake();
      sound.play("hooves", { kind });
      return sources.length;
    });
    expect(heard).toEqual([...heard].sort((one, other) => one - other));
    expect(new Set(heard).size).toBe(3);
  });
  test("makes nothing while it is off, and the volume is kept for later", () => {
    const { sound, sources, gains } = hear();
    sound.set(0.5, true);
    sound.wake();
    sound.play("moo");
    expect(sources).toHaveLength(0);
    expect(gains[0]!.value).toBe(0);
    sound.set(0.5, false);
    expect(gains[0]!.value).toBeCloseTo(0.35);
    sound.play("moo");
    expect(sources.length).toBeGreaterThan(0);
  });
  test("stops at once when it is told to", () => {
    const { sound, sources } = hear();
    sound.wake();
    sound.play("hooves", { kind: 3 });
    sound.hush();
    expect(sources.every((source) => source.stopped)).toBe(true);
  });
  test("a browser without it plays on in silence", () => {
    const sound = new Sound(() => null);
    sound.wake();
    sound.play("win");
    sound.hush();
    expect(SOUNDS).toContain("win");
  });
});
