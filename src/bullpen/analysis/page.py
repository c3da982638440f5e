"""A review as one HTML page that needs nothing but itself."""

from collections.abc import Sequence
from html import escape

from bullpen.analysis.plots import Line, curves, halves
from bullpen.analysis.shapes import Decision, Moment, PlayerReview, Review
from bullpen.analysis.words import sentence

SHOWN = ("blunder", "mistake")
"""The words of the decisions in the list of mistakes."""
SEATS = [
    "#d1492e",
    "#c98a00",
    "#2f9486",
    "#3b86b8",
    "#a8649f",
    "#7c9420",
    "#4a78cf",
    "#cf6a60",
    "#9a6a38",
    "#8b836c",
]
STYLE = """
:root { color-scheme: light dark; --ink: #1b1713; --paper: #f5ead0; --card: #fbf3df; --line: #b9a67c;
  --good: #0f5a48; --bad: #a52a14; }
@media (prefers-color-scheme: dark) { :root { --ink: #f3ead2; --paper: #1d2a44; --card: #16233a;
  --line: #5b6b8c; --good: #8fd6b4; --bad: #ff9c80; } }
body { font: 16px/1.5 Bitter, Georgia, serif; color: var(--ink); background: var(--paper); max-width: 62rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1, h2 { font-family: "Alfa Slab One", Rockwell, Georgia, serif; font-weight: 400; line-height: 1.2; }
section { background: var(--card); border: 2px solid var(--ink); box-shadow: 4px 4px 0 var(--line);
  border-radius: 4px 7px 5px 8px; padding: .5rem 1rem 1rem; margin: 1.5rem 0; }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th:first-child, td:first-child, td.words { text-align: left; white-space: normal; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px Bitter, Georgia, serif; fill: var(--ink); }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .luck { fill: var(--line); }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); }
.blunder, .mistake { color: var(--bad); font-weight: 600; } .best { color: var(--good); }
.key i { display: inline-block; width: .9em; height: .9em; border: 1px solid var(--ink); margin-right: .3em; }
.key span { margin-right: 1.2em; }
"""


def page(review: Review) -> str:
    """Return the page."""
    title = f"Review: {review.game}, {len(review.players)} players"
    parts = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", "</head>", "<body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(_manner(review))}</p>",
        _graph(review), _players(review), _mistakes(review), _moments(review), _all(review),
        "</body>", "</html>", "",
    ]  # fmt: skip
    return "\n".join(parts)


def _manner(review: Review) -> str:
    """Say how the figures came about."""
    against = ", ".join(review.against)
    return (
        f"Every decision was judged by what its seat could see, effort {review.effort}, the others being "
        f"expected to play like {against}. {review.better.capitalize()} is better."
    )


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; the cells are HTML already."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _graph(review: Review) -> str:
    lines = []
    for each in review.players:
        own = [made for made in review.decisions if made.seat == each.seat and made.word != "forced"]
        marks = [place for place, made in enumerate(own) if made.word in SHOWN]
        values = [100 * made.win_chance for made in own]
        lines.append(Line(each.name, SEATS[each.seat % len(SEATS)], values, marks))
    key = "".join(
        f'<span><i style="background:{line.colour}"></i>{escape(line.label)}</span>' for line in lines
    )
    drawn = curves(lines, "chance of winning, in percent, decision by decision; rings are mistakes")
    return _section("The course of the game", f'{drawn}<p class="key">{key}</p>')


def _players(review: Review) -> str:
    heads = ["player", "result", "usual", "deal", "others' cards", "own choices", "accuracy"]
    rows = [
        [
            escape(each.name), str(each.result), f"{each.par / 1000:.1f}", f"{each.deal / 1000:+.1f}",
            f"{each.others / 1000:+.1f}", f"{each.own / 1000:+.1f}", f"{each.accuracy:.0f}",
        ]
        for each in review.players
    ]  # fmt: skip
    bars = halves(
        [
            (each.name, _signed(review, each.deal + each.others), _signed(review, each.own))
            for each in review.players
        ],
        "to the right what helped, to the left what hurt: luck (pale) and own choices (strong)",
    )
    says = "<p>Usual, deal, others' cards and own choices add up to the result.</p>"
    return _section("Luck and skill", _table(heads, rows) + says + bars)


def _signed(review: Review, thousandths: int) -> float:
    """Return an amount so that more of it is better."""
    return (-1 if review.better == "less" else 1) * thousandths / 1000


def _mistakes(review: Review) -> str:
    found = [made for made in review.decisions if made.word in SHOWN]
    if not found:
        return _section("Mistakes", "<p>None worth the name.</p>")
    heads = ["where", "who", "played", "better", "cost", "chance lost", "why"]
    worst = sorted(found, key=lambda made: -made.cost)
    return _section("Mistakes, the dearest first", _table(heads, [_row(review, made) for made in worst]))


def _row(review: Review, made: Decision) -> list[str]:
    chosen = next((each for each in made.options if each.choice == made.choice), None)
    why = "; ".join(sentence(each) for each in chosen.reasons if each.kind != "behind") if chosen else ""
    return [
        f"round {made.round}, trick {made.trick}",
        escape(_name(review.players, made.seat)),
        f'<b class="{made.word}">{escape(made.choice)}</b>',
        f'<b class="best">{escape(made.best)}</b>',
        f"{made.cost:.2f}",
        f"{100 * made.win_cost:.0f} %",
        escape(why),
    ]


def _name(players: Sequence[PlayerReview], seat: int) -> str:
    return players[seat].name


def _moments(review: Review) -> str:
    rows = [
        [
            f"round {each.round}, trick {each.trick}",
            escape(_name(review.players, each.seat)),
            f"{100 * each.amount:+.0f} %",
        ]
        for each in review.turning_points
    ]
    luck = [[escape(each.name), _where(each.luckiest), _where(each.unluckiest)] for each in review.players]
    return _section(
        "Turning points",
        _table(["where", "whose chance of winning", "changed by"], rows)
        + _table(["player", "luckiest trick", "unluckiest trick"], luck),
    )


def _where(moment: Moment | None) -> str:
    return "–" if moment is None else f"round {moment.round}, trick {moment.trick} ({moment.amount:+.1f})"


def _all(review: Review) -> str:
    rows = [
        [
            f"{made.round}.{made.trick}", escape(_name(review.players, made.seat)), escape(made.choice),
            escape(made.best), f"{made.cost:.2f}", f'<span class="{made.word}">{made.word}</span>',
        ]
        for made in review.decisions
        if made.word != "forced"
    ]  # fmt: skip
    table = _table(["round.trick", "who", "played", "best", "cost", "word"], rows)
    return f"<details><summary>All {len(rows)} decisions</summary>{table}</details>"
