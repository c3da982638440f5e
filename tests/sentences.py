"""What an error must say: one sentence that a player understands."""


def is_sentence(text: str) -> bool:
    """Return whether a text is one line of plain words with an end, and no trace of a fallen program."""
    machine = ("Traceback", "Error(", "Exception", "object at 0x", "<class", "NoneType")
    return (
        text.isprintable()
        and text.endswith((".", "?"))
        and len(text) < 500
        and not any(word in text for word in machine)
    )
