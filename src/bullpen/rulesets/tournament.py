"""Tournament: every player plays every drafted hand once, against the same start cards."""

from collections.abc import Mapping

from bullpen.engine import Card, Option, OptionValue, Seat, Zone, neighbour
from bullpen.engine.events import Dealt, RoundStarted, RowsStarted, SheetsPassed
from bullpen.rulesets.base import PILES, TRICK
from bullpen.rulesets.logic import FIRST_PICKER, Drafting, LogicPosition

MAX_PLAYERS = Option("tournament.maxPlayers", 5, "Up to how many may play.", (5, 10))


class TournamentPosition(LogicPosition):
    """The sheets: the hands as drafted, and the start cards of every game."""

    sheets: tuple[tuple[Card, ...], ...] = ()
    start: tuple[Card, ...] = ()


class Tournament(Drafting[TournamentPosition]):
    """One draft, then as many games of ten tricks as there are players (TRN-9)."""

    id = "tournament"
    number = 4
    name = "Tournament"
    source = "Take 6! with eight variants (R6), variant 3"
    summary = "Draft once, then everybody plays every hand: the sheets go round and luck evens out."
    player_range = range(2, 6)
    offers = (PILES, MAX_PLAYERS, FIRST_PICKER)
    position_type = TournamentPosition
    # TRN-7: drafted openly and passed around on sheets, so the hands are public.
    zones = tuple(Zone("hands") if zone.field == "hands" else zone for zone in Drafting.zones)

    open_fields = Drafting.open_fields | {"sheets", "start"}

    @classmethod
    def player_counts(cls, options: Mapping[str, OptionValue]) -> range:
        """Two to five as the sheets are printed, or up to ten as an experiment (TRN-1)."""
        return range(2, 11) if options.get(MAX_PLAYERS.key) == 10 else cls.player_range

    def start_from_display(self, position: TournamentPosition) -> None:
        """Everybody writes the drafted hand on a sheet (TRN-8: in whatever order)."""
        super().start_from_display(position)
        position.start = tuple(row[0] for row in position.rows)
        position.sheets = tuple(tuple(hand) for hand in position.hands)

    def play_round(self, position: TournamentPosition) -> None:
        """Draft for the first game; for the others pass the sheets on."""
        if not position.sheets:
            super().play_round(position)
            return
        self.clear_table(position)
        position.deck = []
        position.round += 1
        position.happened(RoundStarted(position.round))
        self.pass_sheets(position)
        position.next(TRICK)

    def pass_sheets(self, position: TournamentPosition) -> None:
        """Sheets go to the left-hand neighbour; the same four cards start the rows (TRN-3)."""
        owners = tuple(self.sheet_owner(seat, position.round) for seat in range(self.players))
        position.happened(SheetsPassed(owners))
        for seat, owner in enumerate(owners):
            position.hands[seat] = list(position.sheets[owner])
            position.known[seat] = list(position.sheets[owner])
            position.happened(Dealt(seat, position.sheets[owner]))
        position.rows = [[card] for card in position.start]
        position.happened(RowsStarted(tuple(tuple(row) for row in position.rows)))

    def sheet_owner(self, seat: Seat, game: int) -> Seat:
        """Whose drafted hand a seat plays in a game, counted from 1 (TRN-2)."""
        return neighbour(seat, self.players, 1 - game)

    def line_player(self, owner: Seat, line: int) -> Seat:
        """Whose points stand on a line of a sheet, counted from 0: clockwise from its owner (TRN-2)."""
        return neighbour(owner, self.players, line)

    def sheet(self, position: TournamentPosition, owner: Seat) -> list[int]:
        """The points written on a sheet so far, line by line (TRN-4)."""
        return [points[self.line_player(owner, line)] for line, points in enumerate(position.score_sheet)]

    def game_over(self, position: TournamentPosition) -> str | None:
        """After as many games as players, whatever the scores; all sheets count (TRN-5, TRN-6)."""
        return "every hand was played by everybody" if position.round == self.players else None
