"""Answers to a letter's question: lines that answer it become the command that they mean.

Replies to account letters are private: a reply that is no answer is quoted back with the question. In a game's thread
plain talk is passed on, and an open offer stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from correspondence import commands as cmd
from correspondence.commands import answer_reading as reading
from correspondence.commands import answer_topics
from correspondence.commands.answer_reading import (
    Answer,
    ChosenNumber,
    Mistake,
    No,
    NotAnAnswer,
    Question,
    Yes,
)
from correspondence.commands.answer_topics import QuestionTopic
from correspondence.commands.handlers import doubts, intent, question_words
from correspondence.commands.handlers.context import MailOutcome, Sender, command_in
from correspondence.models import OfferKind, Purpose
from correspondence.outbound.transcript import BEGUN, TranscriptEntry
from correspondence.play.record_moves import open_offers
from engines.wording import _

_Meanings = Mapping[type[Answer], Callable[[], cmd.Command]]

_CONFIRMATION: _Meanings = {
    Yes: lambda: cmd.Yes(written="yes"),
    No: lambda: cmd.No(written="no"),
}
_CHALLENGED: _Meanings = {
    Yes: lambda: cmd.Accept(written="accept"),
    No: lambda: cmd.Decline(written="decline"),
    Mistake: lambda: cmd.Reopen(written="reopen"),
}
_ASKED: Mapping[Purpose, tuple[QuestionTopic, _Meanings]] = {
    Purpose.RESIGN: (answer_topics.RESIGN, _CONFIRMATION),
    Purpose.FORGET: (answer_topics.FORGET, _CONFIRMATION),
    Purpose.PROPOSAL: (answer_topics.PROPOSAL, _CONFIRMATION),
    Purpose.RENEW: (answer_topics.RENEW, {Yes: lambda: cmd.Renew(written="renew"), No: lambda: cmd.No(written="no")}),
    Purpose.SEEK: (answer_topics.CHALLENGE, _CHALLENGED),
    Purpose.INVITE: (answer_topics.CHALLENGE, _CHALLENGED),
}
"""Questions of letters by token purpose, with the command that each answer means."""

_OFFER_LETTERS = {f"{kind.value}_offered": kind for kind in OfferKind}
"""Kinds of letters that announce one offer."""

MOST_LINES = 12
"""Maximum number of lines in a mail that answers an offer; a longer mail is talk."""

_PLAIN = (cmd.Yes, cmd.No, cmd.Wait, cmd.Other, cmd.PlanLine)
"""Commands that may be part of an answer, or are prose."""


@dataclass(slots=True)
class Mail:
    """The mail as parsed so far: remaining commands, remaining text, and outcome if decided."""

    commands: list[cmd.Command]
    text: str
    outcome: MailOutcome | None = None


def read(session: Session, sender: Sender, commands: Sequence[cmd.Command], text: str, above: str | None) -> Mail:
    """Replace lines that answer a question by their command; `above` None: nothing was quoted."""
    mail = Mail(list(commands), text)
    is_pressed = above is None and not text and not any(command.written for command in commands)
    if is_pressed or not sender.is_believed or any(isinstance(command, cmd.Write | cmd.Report) for command in commands):
        return mail
    lines = _lines(text, commands) if above is None else [line for line in above.splitlines() if line.strip()]
    purpose = sender.token.purpose if sender.token is not None else None
    if purpose is not None and purpose in _ASKED:
        return _answered(session, sender, mail, lines, *_ASKED[purpose])
    if purpose == Purpose.CONTACT:
        return mail
    choices = tuple(one for one in sender.choices if not one.startswith(BEGUN))
    if choices:
        mail = _with_choice(sender, mail, lines, choices)
        lines = _lines(mail.text, mail.commands)
    if mail.outcome is not None:
        return mail
    if purpose in (None, Purpose.COMMANDS) and sender.match is None:
        return _at_the_desk(sender, mail, lines)
    return _in_a_game(session, sender, mail, lines)


def _lines(text: str, commands: Sequence[cmd.Command]) -> list[str]:
    """Return the written lines; those of the commands if there is no text (subject-only mail)."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines or [command.written for command in commands if command.written and not text.strip()]


def _names(sender: Sender) -> frozenset[str]:
    """Return names allowed beside an answer: the writer's, and those in the answered letter."""
    replied = f"{sender.replied.from_name} {sender.replied.reply_name}" if sender.replied is not None else ""
    return reading.names_in(f"{sender.person.handle} {sender.name} {replied}")


# -- letters that ask one question ---------------------------------------------------------


