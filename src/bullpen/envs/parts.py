"""Episodes in parts, on which threads work side by side. What happens does not depend on their number."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

from bullpen.envs.episodes import Episodes
from bullpen.envs.terms import BadTerms, Terms

T = TypeVar("T")


class Part(NamedTuple):
    """Some episodes that follow one another, and their place among all."""

    place: slice
    episodes: Episodes


class Parts:
    """So many episodes in as many parts as there are threads.

    >>> [part.place for part in Parts(Terms(players=2), size=5, threads=2)]
    [slice(0, 3, None), slice(3, 5, None)]
    """

    def __init__(self, terms: Terms, size: int, threads: int = 1, *, piles: bool = False) -> None:
        if type(threads) is not int or not 1 <= threads <= size:
            raise BadTerms(f"There can be 1 to {size} threads for as many games, not {threads}.")
        ends = [-(-size * (number + 1) // threads) for number in range(threads)]
        starts = [0, *ends[:-1]]
        self._parts: Final = [
            Part(slice(start, end), Episodes(terms, end - start, start, piles=piles))
            for start, end in zip(starts, ends, strict=True)
        ]
        self._pool: ThreadPoolExecutor | None = None

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def each(self, work: Callable[[Part], T]) -> list[T]:
        """Do something with every part, all at the same time."""
        if len(self._parts) == 1:
            return [work(self._parts[0])]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._parts), "bullpen-envs")
        return list(self._pool.map(work, self._parts))

    def close(self) -> None:
        """Let the threads go; they come back when they are needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
