/** Sounds, all made here: wood, cards and cattle out of noise, falling tones and struck bars. No file is loaded. */

export type SoundName =
  "deal" | "lift" | "flip" | "knock" | "gate" | "hooves" | "moo" | "turn" | "join" | "tick" | "count" | "win";

export interface Wish {
  /** How loud, of 1. */
  loud?: number;
  /** Seconds from now. */
  at?: number;
  /** Which of its kind: the grade of a herd, the place of a card, a big bull or a cow. */
  kind?: number;
}

interface Noise {
  lasts?: number;
  from?: number;
  to?: number;
  sharp?: number;
  type?: BiquadFilterType;
  loud?: number;
  rise?: number;
}

interface Tone {
  from: number;
  to?: number;
  lasts?: number;
  loud?: number;
  type?: OscillatorType;
  rise?: number;
}

type Recipe = (kit: Instruments, at: number, loud: number, kind: number) => void;

const SILENT = 0.0008;

/** What makes sounds once there is an AudioContext. */
class Instruments {
  readonly #noise: AudioBuffer;
  readonly #live = new Set<AudioScheduledSourceNode>();

  constructor(
    readonly context: AudioContext,
    readonly out: AudioNode,
  ) {
    this.#noise = noiseOf(context);
  }

  /** Noise through a filter that may glide. */
  noise(at: number, wish: Noise): void {
    const { lasts = 0.1, from = 1000, to, sharp = 1, type = "bandpass", loud = 0.5, rise = 0.002 } = wish;
    const source = this.context.createBufferSource();
    source.buffer = this.#noise;
    const filter = this.context.createBiquadFilter();
    filter.type = type;
    filter.frequency.setValueAtTime(from, at);
    if (to) filter.frequency.exponentialRampToValueAtTime(to, at + lasts);
    filter.Q.value = sharp;
    source.connect(filter).connect(this.swell(at, lasts, loud, rise));
    source.start(at, (at * 7.31) % 0.7, lasts + 0.05);
    this.keep(source);
  }

  /** A tone that may fall. */
  tone(at: number, wish: Tone): void {
    const { from, to, lasts = 0.2, loud = 0.4, type = "sine", rise = 0.003 } = wish;
    const source = this.context.createOscillator();
    source.type = type;
    source.frequency.setValueAtTime(from, at);
    if (to) source.frequency.exponentialRampToValueAtTime(to, at + lasts);
    source.connect(this.swell(at, lasts, loud, rise));
    source.start(at);
    source.stop(at + lasts + 0.02);
    this.keep(source);
  }

  swell(at: number, lasts: number, loud: number, rise: number): GainNode {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(loud, at + rise);
    gain.gain.exponentialRampToValueAtTime(SILENT, at + lasts);
    gain.connect(this.out);
    return gain;
  }

  keep(source: AudioScheduledSourceNode): void {
    this.#live.add(source);
    source.onended = () => this.#live.delete(source);
  }