def _answered(
    session: Session, sender: Sender, mail: Mail, lines: Sequence[str], topic: QuestionTopic, meanings: _Meanings
) -> Mail:
    """Parse the reply to a letter with a question: execute the answer, pass nothing on."""
    question = Question(topic, question_words.number_of(sender), names=_names(sender))
    moves = _moves(sender, mail)
    part = _part(question, lines, moves)
    answer = reading.read_answer(question, "\n".join(part))
    others = [command for command in mail.commands if not _is_answer(question, command, part, moves)]
    rest = "\n".join(command.written for command in others)
    if type(answer) in meanings:
        return Mail(_placed(meanings[type(answer)](), mail.commands, others), rest)
    dropped = [command.written for command in mail.commands if command not in others]
    if others and (not dropped or _is_courtesy(answer)):
        return Mail(others, rest)
    if others and sender.match is None and not _begins_as_one(question, part):
        return Mail(
            [command for command in mail.commands if command in others or isinstance(command, cmd.Other)], mail.text
        )
    if not part and not dropped:
        return Mail(others, rest)
    entry = question_words.asked_again(session, sender, part or dropped, is_above=bool(part))
    return Mail(others, rest, MailOutcome([entry], must_answer=True, outcome="asked", asks_again=True))


def _begins_as_one(question: Question, lines: Sequence[str]) -> bool:
    """Whether a line is or begins with an answer, so that words beside it may restrict it."""
    answers = [reading.read_answer(question, line) for line in lines]
    return any(not isinstance(answer, NotAnAnswer) or answer.begins_as_one for answer in answers)


def _is_courtesy(answer: Answer) -> bool:
    return isinstance(answer, NotAnAnswer) and answer.is_courtesy


def _moves(sender: Sender, mail: Mail) -> frozenset[str]:
    """Return the lines of a mail that are moves of its game."""
    others = [command for command in mail.commands if isinstance(command, cmd.Other)]
    if sender.player is None:
        return frozenset()
    return frozenset(command.written for command in others if intent.is_move(sender, command.line))


def _part(question: Question, lines: Sequence[str], moves: Collection[str]) -> list[str]:
    """Return the lines that are the answer or prose, without moves and other commands."""
    return [line for line in lines if _may_answer(question, line, moves)]


def _may_answer(question: Question, line: str, moves: Collection[str]) -> bool:
    if not isinstance(reading.read_answer(question, line), NotAnAnswer):
        return True
    return isinstance(command_in(line), _PLAIN) and line.strip() not in moves


def _is_answer(question: Question, command: cmd.Command, part: Sequence[str], moves: Collection[str]) -> bool:
    """Whether a command belongs to a line of the answer, or would itself be an answer."""
    return command.written in {line.strip() for line in part} or _may_answer(question, command.written, moves)


def _placed(meant: cmd.Command, commands: Sequence[cmd.Command], others: Sequence[cmd.Command]) -> list[cmd.Command]:
    """Return the other commands, with the answer's command in its place."""
    first = next((at for at, command in enumerate(commands) if command not in others), len(commands))
    before = [command for command in commands[:first] if command in others]
    return [*before, meant, *others[len(before) :]]


def _at_the_desk(sender: Sender, mail: Mail, lines: Sequence[str]) -> Mail:
    """Parse “I accept” and similar without a question: the only challenge is meant."""
    if not lines or not all(isinstance(command, cmd.Other | cmd.No) for command in mail.commands):
        return mail
    answer = reading.read_answer(Question(answer_topics.CHALLENGE, names=_names(sender)), "\n".join(lines))
    if isinstance(answer, Mistake) or (isinstance(answer, Yes | No) and answer.is_firm):
        return Mail([_CHALLENGED[type(answer)]()], "")
    return mail


# -- numbered choices ---------------------------------------------------------------------


def _with_choice(sender: Sender, mail: Mail, lines: Sequence[str], choices: Sequence[str]) -> Mail:
    """Replace lines that choose a number by that number; ask if there are words beside it."""
    question = Question(answer_topics.CHOICES, choices=len(choices), names=_names(sender))
    answer = reading.read_answer(question, "\n".join(lines))
    if isinstance(answer, Yes) and len(choices) == 1 and not answer.is_named:
        answer = ChosenNumber(1)
    if isinstance(answer, ChosenNumber):
        return Mail([cmd.Other(str(answer.number), written=str(answer.number))], str(answer.number))
    moves = _moves(sender, mail)
    numbers = {
        line: one.number for line in lines if isinstance(one := reading.read_answer(question, line), ChosenNumber)
    }
    rest = [line for line in lines if line not in numbers]
    is_doubtful = isinstance(answer, Yes) and len(choices) > 1 and not answer.is_firm
    is_doubtful = is_doubtful or any(_begins_with_number(question, line) for line in rest)
    if is_doubtful or (numbers and any(_is_prose(question, line, moves) for line in rest)):
        return Mail([], "", _which_choice(sender, lines, choices)) if not _is_stale(sender) else mail
    return _numbered(mail, numbers)


