/** A timeline: things that happen at their time, animations that belong to it, and an end that leaves nothing behind.
 *
 * Nothing here knows cards. All times are milliseconds at normal speed.
 */

/** Something that happens at a moment. */
export interface Cue {
  at: number;
  run: () => void;
}

export interface Motion {
  duration: number;
  delay?: number;
  easing?: string;
  iterations?: number;
  /** Whether the last frame stays until the next scene. */
  hold?: boolean;
  /** What happens when it has come to its end; not if it was cut. */
  then?: () => void;
}

export class Timeline {
  #rate = 1;
  #cues: Cue[] = [];
  #length = 0;
  /** Where the timeline was when it was last looked at, and when that was. */
  #at = 0;
  #seen = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #resolve: (() => void) | null = null;
  #animations = new Set<Animation>();
  #leftovers = new Set<() => void>();

  /** How much still moves or lies about. */
  get left(): number {
    return this.#animations.size + this.#leftovers.size + (this.#resolve ? 1 : 0);
  }

  /** Play cues; resolves when the length is over or the timeline was cut. What moves stays until it is dropped. */
  play(cues: readonly Cue[], length: number, rate: number): Promise<void> {
    this.#stop();
    this.#cues = [...cues].sort((one, other) => one.at - other.at);
    this.#length = Math.max(length, this.#cues.at(-1)?.at ?? 0);
    this.#rate = rate;
    this.#at = 0;
    this.#seen = performance.now();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#step();
    });
  }

  /** Go on at another speed, from here. */
  pace(rate: number): void {
    if (rate <= 0) {
      this.cut();
      return;
    }
    this.#look();
    this.#rate = rate;
    for (const animation of this.#animations) animation.updatePlaybackRate(rate);
    if (this.#resolve) this.#wait();
  }

  /** Let something move; it ends with the timeline at the latest. */
  animate(node: Element, frames: Keyframe[], motion: Motion): Animation {
    const animation = node.animate(frames, {
      duration: motion.duration,
      delay: motion.delay ?? 0,
      easing: motion.easing ?? "linear",
      iterations: motion.iterations ?? 1,
      fill: motion.hold ? "both" : "backwards",
    });
    animation.playbackRate = this.#rate;
    this.#animations.add(animation);
    animation.onfinish = () => {
      if (!motion.hold) this.#animations.delete(animation);
      motion.then?.();
    };
    return animation;
  }

  /** Have something tidied up with everything else. */
  afterwards(tidy: () => void): void {
    this.#leftovers.add(tidy);
  }

  /** End what still moves and take away what lies about. */
  drop(): void {
    for (const animation of this.#animations) animation.cancel();
    this.#animations.clear();
    const tidy = [...this.#leftovers];
    this.#leftovers.clear();
    for (const one of tidy) one();
  }

  /** End at once: no further cue is run. */
  cut(): void {
    this.#stop();
    this.drop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#cues = [];
    const resolve = this.#resolve;
    this.#resolve = null;
    resolve?.();
  }

  #look(): void {
    const now = performance.now();
    this.#at += (now - this.#seen) * this.#rate;
    this.#seen = now;
  }

  #step(): void {
    this.#look();
    const mine = this.#resolve;
    while (this.#cues[0] && this.#cues[0].at <= this.#at + 0.5) {
      this.#cues.shift()!.run();
      // A cue may cut the timeline, or begin another one.
      if (this.#resolve !== mine) return;
    }
    if (this.#at + 0.5 >= this.#length) this.#stop();
    else this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#cues[0]?.at ?? this.#length;
    this.#timer = setTimeout(() => this.#step(), Math.max(0, (next - this.#at) / this.#rate));
  }
}
