"""Read-only commands, and commands about the sender's own account."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.accounts import accounts, delivery_checks, letter_stops
from correspondence.commands import answers, arguments, game_list, legal_answer, rules_answers
from correspondence.commands import help as help_pages
from correspondence.commands.arguments import number_reader
from correspondence.commands.handlers.context import Sender
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always, of_game, of_match
from correspondence.outbound.kinds import kind_of
from correspondence.outbound.stops import NOTICES, StopTopic, stop_of
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play.matches import MatchError
from correspondence.rulebook.fairness import means_fairness
from engines import GAMES
from engines.wording import N_, _


def _join(_session: Session, sender: Sender, _command: cmd.Join) -> TranscriptEntry:
    return TranscriptEntry("", _("You have already joined, as {handle}.").format(handle=sender.person.handle))


def help_answer(topic: str, features_off: frozenset[str]) -> TranscriptEntry:
    """Return the list of help topics, or the page of one, without some features. Raises UnknownTopic."""
    if not topic:
        return TranscriptEntry(
            "", _("You write to us in plain words, one command to a line:"), block=help_pages.overview()
        )
    title, page = help_pages.help_page(topic, features_off)
    return TranscriptEntry("", title[:1].upper() + title[1:], block=page)


def _rules(_session: Session, sender: Sender, command: cmd.Rules) -> TranscriptEntry:
    current = None if sender.match is None else GAMES.get(sender.match.game)
    return rules_answers.rules(command.key, command.part, sender.person.language, current=current)


def _stop(session: Session, sender: Sender, _command: cmd.Stop) -> TranscriptEntry:
    """Unsubscribe from notices and from the answered letter's kind; turn letters still go out."""
    letter_stops.stop_letters(session, sender.person, NOTICES)
    also = stop_of(kind_of(sender.replied)) if sender.replied is not None else None
    if also is None or also.name in (*NOTICES.switches, "turn_letters", "digest"):
        return stop_confirmation(NOTICES)
    letter_stops.stop_letters(session, sender.person, also)
    return stop_confirmation(NOTICES, also)


def stop_confirmation(*stops: StopTopic) -> TranscriptEntry:
    """Confirm what is stopped, and say how to subscribe again."""
    back = _("Your games go on. You can stop and restart each kind of letter on the page %%base%%/settings")
    effects = [_(sentence) for stop in stops for sentence in (stop.effect, stop.rest)]
    return TranscriptEntry("", " ".join([*effects, back]))


def _test(session: Session, sender: Sender, _command: cmd.TestLetter) -> None:
    delivery_checks.request_test_letter(session, sender.person, is_proven=sender.is_believed, now=sender.now)


def _sign_in(session: Session, sender: Sender, _command: cmd.SignIn) -> None:
    accounts.mail_link(session, sender.person, is_proven=sender.is_believed, now=sender.now)


def _mistaken(_session: Session, _sender: Sender, command: cmd.InvalidCommand) -> TranscriptEntry:
    raise cmd.CommandError(command.sentence)


def match_of(sender: Sender, number: int | None) -> int | None:
    """Return the number of the match that a question is about, by default the mail's."""
    return number or (sender.match.id if sender.match else None)


def _legal(session: Session, sender: Sender, command: cmd.Legal) -> TranscriptEntry:
    match, seat = answers.match_and_seat(session, sender.person, match_of(sender, command.match))
    if seat is None:
        raise MatchError(_("You do not play in game {number}.").format(number=match.id))
    is_own_thread = sender.match is not None and sender.match.id == match.id
    return legal_answer.legal(match, seat, command.begins, is_numbered=is_own_thread)


def _help_of_stranger(command: cmd.Help, _language: str, features_off: frozenset[str]) -> TranscriptEntry:
    page = help_answer(command.topic, features_off)
    return page if command.topic else TranscriptEntry("", welcome().text, block=page.block)


def _stop_of_stranger(_command: cmd.Stop, _language: str, _features_off: frozenset[str]) -> TranscriptEntry:
    return TranscriptEntry(
        "", _("You'll get no more letters from us. If you want to join after all, write from here: join YOURNAME")
    )


def welcome() -> TranscriptEntry:
    """Answer a non-member whose mail contains no known command."""
    return TranscriptEntry(
        "",
        _(
            "Here people play abstract games by mail. To join, write the line: join YOURNAME\n"
            "Write rules for the games, help for everything that can be written, or look at %%base%%"
        ),
    )


def _rules_title(command: cmd.Rules) -> str:
    if means_fairness(f"{command.key or ''} {command.part}"):
        return _("Fair chance, and records that can be verified")
    return of_game(N_("Rules"), N_("Rules of {game}"))(command)


