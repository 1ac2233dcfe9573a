"""The first sentence of a letter about a game, as an inbox previews it: event and deadline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from correspondence.core.i18n import moment
from correspondence.models import Match, Person, Player
from correspondence.models.loading import ending
from correspondence.outbound import kinds
from correspondence.outbound.kinds import LetterKind
from engines.base import CHANCE, Seat
from engines.record import Entry
from engines.verification.record_text import PLAYING, RESIGNATION, TIME
from engines.wording import N_, _


def headline(
    kind: LetterKind, match: Match, player: Player, reader: Person, opponent: str, entries: Sequence[Entry]
) -> str:
    """Return a letter's first sentence, translated; empty if its template has its own.

    `entries` are the moves of the letter's news, redacted for the reader.
    """
    say = _HEADLINES.get(kind.name)
    return say(match, player, reader, opponent, entries) if say is not None else ""


def _turn(match: Match, player: Player, reader: Person, opponent: str, entries: Sequence[Entry]) -> str:
    happened = last_move(entries, player.seat, opponent) or _waits(match, player, opponent)
    return f"{happened} {_due(player, reader)}"


def last_move(entries: Sequence[Entry], seat: Seat, opponent: str) -> str:
    """State the opponent's last move, else that of the reader at `seat`; empty if there is none."""
    moves = [entry for entry in entries if entry.seat != CHANCE]
    others = [entry for entry in moves if entry.seat != seat]
    if others:
        return _("{opponent} played {move}.").format(opponent=opponent, move=others[-1].text)
    return _("You played {move}.").format(move=moves[-1].text) if moves else ""


def _waits(match: Match, player: Player, opponent: str) -> str:
    if not opponent:
        return _("Game {number} waits for you.").format(number=match.id)
    if not player.last_message_id:
        return _("Your game with {opponent} begins, and you move first.").format(opponent=opponent)
    return _("Your game with {opponent} goes on.").format(opponent=opponent)


def _due(player: Player, reader: Person) -> str:
    if player.deadline is None:
        return _("It is your move.")
    when = moment(player.deadline, reader.zone, reader.language)
    return _("Your move is due by {when}.").format(when=when)


def _reminder(match: Match, player: Player, reader: Person, opponent: str, _entries: Sequence[Entry]) -> str:
    waiting = (
        _("{opponent} is waiting for you.").format(opponent=opponent)
        if opponent
        else _("Game {number} waits for you.").format(number=match.id)
    )
    return f"{_due(player, reader)} {waiting}"


def _over(match: Match, player: Player, _reader: Person, opponent: str, _entries: Sequence[Entry]) -> str:
    if not opponent or match.result in (PLAYING, "1/2-1/2"):
        return _("The game is over. {ending}").format(ending=ending(match))
    is_won = match.result == ("1-0" if player.seat == 0 else "0-1")
    sentence = _WON.get(match.reason, _WON[""]) if is_won else _LOST.get(match.reason, _LOST[""])
    return _(sentence).format(opponent=opponent, reason=_(match.reason))


_WON = {
    RESIGNATION: N_("You won: {opponent} resigned."),
    TIME: N_("You won: {opponent} ran out of time."),
    "": N_("You won by {reason}."),
}
_LOST = {
    RESIGNATION: N_("You resigned, so {opponent} won."),
    TIME: N_("You lost: your time ran out."),
    "": N_("You lost: {opponent} won by {reason}."),
}
_HEADLINES: dict[str, Callable[[Match, Player, Person, str, Sequence[Entry]], str]] = {
    kinds.TURN.name: _turn,
    kinds.REMINDER.name: _reminder,
    kinds.OVER.name: _over,
}
