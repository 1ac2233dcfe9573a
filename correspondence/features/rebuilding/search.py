"""Search for entries between signed heads by trying texts and times against the hash."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, product
from typing import Any

from correspondence.features.rebuilding.facts import LetterFacts
from engines import GAMES
from engines.base import CHANCE, Game, MoveError, Position, Seat
from engines.chance import ChanceStream
from engines.options import OptionError, choices_of, options_text, read_options
from engines.verification import chain, seals
from engines.wording import _

MOST_TRIES = 400_000
"""Maximum hashes tried for one game."""

_FURTHEST = 4
"""Maximum number of entries ahead of a letter, and between two signed heads."""

_MOST_MOVES = 3_000
_MOST_MOMENTS = 400
_FEW = 40
"""Maximum number of chance outcomes for which all are tried."""


class NotFound(Exception):
    """Raised if letters lack entries; str() is a sentence that names them."""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that leads to a signed head. `seal` is in hex, empty if it was never hidden."""

    seat: Seat
    text: str
    at: datetime
    seal: str


@dataclass(frozen=True, slots=True)
class RestoredGame:
    """The part of a game that was found: entries, last position, and last hash in hex.

    `options` are `name=value` words.
    """

    game: Game
    options: str
    position: Position[Any]
    head: str
    entries: tuple[FoundEntry, ...] = ()


