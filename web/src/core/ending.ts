/** Endings: the piles are counted in turn, and whoever has won is seen. */

import { over } from "./air";
import type { Beat } from "./beat";
import type { Told } from "./events";
import { lengthOf } from "./pace";
import { sound } from "./sound";
import type { Cue } from "./timeline";

/** At the end of a round each seat's pile is counted, one after the other. */
export function endRound(beat: Beat, event: Told<"RoundEnded">): Cue[] {
  const seats = event.points.length;
  const length = lengthOf(beat.events);
  const each = (length - 500) / Math.max(1, seats);
  const cues: Cue[] = event.points.map((points, seat) => ({
    at: 100 + each * seat,
    run: () => {
      beat.stage.lit = seat;
      sound.play("count", { kind: Math.min(16, Math.abs(points)) });
      beat.hop(beat.find(`[data-seat="${seat}"]`), 1.4);
      const home = beat.place(`[data-seat="${seat}"]`);
      if (home)
        beat.float(beat.air.sum(`${points < 0 ? "−" : "+"}${Math.abs(points)}`, 36), home, each + 250, 20);
    },
  }));
  cues.push({ at: length - 250, run: () => ((beat.stage.lit = null), beat.commit(), sound.play("knock")) });
  return cues;
}

/** A short scene for whoever has won: their seat leaps, and flowers rain. */
export function endGame(beat: Beat, event: Told<"GameEnded">): Cue[] {
  const { ranks, won } = event.result;
  const winners = ranks.flatMap((rank, seat) => (rank === 1 && won !== false ? [seat] : []));
  const { me } = beat.stage;
  const mine = me === null || winners.includes(me);
  const run = (): void => {
    beat.commit();
    sound.play(mine ? "win" : "moo", { loud: mine ? 0.9 : 0.6 });
    beat.stage.lit = winners[0] ?? null;
    for (const seat of winners) beat.hop(beat.find(`[data-seat="${seat}"]`), 2.5);
    if (beat.still) return;
    const homes = winners.flatMap((seat) => beat.place(`[data-seat="${seat}"]`) ?? []);
    homes.slice(0, 3).forEach((home) => {
      for (let flower = 0; flower < 12; flower += 1) rain(beat, home.x, home.y, flower);
    });
  };
  const again = (at: number): Cue => ({
    at,
    run: () => winners.forEach((seat) => beat.hop(beat.find(`[data-seat="${seat}"]`), 2)),
  });
  return [{ at: 0, run }, again(420), again(840)];
}

function rain(beat: Beat, x: number, y: number, flower: number): void {
  const size = 16 + ((flower * 7) % 12);
  const actor = beat.air.picture(flower % 3 ? "daisy" : "clover", "0 0 24 24", size, size);
  const angle = flower * 2.399;
  const reach = 60 + ((flower * 53) % 90);
  const at = (part: number, fall: number): string =>
    over(
      actor,
      { x: x + Math.cos(angle) * reach * part, y: y + Math.sin(angle) * reach * 0.7 * part + fall },
      { turn: part * 200 * (flower % 2 ? 1 : -1) },
    );
  const frames = [
    { opacity: 0, transform: at(0.1, 0) },
    { opacity: 1, transform: at(0.8, -30), offset: 0.3 },
    { opacity: 0, transform: at(1.1, 110) },
  ];
  beat.stage.timeline.animate(actor.node, frames, {
    duration: 1300,
    delay: (flower % 4) * 60,
    easing: "ease-out",
  });
}
