"""Commands by mail about ladders, and what `accept` in an answer to a challenge does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlmodel import Session

from correspondence.commands.command_types import Command
from correspondence.commands.handlers.context import Sender
from correspondence.commands.handlers.matchmaking import Acceptance
from correspondence.commands.pace import CommandError
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.core.i18n import weekday
from correspondence.features.tournaments import ladder_views, ladders
from correspondence.features.tournaments.ladder_views import ChallengeLine, LadderView
from correspondence.features.tournaments.letters import LADDER_CHALLENGE
from correspondence.matchmaking.challenges import game_by_key
from correspondence.outbound.transcript import TranscriptEntry
from engines import GAMES
from engines.wording import N_, _, listing

MOST_RUNGS = 60
"""Maximum rungs in a letter."""

_LINE = re.compile(
    r"(?P<game>[\w-]{2,40})(?: (?P<what>enter|leave|challenge|accept)(?: @?(?P<handle>[\w-]{1,40}))?)?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LadderLine(Command):
    """Show the ladder of a game; `what` is what to do there: enter, leave, challenge or accept `handle`."""

    game: str
    what: str = ""
    handle: str = ""


def read_ladder(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `ladder`: a game, and perhaps what to do."""
    found = _LINE.fullmatch(rest)
    if found is None:
        if is_certain and not rest:
            raise CommandError(_("Say which game, for example: ladder duel"))
        return None
    if found["game"].casefold() not in GAMES and not found["what"]:
        return None  # prose
    what, handle = (found["what"] or "").casefold(), found["handle"] or ""
    if what == "challenge" and not handle:
        raise CommandError(_("Say whom you challenge, for example: ladder duel challenge ann"))
    return LadderLine(found["game"].casefold(), what, handle)


def _ladder(session: Session, sender: Sender, command: LadderLine) -> TranscriptEntry:
    person, now = sender.person, sender.now
    if command.what == "enter":
        ladders.enter(session, person, command.game, now=now)
        return _show(session, sender, command, _("You are on the ladder, at the bottom. Challenge somebody above you."))
    if command.what == "leave":
        ladders.leave(session, person, command.game, now=now)
        return TranscriptEntry("", _("You have left the ladder. Your running games go on."))
    if command.what == "challenge":
        ladders.challenge(session, person, command.game, command.handle, now=now)
        sentence = _("{handle} has a letter with your challenge.")
        return TranscriptEntry("", sentence.format(handle=command.handle))
    if command.what == "accept":
        return _accepted(session, sender, command.game, command.handle)
    return _show(session, sender, command, "")


def _accepted(session: Session, sender: Sender, game: str, handle: str = "") -> TranscriptEntry:
    row = ladders.accept(session, sender.person, game, handle, now=sender.now, rng=sender.rng)
    return TranscriptEntry("", _("Game {number} has begun.").format(number=row.match_id))


def _show(session: Session, sender: Sender, command: LadderLine, sentence: str) -> TranscriptEntry:
    view = ladder_views.view_of(session, game_by_key(command.game).key, sender.person.id, now=sender.now)
    head = _("Ladder of {game}.").format(game=view.game_name)
    rungs = [f"| {one.rung}. {one.handle}" for one in view.rungs[:MOST_RUNGS]] or [_("Nobody has entered yet.")]
    waiting = [_to_answer(view, line, sender) for line in view.to_answer]
    running = [_("Game {game}: {challenger} – {challenged}").format(**line._asdict()) for line in view.running]
    parts = [rungs, waiting, [f"| {line}" for line in running[:MOST_RUNGS]], _what_next(view)]
    block = "\n\n".join("\n".join(part) for part in parts if part)
    page = _("Its page:")
    return TranscriptEntry(
        "", " ".join(filter(None, (sentence, head))), block=f"{block}\n\n{page} %%base%%/ladders/{view.key}"
    )


def _to_answer(view: LadderView, line: ChallengeLine, sender: Sender) -> str:
    sentence = _("{handle} challenges you, until {day}. Write: ladder {game} accept {handle}")
    person = sender.person
    day = weekday(line.lapses_at, person.zone, person.language) if line.lapses_at else ""
    return sentence.format(handle=line.challenger, day=day, game=view.key)


def _what_next(view: LadderView) -> list[str]:
    if view.my_rung is None:
        return [_("To enter, write: ladder {game} enter").format(game=view.key)]
    stand = _("You stand on rung {rung}.").format(rung=view.my_rung)
    above = [one.handle for one in view.rungs if one.can_challenge]
    if not above:
        return [stand, _("To leave, write: ladder {game} leave").format(game=view.key)]
    can = _("You can challenge {handles}, for example: ladder {game} challenge {first}")
    return [stand, can.format(handles=listing(above, _("or")), game=view.key, first=above[-1])]


def _waiting_lines(session: Session, sender: Sender) -> list[str]:
    waiting = ladders.waiting_for(session, sender.person.id)
    return [f"ladder {ladder.game} accept {who.handle}" for ladder, _row, who in waiting]


def _accept(session: Session, sender: Sender) -> TranscriptEntry:
    """Accept the challenge that the mail answers, or the only one. Raises CommandError if there are several."""
    waiting = ladders.waiting_for(session, sender.person.id)
    key = sender.replied.key if sender.replied is not None else ""
    answered = [one for one in waiting if f":challenge{one[1].id}:" in key] or waiting
    if len(answered) > 1:
        sentence = _("Several challenges are waiting for you. Write: {lines}")
        raise CommandError(sentence.format(lines=listing(_waiting_lines(session, sender), _("or"))))
    ladder, _row, who = answered[0]
    return _accepted(session, sender, ladder.game, who.handle)


ACCEPTANCE = Acceptance(LADDER_CHALLENGE.name, _waiting_lines, _accept)

_TOPIC = "ladders"

DECLARATIONS = (
    Declaration(
        kind=LadderLine,
        readers={"ladder | scala": read_ladder},
        need=Need.YES,
        argument="what",
        need_without=Need.NOTHING,
        handler=_ladder,
        title=always(N_("A ladder")),
        topic=_TOPIC,
        help=(
            HelpLine(_TOPIC, 1, N_("ladder duel"), N_("the ladder of a game, and whom you can challenge there")),
            HelpLine(
                _TOPIC, 2, N_("ladder duel challenge ann"),
                N_("challenge somebody up to ten rungs above you; also: ladder duel enter, ladder duel leave"),
            ),
        ),
    ),
)  # fmt: skip