  hush(): void {
    for (const source of this.#live) source.stop();
    this.#live.clear();
  }
}

/** A second of noise, the same every time. */
function noiseOf(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const data = buffer.getChannelData(0);
  let state = 1;
  for (let place = 0; place < data.length; place += 1) {
    state = (state * 16807) % 2147483647;
    data[place] = state / 1073741823.5 - 1;
  }
  return buffer;
}

/** So that all are equally loud to the ear. */
const TRIM: Partial<Record<SoundName, number>> = {
  deal: 6, lift: 5, flip: 2.2, knock: 3.2, gate: 2.6, tick: 7, count: 3.5, join: 1.5, hooves: 1.5, moo: 0.9, turn: 0.8,
}; // prettier-ignore

const RECIPES: Record<SoundName, Recipe> = {
  deal: (kit, at, loud, kind) => {
    kit.noise(at, { lasts: 0.07, from: 2600 + (kind % 3) * 260, to: 1300, sharp: 0.8, loud: 0.3 * loud });
    kit.noise(at + 0.035, { lasts: 0.04, from: 900, sharp: 2, loud: 0.2 * loud });
  },
  lift: (kit, at, loud) =>
    kit.noise(at, { lasts: 0.09, from: 1200, to: 3200, sharp: 1.2, loud: 0.2 * loud, rise: 0.02 }),
  flip: (kit, at, loud) => {
    kit.noise(at, { lasts: 0.06, from: 1800, to: 4200, sharp: 0.9, loud: 0.26 * loud, rise: 0.01 });
    kit.noise(at + 0.07, { lasts: 0.05, from: 2600, to: 900, loud: 0.34 * loud });
    kit.tone(at + 0.075, { from: 190, to: 120, lasts: 0.05, loud: 0.16 * loud });
  },
  knock: (kit, at, loud) => knock(kit, at, loud),
  gate: (kit, at, loud, kind) => {
    const pieces = 5 + kind * 4;
    kit.tone(at, { from: 92, to: 46, lasts: 0.34, loud: 0.62 * loud });
    kit.noise(at, { lasts: 0.05, from: 3400, sharp: 0.5, loud: 0.8 * loud, rise: 0.001 });
    for (let piece = 0; piece < pieces; piece += 1) splinter(kit, at, loud, piece, pieces, kind);
  },
  hooves: (kit, at, loud, kind) => {
    const lasts = [0, 1.0, 1.4, 2.0][kind] ?? 1;
    const animals = [0, 2, 4, 7][kind] ?? 2;
    for (let animal = 0; animal < animals; animal += 1) gallop(kit, at, loud, animal, kind, lasts);
    const rumble = { lasts, from: 95, sharp: 0.6, loud: 0.55 * loud, rise: lasts * 0.35 };
    if (kind === 3) kit.noise(at, { ...rumble, type: "lowpass" });
  },
  moo: (kit, at, loud, kind) => moo(kit, at, loud, kind ? 92 : 138, kind ? 1.15 : 0.8),
  turn: (kit, at, loud) => {
    for (const [from, part, lasts] of [
      [784, 0.32, 1.1],
      [1571, 0.15, 0.7],
      [2368, 0.1, 0.42],
      [4190, 0.05, 0.2],
    ] as const)
      kit.tone(at, { from, lasts, loud: part * loud });
    kit.tone(at + 0.14, { from: 1047, lasts: 0.9, loud: 0.22 * loud });
    kit.tone(at + 0.14, { from: 2098, lasts: 0.5, loud: 0.1 * loud });
  },
  join: (kit, at, loud) =>
    [523, 659, 784].forEach((from, step) => {
      kit.tone(at + step * 0.085, { from, lasts: 0.26, loud: 0.24 * loud, type: "triangle" });
      kit.noise(at + step * 0.085, { lasts: 0.02, from: 1500, sharp: 2, loud: 0.1 * loud });
    }),
  tick: (kit, at, loud, kind) => {
    const odd = kind % 2 === 1;
    kit.noise(at, { lasts: 0.018, from: odd ? 2100 : 2700, sharp: 6, loud: 0.6 * loud, rise: 0.001 });
    kit.tone(at, { from: odd ? 820 : 1050, lasts: 0.03, loud: 0.16 * loud, type: "triangle", rise: 0.001 });
  },
  count: (kit, at, loud, kind) => {
    const from = 330 * 1.0595 ** Math.min(kind, 16);
    kit.tone(at, { from, lasts: 0.09, loud: 0.2 * loud, type: "triangle" });
    kit.noise(at, { lasts: 0.015, from: 2500, loud: 0.1 * loud });
  },
  win: (kit, at, loud) => {
    const tune = [[0, 392], [0.14, 494], [0.28, 587], [0.42, 784], [0.7, 659], [0.84, 784]] as const; // prettier-ignore
    tune.forEach(([when, from], note) => {
      const lasts = note === 5 ? 1.3 : note === 3 ? 0.5 : 0.3;
      for (const [part, share] of [
        [1, 0.26],
        [2, 0.1],
        [3.01, 0.05],
      ] as const)
        // prettier-ignore
        kit.tone(at + when, { from: from * part, lasts, loud: share * loud, type: "triangle" });
      if (note % 2 === 0) knock(kit, at + when, 0.9 * loud);
    });
    kit.tone(at + 0.84, { from: 196, lasts: 1.3, loud: 0.22 * loud, type: "triangle" });
  },
};

/** Wood on wood. */
function knock(kit: Instruments, at: number, loud: number): void {
  for (const [from, part, lasts] of [
    [236, 0.5, 0.11],
    [412, 0.26, 0.07],
    [871, 0.12, 0.035],
  ] as const)
    // prettier-ignore
    kit.tone(at, { from, to: from * 0.93, lasts, loud: part * loud, type: "triangle", rise: 0.001 });
  kit.noise(at, { lasts: 0.022, from: 1900, sharp: 0.7, loud: 0.34 * loud, rise: 0.001 });
}

function splinter(
  kit: Instruments,
  at: number,
  loud: number,
  piece: number,
  pieces: number,
  kind: number,
): void {
  const when = at + 0.012 + (piece / pieces) ** 1.5 * (0.16 + 0.13 * kind);
  const part = 0.5 * loud * (1 - (piece / pieces) * 0.6);
  const from = 700 + ((piece * 577) % 1900);
  kit.noise(when, { lasts: 0.03 + 0.03 * (piece % 3), from, sharp: 3.5, loud: part, rise: 0.001 });
  if (piece % 2 === 0) return;
  const tone = 280 + ((piece * 131) % 330);
  kit.tone(when, { from: tone, to: 150, lasts: 0.07, loud: 0.2 * loud, type: "triangle", rise: 0.001 });
}

/** One animal of a herd: two beats a step in a trot, three in a gallop; louder in the middle of the run. */
function gallop(
  kit: Instruments,
  at: number,
  loud: number,
  animal: number,
  kind: number,
  lasts: number,
): void {
  const step = [0, 0.3, 0.27, 0.235][kind] ?? 0.3;
  const pitch = 1 + (((animal * 37) % 9) - 4) * 0.045;
  const hooves = [
    [0, 1],
    [0.062, 0.7],
    [0.118, 0.9],
  ].slice(0, kind > 1 ? 3 : 2) as [number, number][];
  for (let start = (animal * 0.117) % step; start < lasts; start += step) {
    for (const [after, part] of hooves) {
      const when = start + after;
      if (when >= lasts) continue;
      const part2 = loud * part * Math.sin(Math.min(1, (when + 0.12) / lasts) * Math.PI);
      kit.tone(at + when, {
        from: 104 * pitch,
        to: 58 * pitch,
        lasts: 0.075,
        loud: 0.2 * part2,
        rise: 0.002,
      });
      kit.noise(at + when, { lasts: 0.03, from: 520 * pitch, sharp: 1.6, loud: 0.13 * part2, rise: 0.001 });
    }
  }
}

/** A mouth that opens from m to oo: two saws through two formants that move. */
function moo(kit: Instruments, at: number, loud: number, pitch: number, lasts: number): void {
  const { context } = kit;
  const out = context.createGain();
  out.gain.setValueAtTime(0, at);
  out.gain.linearRampToValueAtTime(0.9 * loud, at + lasts * 0.2);
  out.gain.setValueAtTime(0.9 * loud, at + lasts * 0.6);
  out.gain.exponentialRampToValueAtTime(SILENT, at + lasts);
  out.connect(kit.out);
  const mouth = [formant(4, 220, 430, 300), formant(7, 600, 880, 640)];
  for (const detuned of [1, 1.007]) {
    const source = context.createOscillator();
    source.type = "sawtooth";
    for (const [part, when] of [
      [0.82, 0],
      [1.1, 0.3],
      [1, 0.65],
      [0.7, 1],
    ] as const)
      // prettier-ignore
      source.frequency.linearRampToValueAtTime(pitch * part * detuned, at + lasts * when);
    for (const filter of mouth) source.connect(filter);
    source.start(at);
    source.stop(at + lasts + 0.03);
    kit.keep(source);
  }

  function formant(sharp: number, first: number, open: number, last: number): BiquadFilterNode {
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.Q.value = sharp;
    filter.frequency.setValueAtTime(first, at);
    filter.frequency.linearRampToValueAtTime(open, at + lasts * 0.37);
    filter.frequency.linearRampToValueAtTime(last, at + lasts);
    filter.connect(out);
    return filter;
  }
}

/** The ear of the table: silent until the person has touched the page, as browsers want it. */
export class Sound {
  #kit: Instruments | null = null;
  #master: GainNode | null = null;
  #volume = 0.7;
  #muted = false;