class Search:
    """The search through the facts in one game's letters.

    `known` are the signed heads by number of entries. After take-backs there may be several for one number.
    """

    def __init__(self, facts: LetterFacts, known: Mapping[int, Collection[str]]) -> None:
        self._facts, self._known, self._tries = facts, known, 0
        self._seed = bytes.fromhex(facts.seed) if facts.seed else None

    def game(self, last: int, head: str) -> tuple[RestoredGame, str]:
        """Return the game up to this head, or the part found and the gap.

        The head covers `last` entries. Raises NotFound.
        """
        found = [self._start()]
        try:
            for ply in sorted(number for number in self._known if len(found[0].entries) < number <= last):
                for target in self._known[ply]:
                    found += self._reached(found, ply, target)
        except NotFound as failed:
            return found[-1], str(failed)
        whole = next((game for game in found if (len(game.entries), game.head) == (last, head)), None)
        furthest = max(found, key=lambda game: len(game.entries))
        return (whole, "") if whole is not None else (furthest, self._missing(furthest, last))

    def _start(self) -> RestoredGame:
        """Return the game and its options, by the first signed head. Raises NotFound."""
        first = min(self._known)
        for begun in _starts():
            for head in self._known[first]:
                if first == 0 and begun.head == head:
                    return begun
                if first and (found := self._towards(begun, first, head)) is not None:
                    return found
        raise NotFound(_("The first known head, after {ply} entries, matches no game here.").format(ply=first))

    def _reached(self, found: Sequence[RestoredGame], ply: int, head: str) -> list[RestoredGame]:
        """Return the game at this head, from the furthest state that leads there; None if none does."""
        games = (self._towards(game, ply, head) for game in reversed(found) if len(game.entries) < ply)
        return list(islice((game for game in games if game is not None), 1))

    def _missing(self, found: RestoredGame, last: int) -> str:
        """Describe the missing entries between the found part and the next signed head."""
        ply = len(found.entries)
        target = min((number for number in self._known if number > ply), default=last)
        if target <= ply + 1:
            return _("Entry {ply} is not in the letters and could not be worked out. What follows is missing.").format(
                ply=target
            )
        sentence = _(
            "Entries {first} to {last} are not in the letters and could not be worked out. What follows is missing."
        )
        return sentence.format(first=ply + 1, last=target)

    def _towards(self, found: RestoredGame, target: int, head: str) -> RestoredGame | None:
        missing = target - len(found.entries)
        if missing > _FURTHEST:
            return None
        earliest = found.entries[-1].at if found.entries else None
        moments = [at for at in self._facts.moments if earliest is None or at >= earliest][-_MOST_MOMENTS:]
        for is_wide in (False, True):
            if is_wide and missing > 2:
                return None
            reached = self._deeper(found, target, head, moments, is_wide=is_wide)
            if reached is not None:
                return reached
        return None

    def _deeper(
        self, found: RestoredGame, target: int, known: str, moments: list[datetime], *, is_wide: bool
    ) -> RestoredGame | None:
        """Try each possible next entry at each possible time.

        Entries between two heads are first assumed to have the same time.
        """
        ply, missing = len(found.entries) + 1, target - len(found.entries)
        for seat, text, after, seal in self._steps(found.position, ply, is_wide=is_wide):
            for at in moments:
                self._tries += 1
                if self._tries > MOST_TRIES:
                    raise NotFound(_("From entry {ply} on there are too many possibilities to try.").format(ply=ply))
                head = chain.next_hash(found.head, ply, seat, at, chain.sealed(seal) if seal else text)
                if missing == 1 and head != known:
                    continue
                entry = FoundEntry(seat, text, at, seal)
                reached = RestoredGame(found.game, found.options, after, head, (*found.entries, entry))
                if missing == 1:
                    return reached
                later = [one for one in moments if one >= at] if is_wide else [at]
                deeper = self._deeper(reached, target, known, later, is_wide=is_wide)
                if deeper is not None:
                    return deeper
        return None

    def _steps(
        self, position: Position[Any], ply: int, *, is_wide: bool
    ) -> Iterator[tuple[Seat, str, Position[Any], str]]:
        """Yield the possible next entries: seat, canonical text, resulting position, and any seal."""
        for seat in position.to_act:
            for move in self._moves(position, seat, ply, is_wide=is_wide):
                text, after = position.write(seat, move), position.after(seat, move)
                if not seals.is_sealed(position, seat, move, after):
                    yield seat, text, after, ""
                elif self._seed is not None:
                    yield seat, text, after, seals.seal(self._seed, ply, text)
                elif text in self._facts.entries[ply] or self._is_told(ply, text):
                    yield from ((seat, text, after, seal) for seal in self._facts.seals[ply])

    def _moves(self, position: Position[Any], seat: Seat, ply: int, *, is_wide: bool) -> Iterator[Any]:
        if seat == CHANCE:
            yield from self._drawn(position, ply)
            return
        seen = set()
        for text in self._texts(ply):
            try:
                move = position.read(seat, text)
                position.play(seat, move)
            except MoveError:
                continue
            if (written := position.write(seat, move)) not in seen:
                seen.add(written)
                yield move
        if is_wide:
            yield from islice(position.legal_moves(seat), _MOST_MOVES)

    def _drawn(self, position: Position[Any], ply: int) -> Iterator[Any]:
        if self._seed is not None:
            yield position.random_move(CHANCE, ChanceStream(self._seed, ply, self._facts.words))
        outcomes = list(islice(position.legal_moves(CHANCE), _FEW + 1))
        if len(outcomes) <= _FEW:
            yield from outcomes

    def _texts(self, ply: int) -> Iterator[str]:
        yield from self._facts.entries.get(ply, {})
        for at in range(ply, ply + _FURTHEST + 1):
            yield from self._facts.texts.get(at, {})

    def _is_told(self, ply: int, text: str) -> bool:
        """Whether a letter contains this text.

        A seal does not prove a hidden choice while the seed is secret.
        """
        return any(text in self._facts.texts.get(at, {}) for at in range(ply, ply + _FURTHEST + 1))


def _starts() -> Iterator[RestoredGame]:
    """Yield every game with every set of options, before its first entry."""
    for game in GAMES.values():
        choices = choices_of(game.Options)
        for values in product(*(choice.values for choice in choices)):
            chosen = dict(zip((choice.name for choice in choices), values, strict=True))
            try:
                options: Any = read_options(game.Options, chosen)
            except OptionError:
                continue
            words = options_text(options)
            yield RestoredGame(game, words, game.start(options), chain.first_hash(game.key, game.version, words))
