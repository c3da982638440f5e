"""The games with a course of their own, by their ids."""

from bullpen.fast.games import BOARDS
from bullpen.fast.twins.board_twin import BoardTwin
from bullpen.fast.twins.double import DoubleTwin
from bullpen.fast.twins.hand import HandTwin
from bullpen.fast.twins.nifty import NiftyTwin
from bullpen.fast.twins.open import OpenTwin
from bullpen.fast.twins.tournament import TournamentTwin
from bullpen.fast.twins.twin import Twin

ALL: tuple[Twin, ...] = (
    TournamentTwin(),
    OpenTwin(),
    NiftyTwin(),
    HandTwin(),
    DoubleTwin(),
    *(BoardTwin(game) for game in BOARDS),
)
TWINS: dict[str, Twin] = {twin.game: twin for twin in ALL}
"""The games, in the order of the gallery."""
