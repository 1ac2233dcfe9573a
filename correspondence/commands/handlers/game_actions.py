"""Commands that act on a game, including single-player puzzles."""

from __future__ import annotations

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import arguments
from correspondence.commands.handlers.context import Sender, player_of, seen_by
from correspondence.commands.registry import Declaration, HelpLine, Need
from correspondence.commands.subjects import always
from correspondence.community import erasure
from correspondence.matchmaking import challenges
from correspondence.models import Purpose
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.play import analysis, hints, matches, puzzles
from correspondence.play.letter_context import board_for
from engines.wording import N_, _


def _draw(session: Session, sender: Sender, _command: cmd.Draw) -> TranscriptEntry | None:
    if matches.offer_draw(session, player_of(sender), seen=seen_by(sender), now=sender.now):
        return None
    return TranscriptEntry("", _("Your offer of a draw has been passed on."))


def _yes(session: Session, sender: Sender, _command: cmd.Yes) -> TranscriptEntry | None:
    if sender.token is not None and sender.token.purpose == Purpose.FORGET:
        erasure.confirm(session, sender.token.id, now=sender.now)
        return None
    if sender.token is None or sender.token.purpose != Purpose.RESIGN:
        return TranscriptEntry("", _("There is nothing here to confirm."))
    matches.confirm_resignation(session, sender.token.id, now=sender.now)
    return None


QUESTIONS = {
    Purpose.RESIGN: N_("You have not resigned. The question is closed."),
    Purpose.FORGET: N_("Your account has not been erased. The question is closed."),
    Purpose.RENEW: N_("Your seek stays closed. The question is closed too."),
    Purpose.PROPOSAL: N_("None of it was done. The question is closed."),
}
"""Sentences for a no to each question."""


def is_asked(sender: Sender) -> bool:
    """Whether the mail answers a question that a no closes."""
    return sender.token is not None and sender.token.purpose in QUESTIONS


def no(session: Session, sender: Sender, _command: cmd.Command) -> TranscriptEntry:
    """Close the question that was answered; if there is none, say so."""
    token = sender.token
    if token is None or token.purpose not in QUESTIONS or token.used_at is not None:
        return TranscriptEntry(
            "", _("Nothing was changed. A move that was played stands; to ask for it back, write “takeback”.")
        )
    token.used_at = sender.now
    session.add(token)
    return TranscriptEntry("", _(QUESTIONS[token.purpose]))


def _puzzle(session: Session, sender: Sender, command: cmd.Puzzle) -> TranscriptEntry | None:
    if command.daily:
        match = puzzles.start_daily(session, sender.person, now=sender.now, rng=sender.rng)
        return None if match.started_at == sender.now else TranscriptEntry("", _already_begun(match.id))
    options = dict(command.options)
    challenges.start_alone(session, sender.person, puzzles.KEY, options, now=sender.now, rng=sender.rng)
    return None


def _already_begun(match_id: int) -> str:
    return _("You have already started the deal of the day: it is game {number}.").format(number=match_id)


def _hint(session: Session, sender: Sender, _command: cmd.Hint) -> TranscriptEntry:
    return TranscriptEntry("", hints.hint(session, player_of(sender), now=sender.now))


def _preview(session: Session, sender: Sender, command: cmd.Preview) -> TranscriptEntry:
    player = player_of(sender)
    moves, position = analysis.after_line(session, player, cmd.normalise(command.moves))
    board = board_for(sender.person, position.scene(player.seat), player.seat)
    return TranscriptEntry(
        "", _("The board after {moves}; nothing was played.").format(moves=" ".join(moves)), block=board
    )


COMMANDS = (
    Declaration(
        kind=cmd.Draw,
        questions=(
            "draw, please | draw please | draw | offer draw | offer a draw | i offer a draw | patta | remis | nulle | tablas"
        ),
        need=Need.GAME,
        is_of_one_game=True,
        acts_on_game=True,
        is_irreversible=True,
        handler=_draw,
        topic="offers",
        help=(HelpLine("offers", 1, N_("draw"), N_("offer a draw, or accept one")),),
    ),
    Declaration(
        kind=cmd.Resign,
        phrases=(
            "resign | i resign | i give up | abbandono | mi arrendo | aufgeben | ich gebe auf | j'abandonne | "
            "j'abandonne la partie | me rindo | abandono"
        ),
        need=Need.GAME,
        is_of_one_game=True,
        acts_on_game=True,
        topic="offers",
        help=(HelpLine("offers", 8, N_("resign"), N_("asks once, then ends the game")),),
    ),
    Declaration(
        kind=cmd.Yes,
        phrases="yes | yes please | sì | si | sí | ja | oui",
        need=Need.NOTHING,
        acts_on_game=True,
        handler=_yes,
        title=always(N_("Your confirmation")),
        topic="account",
        help=(HelpLine("account", 4, N_("yes, no"), N_("answer a letter that asks you to confirm something")),),
    ),
    Declaration(
        kind=cmd.No,
        phrases=(
            "no | no thanks | nein | non | no wait | no, wait | wait, no | wait no | i changed my mind | no aspetta | "
            "no, aspetta | aspetta | ho cambiato idea | non farlo | don't | do not"
        ),
        need=Need.NOTHING,
        handler=no,
        topic="account",
    ),
    Declaration(kind=cmd.Wait, phrases="wait", need=Need.NOTHING, handler=no, topic="talk"),
    Declaration(
        kind=cmd.Puzzle,
        phrases="puzzle | rompicapo",
        readers={"puzzle | rompicapo": arguments.read_puzzle},
        need=Need.YES,
        handler=_puzzle,
        topic="puzzles",
        help=(
            HelpLine("puzzles", 1, N_("puzzle"), N_("a puzzle for you alone")),
            HelpLine("puzzles", 2, N_("puzzle goal=2"), N_("with another goal; goals are 1 to 4")),
            HelpLine("puzzles", 3, N_("puzzle today"), N_("the deal of the day, the same for everybody")),
        ),
    ),
    Declaration(
        kind=cmd.Hint,
        phrases="hint | suggerimento",
        need=Need.GAME,
        is_of_one_game=True,
        handler=_hint,
        topic="puzzles",
        help=(
            HelpLine(
                "moves",
                6,
                N_("hint"),
                N_("the next step of your puzzle's solution, or a move in an unrated game with a robot"),
            ),
            HelpLine("puzzles", 4, N_("hint"), N_("in reply to its letter: the next step of a solution")),
        ),
    ),
    Declaration(
        kind=cmd.Preview,
        readers={"preview | anteprima": arguments.read_preview},
        need=Need.GAME,
        is_of_one_game=True,
        handler=_preview,
        topic="moves",
        help=(
            HelpLine("moves", 3, N_("preview c3/f2=B c6/a7=B"), N_("the board after these moves; nothing is played")),
        ),
    ),
)
