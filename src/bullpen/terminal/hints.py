"""Hints in the terminal: the best answers to the open question, with a reason each."""

from rich.text import Text

from bullpen.engine import View

SHOWN = 3
NOT_HERE = "Hints need the extra for bots: pip install 'bullpen-games[bots]'."


def hints(view: View, level: str) -> list[Text]:
    """Return the best answers against bots of a level, a line each; or why there are none."""
    try:
        # What compiles is imported by whoever asks.
        from bullpen.analysis import AnalysisError, evaluate  # noqa: PLC0415
        from bullpen.analysis.opponents import NAMES, OWN, PEOPLE  # noqa: PLC0415
        from bullpen.analysis.words import sentence  # noqa: PLC0415
    except ModuleNotFoundError:
        return [Text(NOT_HERE, style="red")]
    try:
        against = [level if level in NAMES else PEOPLE] * view.players
        if view.seat is not None:
            against[view.seat] = OWN
        found = evaluate(view, "standard", against=against)
    except AnalysisError as error:
        return [Text(str(error), style="red")]
    word = "costs" if found.better == "less" else "brings"
    lines = []
    for option in found.ranked[:SHOWN]:
        why = "; ".join(sentence(reason) for reason in option.reasons if reason.kind != "taking")
        line = Text(f"{option.choice:>5}", style="bold")
        line.append(
            f"  {word} about {option.mean:.1f}, takes with {option.take_chance:.0%}", style="not bold"
        )
        line.append(f"  {why}" if why else "", style="dim not bold")
        lines.append(line)
    return lines