def _begins_with_number(question: Question, line: str) -> bool:
    """Whether a line begins with the number of a choice and has more text."""
    first, *others = line.strip().split() or [""]
    return bool(others or "?" in first) and isinstance(reading.read_answer(question, first.rstrip("?")), ChosenNumber)


def _is_prose(question: Question, line: str, moves: Collection[str]) -> bool:
    """Whether a line beside a number is prose: no courtesy, command, move or marked talk."""
    if _is_courtesy(reading.read_answer(question, line)) or cmd.is_marked_talk(line):
        return False
    return isinstance(command_in(line), _PLAIN) and line.strip() not in moves


def _numbered(mail: Mail, numbers: Mapping[str, int]) -> Mail:
    bare = {line.strip(): str(number) for line, number in numbers.items()}
    commands = [
        cmd.Other(bare[command.written], written=bare[command.written]) if command.written in bare else command
        for command in mail.commands
    ]
    return Mail(commands, "\n".join(bare.get(line.strip(), line) for line in mail.text.splitlines()))


def _is_stale(sender: Sender) -> bool:
    """Whether the writer's game has moved on since the letter, which closes its question."""
    return sender.match is not None and sender.ply is not None and sender.ply != sender.match.ply


def _which_choice(sender: Sender, lines: Sequence[str], choices: Sequence[str]) -> MailOutcome:
    sentence = _("Nothing was done and nothing was passed on. Which do you mean? Please reply with the number alone:")
    labels = tuple(doubts.label_of(choice) for choice in choices)
    entry = TranscriptEntry("", sentence, labels, doubts.quoted(lines), tuple(choices))
    return MailOutcome([entry], must_answer=True, outcome="asked")


# -- offers inside a game -----------------------------------------------------------------


def _in_a_game(session: Session, sender: Sender, mail: Mail, lines: Sequence[str]) -> Mail:
    """Parse the reply to a game letter as the answer to an open offer, if it is one."""
    if sender.player is None or sender.match is None:
        return mail
    kind = sender.replied.kind if sender.replied is not None else ""
    if kind == "plans_wanted":
        return _about_plans(sender, mail, lines)
    if kind == "talk" and not _offers_to(session, sender):
        return _as_talk(mail)
    if len(lines) > MOST_LINES:
        return mail
    names, kind_told = _names(sender), _OFFER_LETTERS.get(kind)
    if kind_told is not None and set(_offers_to(session, sender)) - {kind_told}:
        kind_told = None  # the letter also announces another offer
    questions = {
        one: Question(answer_topics.OFFERS[one], names=names)
        for one in OfferKind
        if kind_told is None or one is kind_told
    }
    if not any(_begins_as_one(question, lines) for question in questions.values()):
        return mail
    if kind_told is not None:
        return _answer_offer(sender, mail, lines, kind_told, questions[kind_told])
    return _answer_beside(session, sender, mail, lines, questions)


def _as_talk(mail: Mail) -> Mail:
    """Turn each bare yes or no into talk, if no offer is open and the opponent asked something."""
    marked = {
        one.written: f"say: {one.written}" for one in mail.commands if isinstance(one, cmd.Yes | cmd.No | cmd.Wait)
    }
    commands = [
        cmd.Other(marked[one.written], written=marked[one.written]) if one.written in marked else one
        for one in mail.commands
    ]
    return Mail(commands, "\n".join(marked.get(line.strip(), line) for line in mail.text.splitlines()))


def _answer_offer(sender: Sender, mail: Mail, lines: Sequence[str], kind: OfferKind, question: Question) -> Mail:
    """Answer the offer in the answered letter; ask again if there is a condition or prose."""
    part = _part(question, lines, _moves(sender, mail))
    answer = reading.read_answer(question, "\n".join(part))
    others = [command for command in mail.commands if command.written not in {line.strip() for line in part}]
    rest = "\n".join(command.written for command in others)
    if isinstance(answer, Yes | No):
        return Mail(_placed(_meant(answer, kind), mail.commands, others), rest)
    return Mail(others, rest, _which_answer(sender, part, [kind])) if part else mail


