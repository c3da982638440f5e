"""Everything that can be wrong, each with a sentence that a player understands."""


class BullpenError(Exception):
    """The common parent: `str(error)` is one sentence for a person."""


class UnknownGame(BullpenError):
    """There is no game of that name."""


class WrongPlayers(BullpenError):
    """The game cannot be played by that many people."""


class NoSeat(BullpenError):
    """Nobody sits there, so there is nothing to see from there."""


class BadOption(BullpenError):
    """An option does not exist in this game or does not take that value."""


class IllegalChoice(BullpenError):
    """The rules do not allow this choice now; nothing was changed."""


class NotAsked(IllegalChoice):
    """That seat has no open question."""


class BadNotation(IllegalChoice):
    """The text is not the notation of any choice."""


class RecordError(BullpenError):
    """A record is damaged, of another version, or does not follow the rules."""


class UnknownBehaviour(RecordError):
    """A game was begun under rules that this program does not play any more, or not yet."""


class NoMoreDeals(RecordError):
    """A game needs a deal that was not written down."""
