"""Commands by mail about tournaments: list, show, make, enter, withdraw, sit out, and what organisers do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from correspondence.commands.command_types import Command
from correspondence.commands.handlers.context import Sender
from correspondence.commands.pace import CommandError, read_pace
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.features.tournaments import entering, ladder_views, organiser, settings, tournaments, views
from correspondence.features.tournaments.formats.field import Result
from correspondence.features.tournaments.tables import PERPETUAL, TournamentState
from correspondence.features.tournaments.views import Card, CrossTable, GameLine, TournamentView
from correspondence.outbound.transcript import TranscriptEntry
from engines.wording import N_, _, ngettext

MOST_ROWS = 40
"""Maximum rows of standings in a letter."""

_QUOTED = re.compile(r"""([a-z_]{2,20})=(?:["“”„«]([^"“”»]*)["“”»]|(\S+))""", re.IGNORECASE)
_NUMBERED = re.compile(r"#?([0-9]{1,9})[.:]?(?: (.*))?", re.DOTALL)
_ENTER = re.compile(r"(?:tournament |torneo )?#?([0-9]{1,9})(?: (?:code=|with )?(\S{1,60}))?\.?", re.IGNORECASE)
_RATED = {"rated": True, "unrated": False}

NEW = "new"
ACTS = ("announce", "close", "remove", "extend", "admit", "call off")
"""What an organiser writes after the number."""


@dataclass(frozen=True, slots=True)
class Tournaments(Command):
    """List the open tournaments and one's own."""


@dataclass(frozen=True, slots=True)
class TournamentLine(Command):
    """Show a tournament, make one (`what` is “new”), or act as its organiser; `rest` is what follows."""

    number: int | None = None
    what: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Enter(Command):
    """Enter a tournament."""

    number: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class SitOut(Command):
    """Sit out the next round of a Swiss."""

    number: int


# -- reading -----------------------------------------------------------------------------


def read_tournament(rest: str, is_certain: bool) -> Command | None:
    """Parse what follows `tournament`: a number, perhaps with an act, or `new`."""
    word, _blank, more = rest.partition(" ")
    if word.casefold() in (NEW, "nuovo"):
        return TournamentLine(None, NEW, more.strip())
    numbered = _NUMBERED.fullmatch(rest)
    if numbered is None:
        if is_certain and not rest:
            raise CommandError(_("Say which tournament, for example: tournament 5. All are listed by: tournaments"))
        return None
    number, text = int(numbered[1]), (numbered[2] or "").strip()
    act = next((one for one in ACTS if re.match(rf"{one}\b", text, re.IGNORECASE)), None)
    if text and act is None:
        sentence = _("With tournament {number} its organiser can: {acts}.")
        raise CommandError(sentence.format(number=number, acts=", ".join(ACTS)))
    return TournamentLine(number, act or "", text[len(act or "") :].strip(" :"))


def read_enter(rest: str, is_certain: bool) -> Command | None:
    """Parse a number and perhaps a code."""
    found = _ENTER.fullmatch(rest)
    if found:
        return Enter(int(found[1]), (found[2] or "").strip("\"'"))
    if is_certain and not rest:
        raise CommandError(_("Say which tournament, for example: enter 5. All are listed by: tournaments"))
    return None


def read_bye(rest: str, is_certain: bool) -> Command | None:
    """Parse the number of a tournament; “bye” alone is a farewell."""
    found = _NUMBERED.fullmatch(rest)
    return SitOut(int(found[1])) if found and not found[2] else None


# -- carrying out ------------------------------------------------------------------------


def _list(session: Session, sender: Sender, _command: Tournaments) -> TranscriptEntry:
    open_now = views.cards(session, [TournamentState.OPEN], sender.person.id)
    own = views.cards_of(session, sender.person.id)
    lines = [_("Open for entry:"), *(f"| {_card_line(card)}" for card in open_now if card.is_open)]
    if len(lines) == 1:
        lines = [_("No tournament is open at the moment.")]
    if own:
        lines += ["", _("Yours:"), *(f"| {_card_line(card, is_own=True)}" for card in own)]
    standing = [one for one in ladder_views.cards(session, sender.person.id) if one.is_mine]
    if standing:
        lines += ["", _("Where you stand:"), *(f"| {one.title}: {one.format} {one.key}" for one in standing)]
    lines += ["", _("Each game has a league and a ladder, for example: league duel, ladder duel")]
    example = _('To make one, write for example: tournament new round-robin duel players=8 name="Autumn"')
    return TranscriptEntry("", example, block="\n".join(lines))


def _card_line(card: Card, *, is_own: bool = False) -> str:
    facts = [card.title, card.game_name, card.places or card.state]
    code = " code=…" if card.needs_code else ""
    line = f"tournament {card.number}" if is_own or card.is_mine else f"enter {card.number}{code}"
    return f"{card.number}. {card.name} ({', '.join(facts)}): {line}"


