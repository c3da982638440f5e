"""What is claimed of a game or a bot, and how it is said that a claim does not hold."""


class Broken(AssertionError):
    """A promise that every game, or every bot, keeps is broken; the sentence says which and where."""


def claim(holds: object, otherwise: str) -> None:
    """Raise the sentence unless the claim holds."""
    if not holds:
        raise Broken(otherwise)
