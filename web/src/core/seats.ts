/** Who is who: every seat has an animal and a colour that nobody else at the table has. */

export const ANIMALS = [
  "fox", "goose", "hen", "pig", "sheep", "goat", "dog", "cat", "donkey", "mouse",
] as const; // prettier-ignore

export type Animal = (typeof ANIMALS)[number];

/** The opponent that plays by itself sits at no seat; events call it by a number below 0. */
export const isOpponent = (seat: number): boolean => seat < 0;

/** The animal of a seat; the animal, not the colour, says who is who. */
export const animalOf = (seat: number): Animal => ANIMALS[seat % ANIMALS.length] ?? "fox";

/** The number of a seat's colour among the variables `--seat0` to `--seat9`. */
export const colourOf = (seat: number): number => seat % ANIMALS.length;

/** A bot: its level, and whether that cannot decide yet or another level stands in for it. */
export interface Bot {
  level: string;
  unready: "preparing" | "failed" | undefined;
}

/** How many hooves stand for a level, of one to four: the weakest has one. */
export function hooves(level: string, levels: readonly string[]): number {
  const place = levels.indexOf(level);
  if (place < 0) return 0;
  return levels.length < 2 ? 1 : 1 + Math.round((place * 3) / (levels.length - 1));
}
