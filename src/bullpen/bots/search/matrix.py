"""Matrix games of two players: their value and both mixes, compiled.

The first player chooses a row of the matrix and wants much, the second a column and wants little.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, real

FLAT, TINY = 1e-11, 1e-9
"""A slope that is not worth following, and an entry too small to divide by: equal but for rounding."""
PATIENCE, MOST_PIVOTS = 60, 1000
"""After so many pivots they are chosen by number, so that none comes twice (Bland's rule); and the most."""


class Paper(NamedTuple):
    """Working memory of the simplex method."""

    tableau: Array
    """float64 [m + 1, n + 1]: constraints, and below and beside them the objective and what is left."""
    labels: Array
    """int64 [2, m + n]: which variable stands in each line (0) and column (1) of the tableau."""


def new_paper(most: int) -> Paper:
    """Return memory for matrices of up to `most` rows and columns."""
    return Paper(np.zeros((most + 1, most + 1)), np.zeros((2, most), np.int64))


@piece
def saddle(matrix: Array, m: int, n: int, mixes: Array) -> float:
    """Return the value if one card each is best (and note it), else NaN."""
    lower, upper = -np.inf, np.inf
    row = column = 0
    for i in range(m):
        worst = matrix[i, 0]
        for j in range(1, n):
            worst = min(worst, matrix[i, j])
        if worst > lower:
            lower, row = worst, i
    for j in range(n):
        best = matrix[0, j]
        for i in range(1, m):
            best = max(best, matrix[i, j])
        if best < upper:
            upper, column = best, j
    if lower < upper:
        return np.nan
    mixes[0, row] = 1.0
    mixes[1, column] = 1.0
    return lower


@piece
def pivot(tableau: Array, m: int, n: int, row: int, column: int) -> None:
    """Exchange the variables of a line and a column."""
    inverse = 1.0 / tableau[row, column]
    for j in range(n + 1):
        if j != column:
            tableau[row, j] *= inverse
    for i in range(m + 1):
        if i != row:
            factor = tableau[i, column]
            for j in range(n + 1):
                if j != column:
                    tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = -factor * inverse
    tableau[row, column] = inverse


@piece
def entering(paper: Paper, m: int, n: int, pivots: int) -> int:
    """Return the column to enter: the steepest, or later the one of the lowest number; -1 if none."""
    found, steepest = -1, -FLAT
    for j in range(n):
        slope = paper.tableau[m, j]
        if slope < -FLAT and pivots >= PATIENCE:
            if found < 0 or paper.labels[1, j] < paper.labels[1, found]:
                found = j
        elif slope < steepest:
            found, steepest = j, slope
    return found


@piece
def leaving(paper: Paper, m: int, n: int, column: int) -> int:
    """Return the line that limits an entering column first, the lowest number of equals."""
    found, nearest = -1, np.inf
    for i in range(m):
        if paper.tableau[i, column] > TINY:
            ratio = paper.tableau[i, n] / paper.tableau[i, column]
            if ratio < nearest or (ratio == nearest and paper.labels[0, i] < paper.labels[0, found]):
                found, nearest = i, ratio
    return found


@piece
def write_program(matrix: Array, m: int, n: int, paper: Paper) -> float:
    """Write down the second player's program of a matrix made positive; return its least entry."""
    tableau, labels = paper
    least = np.inf
    for i in range(m):
        for j in range(n):
            least = min(least, matrix[i, j])
    for i in range(m):
        for j in range(n):
            tableau[i, j] = matrix[i, j] - least + 1.0
        tableau[i, n] = 1.0
        labels[0, i] = n + i
    for j in range(n):
        tableau[m, j] = -1.0
        labels[1, j] = j
    tableau[m, n] = 0.0
    return least


@piece
def by_simplex(matrix: Array, m: int, n: int, paper: Paper, mixes: Array) -> float:
    """Return the value, and note both mixes: the second player's program, whose dual is the first's."""
    tableau, labels = paper
    least = write_program(matrix, m, n, paper)
    pivots = 0
    column = entering(paper, m, n, pivots)
    while column >= 0 and pivots < MOST_PIVOTS:
        row = leaving(paper, m, n, column)
        if row < 0:
            break
        pivot(tableau, m, n, row, column)
        labels[0, row], labels[1, column] = labels[1, column], labels[0, row]
        pivots += 1
        column = entering(paper, m, n, pivots)
    value = 1.0 / real(tableau[m, n])
    for i in range(m):
        if labels[0, i] < n:
            mixes[1, labels[0, i]] = max(tableau[i, n], 0.0) * value
    for j in range(n):
        if labels[1, j] >= n:
            mixes[0, labels[1, j] - n] = max(tableau[m, j], 0.0) * value
    return value + least - 1.0


@piece
def game_value(matrix: Array, m: int, n: int, paper: Paper, mixes: Array) -> float:
    """Return the value of a matrix game; mixes[0, :m] and mixes[1, :n] become the players' mixes."""
    for i in range(m):
        mixes[0, i] = 0.0
    for j in range(n):
        mixes[1, j] = 0.0
    value = saddle(matrix, m, n, mixes)
    return by_simplex(matrix, m, n, paper, mixes) if np.isnan(value) else value