  constructor(
    private readonly open: () => AudioContext | null = () =>
      typeof AudioContext === "undefined" ? null : new AudioContext(),
  ) {}

  /** The person has touched something: from now on there may be sound. */
  wake(): void {
    if (!this.#kit) {
      const context = this.open();
      if (!context) return;
      const softer = context.createDynamicsCompressor();
      softer.threshold.value = -14;
      softer.ratio.value = 5;
      softer.attack.value = 0.003;
      this.#master = context.createGain();
      this.#master.gain.value = this.#level();
      this.#master.connect(softer).connect(context.destination);
      this.#kit = new Instruments(context, this.#master);
    }
    if (this.#kit.context.state === "suspended") void this.#kit.context.resume();
  }

  /** Take the person's wishes. */
  set(volume: number, muted: boolean): void {
    this.#volume = volume;
    this.#muted = muted;
    if (this.#kit) this.#master?.gain.setTargetAtTime(this.#level(), this.#kit.context.currentTime, 0.02);
  }

  play(name: SoundName, { loud = 1, at = 0, kind = 0 }: Wish = {}): void {
    if (!this.#kit || this.#level() === 0 || this.#kit.context.state !== "running") return;
    RECIPES[name](this.#kit, this.#kit.context.currentTime + at, loud * (TRIM[name] ?? 1), kind);
  }

  /** Be silent at once. */
  hush(): void {
    this.#kit?.hush();
  }

  #level(): number {
    return this.#muted ? 0 : this.#volume ** 2 * 1.4;
  }
}

export const sound = new Sound();
export const SOUNDS = Object.keys(RECIPES) as SoundName[];
