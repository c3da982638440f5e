/** How long an event is shown, in milliseconds at normal speed; what is not named here takes no time. */

const MILLISECONDS: Record<string, number> = {
  Dealt: 150,
  RowsStarted: 400,
  Revealed: 900,
  Reordered: 500,
  Laid: 500,
  Placed: 500,
  Took: 900,
  Shared: 900,
  Kept: 500,
  Moved: 600,
  MarkerMoved: 300,
  MarkerGone: 300,
  Used: 700,
  Drafted: 250,
  ReturnedToHand: 400,
  RowRemoved: 400,
  Scored: 400,
  SheetsPassed: 600,
  SpecialsDrawn: 250,
  SpecialsShown: 400,
  SpecialsGone: 300,
  LuckDrawn: 400,
  Cancelled: 600,
  GameEnded: 600,
};

export const timeFor = (type: string, speed: number): number =>
  speed ? (MILLISECONDS[type] ?? 0) / speed : 0;