def _answer_beside(
    session: Session, sender: Sender, mail: Mail, lines: Sequence[str], questions: Mapping[OfferKind, Question]
) -> Mail:
    """Answer an open offer in reply to another game letter; ask if the answer does not name it."""
    answering = (*_PLAIN, cmd.Accept, cmd.Decline)
    is_whole = all(isinstance(command, answering) for command in mail.commands)
    read = {kind: reading.read_answer(question, "\n".join(lines)) for kind, question in questions.items() if is_whole}
    answers = {kind: answer for kind, answer in read.items() if isinstance(answer, Yes | No)}
    named = [kind for kind, answer in answers.items() if answer.is_named]
    kinds = _offers_to(session, sender)
    if len(named) == 1 and (named[0] in kinds or answers[named[0]].is_firm):
        return Mail([_meant(answers[named[0]], named[0])], "")
    if not kinds or named:
        return mail
    if answers and (answer := next(iter(answers.values()))).is_firm:
        return Mail([_CHALLENGED[type(answer)]()], "")
    if answers or _has_prose_beside_answer(sender, mail, kinds):
        return Mail([], "", _which_answer(sender, lines, kinds))
    return mail


def _has_prose_beside_answer(sender: Sender, mail: Mail, kinds: Collection[OfferKind]) -> bool:
    """Whether a mail without a move answers an open offer on one line and has prose on others."""
    words = {OfferKind.DRAW: cmd.Draw, OfferKind.TAKEBACK: cmd.Takeback, OfferKind.PAUSE: cmd.Pause}
    answering = (cmd.Yes, cmd.Accept, cmd.Decline, *(words[kind] for kind in kinds))
    question = Question(answer_topics.OFFERS["draw"], names=_names(sender))
    prose = [
        command for command in mail.commands
        if isinstance(command, cmd.Other | cmd.PlanLine) and not _is_courtesy(reading.read_answer(question, command.written))
    ]  # fmt: skip
    return bool(prose) and any(isinstance(one, answering) for one in mail.commands) and not _moves(sender, mail)


def _meant(answer: Yes | No, kind: OfferKind) -> cmd.Command:
    if isinstance(answer, Yes):
        return cmd.Accept(what=kind.value, written=f"accept {kind.value}")
    return cmd.Decline(what=kind.value, written=f"decline {kind.value}")


def _which_answer(sender: Sender, lines: Sequence[str], kinds: Sequence[OfferKind]) -> MailOutcome:
    """Ask whether these words answer an offer or are for the opponent."""
    choices = [f"{word} {kind.value}" for kind in dict.fromkeys(kinds) for word in ("accept", "decline")]
    labels = [question_words.label_of_answer(choice) for choice in choices]
    words_to_say = doubts.choices_to_say(sender, lines)
    sentence = _(
        "Your opponent's offer is waiting for an answer, and these words don't say clearly what you mean. "
        "Nothing was done."
    )
    labels += map(doubts.label_of, words_to_say)
    entry = TranscriptEntry("", sentence, tuple(labels), doubts.quoted(lines), (*choices, *words_to_say))
    return MailOutcome([entry], must_answer=True, outcome="asked")


def _about_plans(sender: Sender, mail: Mail, lines: Sequence[str]) -> Mail:
    """Parse the answer to the letter that asks to disclose a finished game's plans."""
    answer = reading.read_answer(Question(answer_topics.PLANS, names=_names(sender)), "\n".join(lines))
    return Mail([cmd.OpenPlans(written="open plans")], "") if isinstance(answer, Yes) else mail


def standing_questions(session: Session, sender: Sender) -> list[TranscriptEntry]:
    """List the open questions for a writer whose words were passed on."""
    entries = [TranscriptEntry("", question_words.still_open(kind)) for kind in _offers_to(session, sender)]
    if not entries and any(not one.startswith(BEGUN) for one in sender.choices) and not _is_stale(sender):
        entries.append(
            TranscriptEntry("", _("The question in our letter is still waiting: reply to it with a number alone."))
        )
    if not entries and sender.person.receipts and intent.is_to_act(sender):
        entries.append(TranscriptEntry("", _("It is still your turn.")))
    return entries


def _offers_to(session: Session, sender: Sender) -> tuple[OfferKind, ...]:
    """Return the kinds of the opponent's open offers."""
    match, player = sender.match, sender.player
    if match is None or player is None or match.ended_at is not None:
        return ()
    return tuple(dict.fromkeys(offer.kind for offer in open_offers(session, match.id) if offer.seat != player.seat))