def _tournament(session: Session, sender: Sender, command: TournamentLine) -> TranscriptEntry:
    if command.what == NEW:
        return _make(session, sender, command.rest)
    assert command.number is not None  # read_tournament gives one
    return _organise(session, sender, command) if command.what else _show(session, sender, command.number)


def _show(session: Session, sender: Sender, number: int) -> TranscriptEntry:
    tournament = tournaments.tournament_numbered(session, number)
    if tournament.format in PERPETUAL:
        sentence = _("Number {number} is a {format}. To see it, write: {format} {game}")
        raise settings.TournamentError(sentence.format(number=number, format=tournament.format, game=tournament.game))
    view = views.view_of(session, tournament, sender.person.id, now=sender.now)
    head = _("Tournament {number}, {name}: {facts}.").format(
        number=number, name=view.card.name, facts=", ".join([view.card.title, view.card.game_name, view.card.state])
    )
    head_of = _("Section {number}") if len(view.tables) > 1 else ""
    lines = [line for table in view.tables for line in table_lines(table, head_of)][:MOST_ROWS]
    if not view.tables:
        lines = [ngettext("{count} entrant:", "{count} entrants:", len(view.entrants)).format(count=len(view.entrants))]
        lines += [f"| {handle} ({rating})" for handle, _seed, rating, _state, _robot in view.entrants]
    lines += game_lines(view.my_games)
    return TranscriptEntry(
        "", " ".join(filter(None, [head, view.goes_on])), block="\n".join([*lines, "", *_what_next(view)])
    )


def table_lines(table: CrossTable, heading: str) -> list[str]:
    """Return the standings of a section as lines, below `heading` with its number."""
    head = [heading.format(number=table.section)] if heading else []
    rows = [
        f"| {row.rank}. {row.handle}: {row.points}" + ("" if row.best == row.worst else f" ({row.best}–{row.worst})")
        for row in table.rows
    ]
    return [*head, *rows, ""]


def game_lines(games: Sequence[GameLine]) -> list[str]:
    """Return the sender's games as lines, below a heading; empty if there are none."""
    if not games:
        return []
    sentence = _("game {game}: {first} – {second}, {result}")
    running = _("is being played")
    lines = [
        sentence.format(
            game=line.game or "–", first=line.first, second=line.second,
            result=running if line.result == Result.RUNNING else line.result,
        )
        for line in games
    ]  # fmt: skip
    return [_("Your games:"), *(f"| {line}" for line in lines)]


def _what_next(view: TournamentView) -> list[str]:
    number = view.card.number
    if view.can_enter:
        return [
            _("To enter, write: enter {number}").format(number=number) + (" code=…" if view.card.needs_code else "")
        ]
    if view.is_in and view.state in (TournamentState.OPEN, TournamentState.RUNNING):
        return [_("To leave, write: withdraw {number}").format(number=number)]
    return []


def _make(session: Session, sender: Sender, rest: str) -> TranscriptEntry:
    format_word, _blank, more = rest.partition(" ")
    game_word, _blank, more = more.strip().partition(" ")
    if not format_word or not game_word:
        sentence = _(
            "Say format and game, for example: tournament new round-robin duel players=8. Formats are {formats}."
        )
        raise settings.TournamentError(sentence.format(formats=", ".join(settings.TITLES)))
    words, pace_text, is_rated = _options(more)
    made = tournaments.make(
        session, sender.person, format_word, game_word, words, pace=read_pace(pace_text) if pace_text else None,
        is_rated=is_rated, now=sender.now,
    )  # fmt: skip
    view = views.view_of(session, made, sender.person.id, now=sender.now)
    sentence = _(
        "Tournament {number}, {name}, is open ({title}, {game}). {goes_on} You organise it and are not in it yourself: "
        "to play, write: enter {number}"
    )
    text = sentence.format(
        number=made.id, name=made.name, title=view.card.title, game=view.card.game_name, goes_on=view.goes_on
    )
    heading = _("Its page:")
    return TranscriptEntry("", text, block=f"{heading} %%base%%/tournaments/{made.id}")


def _options(text: str) -> tuple[dict[str, str], str, bool]:
    """Split the rest of a `new` line into words by name, the pace, and whether games are rated."""
    words: dict[str, str] = {}
    for name, quoted, plain in _QUOTED.findall(text):
        if name.casefold() in words:
            raise CommandError(_("The option “{name}” is given twice.").format(name=name))
        words[name.casefold()] = quoted or plain.rstrip(",")
    others = _QUOTED.sub(" ", text).split()
    ratings = [word.casefold().strip(".,") for word in others if word.casefold().strip(".,") in _RATED]
    pace = " ".join(word for word in others if word.casefold().strip(".,") not in _RATED)
    return words, pace, all(_RATED[word] for word in ratings)