COMMANDS = (
    Declaration(kind=cmd.InvalidCommand, need=Need.NOTHING, handler=_mistaken),
    Declaration(
        kind=cmd.Help,
        questions="help | aiuto | hilfe | aide | ayuda",
        phrases="? | commands",
        readers={"help | aiuto": arguments.read_help},
        need=Need.NOTHING,
        handler=lambda s, w, c: help_answer(c.topic, w.features_off),
        stranger=_help_of_stranger,
        title=always(N_("Help")),
        topic="begin",
    ),
    Declaration(
        kind=cmd.Join,
        readers={"join | signup | iscrivi | iscrivimi | unisciti | register": arguments.read_join},
        need=Need.NOTHING,
        handler=_join,
        topic="begin",
        help=(HelpLine("begin", 1, N_("join NAME"), N_("join, with the address you write from")),),
    ),
    Declaration(
        kind=cmd.TestLetter,
        phrases="test | test letter | send me a test letter | send a test letter | lettera di prova",
        need=Need.NOTHING,
        handler=_test,
        topic="settings",
        help=(HelpLine("settings", 7, N_("test letter"), N_("a letter that shows whether letters reach you")),),
    ),
    Declaration(
        kind=cmd.SignIn,
        phrases="sign in | sign me in | signin | log in | login | accedi | accesso | entra",
        need=Need.NOTHING,
        handler=_sign_in,
        topic="addresses",
        help=(HelpLine("addresses", 3, N_("sign in"), N_("a letter with a link that signs you in on the pages")),),
    ),
    Declaration(
        kind=cmd.Stop,
        phrases="stop | unsubscribe",
        need=Need.YES,
        handler=_stop,
        stranger=_stop_of_stranger,
        title=always(N_("Letters you've unsubscribed from")),
        topic="account",
        help=(HelpLine("account", 3, N_("stop"), N_("unsubscribe from letters about talk, reminders and receipts")),),
    ),
    Declaration(
        kind=cmd.Games,
        phrases=(
            "games | my games | partite | le mie partite | parties | mes parties | partien | meine partien | partidas | "
            "mis partidas"
        ),
        need=Need.NOTHING,
        handler=lambda s, w, c: game_list.games(s, w.person, now=w.now),
        title=always(N_("Your games")),
        topic="begin",
        help=(HelpLine("begin", 2, N_("games"), N_("your games, most urgent first")),),
    ),
    Declaration(
        kind=cmd.Show,
        readers={
            "show": number_reader(cmd.Show, also="game|the game|board|the board"),
            "mostra": number_reader(cmd.Show),
        },
        need=Need.NOTHING,
        names_game=True,
        handler=lambda s, w, c: answers.show(s, w.person, match_of(w, c.match)),
        title=of_match(N_("The board"), N_("The board of game {number}")),
        topic="begin",
        help=(
            HelpLine(
                "begin",
                3,
                N_("show 12, history 12, record 12"),
                N_("the board, the moves, the whole record of game 12"),
            ),
            HelpLine("moves", 4, N_("show"), N_("the current board")),
        ),
    ),
    Declaration(
        kind=cmd.Legal,
        phrases="legal | legal moves | possible moves | mosse | mosse possibili | mosse legali",
        readers={"legal | mosse": arguments.read_legal},
        need=Need.NOTHING,
        handler=_legal,
        topic="moves",
        help=(
            HelpLine(
                "moves",
                2,
                N_("legal, legal a2"),
                N_("all your legal moves, or those that begin on a2; a number in reply plays one"),
            ),
        ),
    ),
    Declaration(
        kind=cmd.History,
        readers={"history | cronologia": number_reader(cmd.History)},
        need=Need.NOTHING,
        names_game=True,
        handler=lambda s, w, c: answers.history(s, w.person, match_of(w, c.match)),
        title=of_match(N_("The moves"), N_("The moves of game {number}")),
        topic="begin",
    ),
    Declaration(
        kind=cmd.Record,
        readers={"record | registro | registrazione": number_reader(cmd.Record)},
        need=Need.NOTHING,
        names_game=True,
        handler=lambda s, w, c: answers.record(s, w.person, match_of(w, c.match), signer=w.signer, now=w.now),
        title=of_match(N_("The record"), N_("The record of game {number}")),
        topic="begin",
        help=(
            HelpLine(
                "dice", 3, N_("record 12"), N_("the record of game 12; once the game is over, it can be verified")
            ),
        ),
    ),
    Declaration(
        kind=cmd.Rules,
        readers={"rules | regole | regeln": arguments.read_rules},
        need=Need.NOTHING,
        handler=_rules,
        stranger=lambda c, language, off: rules_answers.rules(c.key, c.part, language),
        title=_rules_title,
        topic="begin",
        help=(
            HelpLine("begin", 6, N_("rules"), N_("the games that are played here")),
            HelpLine("begin", 8, N_("rules proteus-dice"), N_("learn a game, with pictures")),
            HelpLine("begin", 9, N_("rules proteus-dice notation"), N_("one part of its rules, or one of its options")),
            HelpLine("moves", 5, N_("rules notation"), N_("how moves are written in this game")),
            HelpLine(
                "dice",
                4,
                N_("rules fairness"),
                N_("why nobody can have chosen what chance brings, and how to check"),
            ),
            HelpLine("puzzles", 5, N_("rules puzzle"), N_("what the goals are")),
        ),
    ),
    Declaration(
        kind=cmd.Letters,
        phrases="letters | lettere",
        need=Need.NOTHING,
        handler=lambda s, w, c: answers.letters(s, w.person),
        title=always(N_("Your letters")),
        topic="settings",
        help=(HelpLine("settings", 6, N_("letters"), N_("what happened to the last letters to you")),),
    ),
)
