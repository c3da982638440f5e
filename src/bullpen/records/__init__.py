"""Records: save, load and replay whole games."""

from bullpen.records.document import FairDeal, Hint
from bullpen.records.record import Deal, Entry, Record
from bullpen.records.replay import Moment, check, replay, rules_of

__all__ = ["Deal", "Entry", "FairDeal", "Hint", "Moment", "Record", "check", "replay", "rules_of"]