def _enter(session: Session, sender: Sender, command: Enter) -> TranscriptEntry:
    number = command.number
    entering.enter(session, sender.person, number, code=command.code, now=sender.now, rng=sender.rng)
    view = views.view_of(session, tournaments.tournament_numbered(session, number), sender.person.id, now=sender.now)
    sentence = _("You are in tournament {number}, {name}. {goes_on} To leave, write: withdraw {number}")
    text = sentence.format(number=number, name=view.card.name, goes_on=view.goes_on)
    return TranscriptEntry("", " ".join(text.split()))


def withdraw(session: Session, sender: Sender, number: int) -> TranscriptEntry:
    """Withdraw the sender of a mail from a tournament. Raises TournamentError."""
    had_begun = entering.withdraw(session, sender.person, number, now=sender.now, rng=sender.rng)
    sentence = _("You have withdrawn from tournament {number}.").format(number=number)
    rest = _("Your running games go on.")
    return TranscriptEntry("", f"{sentence} {rest}" if had_begun else sentence)


def is_entered(session: Session, person_id: int, number: int) -> bool:
    """Whether somebody is in the tournament with this number."""
    return tournaments.entrant_of(session, number, person_id) is not None


def _sit_out(session: Session, sender: Sender, command: SitOut) -> TranscriptEntry:
    round_number = entering.sit_out(session, sender.person, command.number, now=sender.now)
    sentence = _("You sit out round {round} of tournament {number}, for half a point.")
    return TranscriptEntry("", sentence.format(round=round_number, number=command.number))


def _organise(session: Session, sender: Sender, command: TournamentLine) -> TranscriptEntry:
    number, rest, person, now = command.number or 0, command.rest, sender.person, sender.now
    if command.what == "announce":
        organiser.announce(session, person, number, rest, now=now)
        return TranscriptEntry("", _("Everybody in tournament {number} gets a letter with it.").format(number=number))
    if command.what == "close":
        has_begun = organiser.close(session, person, number, now=now, rng=sender.rng)
        sentence = _("Entry is closed, and the tournament has begun.") if has_begun else _("Entry is closed.")
        return TranscriptEntry("", sentence)
    if command.what == "remove":
        handle, _blank, reason = rest.partition(" ")
        removed = organiser.remove(session, person, number, handle, reason, now=now, rng=sender.rng)
        return TranscriptEntry("", _("{handle} has been removed, and told why.").format(handle=removed.handle))
    if command.what == "extend":
        days = re.match(r"[0-9]{1,4}", rest)
        organiser.extend(session, person, number, int(days[0]) if days else 0, now=now)
        return TranscriptEntry("", _("There is more time now, and everybody in the tournament is told."))
    if command.what == "admit":
        organiser.admit(session, person, number, now=now)
        return TranscriptEntry("", _("People can enter late now, until half of the rounds have begun."))
    organiser.call_off(session, person, number, rest, now=now)
    return TranscriptEntry(
        "", _("Tournament {number} is called off, and everybody in it is told.").format(number=number)
    )


# -- declarations ------------------------------------------------------------------------

_TOPIC = "tournaments"

DECLARATIONS = (
    Declaration(
        kind=Tournaments,
        phrases="tournaments | tornei",
        need=Need.NOTHING,
        handler=_list,
        title=always(N_("Tournaments")),
        topic=_TOPIC,
        help=(HelpLine(_TOPIC, 1, N_("tournaments"), N_("what you can enter, and what you play in")),),
    ),
    Declaration(
        kind=TournamentLine,
        readers={"tournament | torneo": read_tournament},
        need=Need.YES,
        argument="what",
        need_without=Need.NOTHING,
        handler=_tournament,
        title=always(N_("A tournament")),
        topic=_TOPIC,
        help=(
            HelpLine(_TOPIC, 2, N_("tournament 5"), N_("how tournament 5 stands, your games there, and when it goes on")),
            HelpLine(
                _TOPIC, 3, N_("tournament new round-robin duel players=8"),
                N_("make a tournament; also swiss and knockout, and terms such as rounds=3 or code=WORD"),
            ),
            HelpLine(
                _TOPIC, 7, N_("tournament 5 announce TEXT"),
                N_("its organiser also writes: close, remove HANDLE, extend DAYS, admit, call off"),
            ),
        ),
    ),
    Declaration(
        kind=Enter,
        readers={"enter | entro": read_enter},
        need=Need.YES,
        handler=_enter,
        topic=_TOPIC,
        help=(HelpLine(_TOPIC, 4, N_("enter 5"), N_("enter tournament 5; where it needs a code: enter 5 code=WORD")),),
    ),
    Declaration(
        kind=SitOut,
        readers={"bye": read_bye},
        need=Need.YES,
        handler=_sit_out,
        topic=_TOPIC,
        help=(
            HelpLine(_TOPIC, 5, N_("withdraw 5"), N_("leave tournament 5; games that run go on")),
            HelpLine(_TOPIC, 6, N_("bye 5"), N_("sit out the next round of a Swiss for half a point, once")),
        ),
    ),
)  # fmt: skip
