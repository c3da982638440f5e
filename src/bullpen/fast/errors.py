"""What can go wrong when asking the fast twin for something."""


class FastError(Exception):
    """The parent of the errors of `bullpen.fast`."""


class FastMissing(FastError, ImportError):
    """Numba or NumPy is not installed."""


class NotCovered(FastError, ValueError):
    """The game, the player count or the option is not one the fast twin plays."""


class BadChoice(FastError, ValueError):
    """A choice given to a batch is not legal where it was given."""
