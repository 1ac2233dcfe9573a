"""Acts on remarks in games: hide them from everybody but operators, and show them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, or_, select

from correspondence.core.integers import whole
from correspondence.fairness import ends
from correspondence.models import Audience, HiddenWords, Match, Move, OperatorAct, Person, Remark
from correspondence.models.loading import locked, players_of
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct, note_reversed
from correspondence.moderation.letters_of_acts import tell
from correspondence.moderation.members import person_for_act
from correspondence.outbound.hidden_words import HIDDEN, hide_in_waiting_letters
from engines.wording import N_, _, ngettext

_MOST_MATCH = 2**31 - 1

_HIDING = N_("Your words in game {number} have been hidden")
_TOLD = N_("The operator has hidden some of your words in game {number}.")
_TOLD_MORE = N_("Everyone can see there that an operator has hidden them. The game goes on as before.")
_SHOWING = N_("Your words in game {number} are shown again")
_SHOWN = N_("Some of your words in game {number}, which the operator had hidden, are shown again.")


@dataclass(frozen=True, slots=True)
class _Saying:
    """A remark, or a comment on a move."""

    row: Remark | Move

    @property
    def words(self) -> str:
        return self.row.text if isinstance(self.row, Remark) else self.row.comment

    def say(self, words: str) -> None:
        if isinstance(self.row, Remark):
            self.row.text = words
        else:
            self.row.comment = words


def match_for_act(session: Session, number: str) -> Match:
    """Lock and return the match of an act. Raises ActError."""
    match_id = whole(number.strip(), _MOST_MATCH)
    if match_id is None or session.get(Match, match_id) is None:
        raise ActError(_("There is no game number {number}.").format(number=number.strip()[:20] or "?"))
    return locked(session, match_id)


def _plan_hiding(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    match, person = match_for_act(session, given.game), person_for_act(session, operator, given.handle)
    wanted = given.words.strip().casefold()
    found = [one for one in _sayings(session, match, person, now) if wanted in one.words.casefold()]
    if not found:
        sentence = _("{handle} said nothing in game {number} that can be hidden.")
        raise ActError(sentence.format(handle=person.handle, number=match.id))

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        _hide(session, row, match, person, found, now)
        tell(session, row, person, _HIDING, _TOLD, _TOLD_MORE, now=now, number=match.id)
        return {}

    sentence = ngettext(
        "{count} message of {handle} in game {number} will be hidden: everybody sees “[hidden by an "
        "operator]” instead, on pages, in feeds, records and letters not sent yet. Operators still read it "
        "in the list of acts. {handle} gets a letter with this reason.",
        "{count} messages of {handle} in game {number} will be hidden: everybody sees “[hidden by an "
        "operator]” instead, on pages, in feeds, records and letters not sent yet. Operators still read them "
        "in the list of acts. {handle} gets a letter with this reason.",
        len(found),
    )
    sentence = sentence.format(count=len(found), handle=person.handle, number=match.id)
    return PlannedAct(sentence, carry_out, person_id=person.id, match_id=match.id, detail=f"{len(found)} ×")


def _sayings(session: Session, match: Match, person: Person, now: datetime) -> list[_Saying]:
    """Return a person's visible remarks in a match, without unread ones and private notes."""
    remarks = select(Remark).where(col(Remark.match_id) == match.id, col(Remark.person_id) == person.id)
    remarks = remarks.where(col(Remark.audience) != Audience.ME, col(Remark.text) != HIDDEN)
    remarks = remarks.where(or_(col(Remark.opens_at).is_(None), col(Remark.opens_at) <= now))
    seats = [player.seat for player in players_of(session, match.id) if player.person_id == person.id]
    moves = select(Move).where(col(Move.match_id) == match.id, col(Move.seat).in_(seats))
    moves = moves.where(col(Move.comment).not_in(["", HIDDEN]))
    rows: list[Remark | Move] = [*session.exec(remarks.order_by(col(Remark.id))), *session.exec(moves)]
    return [_Saying(row) for row in rows]


def _hide(
    session: Session, act: OperatorAct, match: Match, person: Person, found: Sequence[_Saying], now: datetime
) -> None:
    hide_in_waiting_letters(
        session, match.id, [player.person_id for player in players_of(session, match.id)], [one.words for one in found]
    )
    for one in found:
        kept = HiddenWords(act_id=act.id, person_id=person.id, match_id=match.id, text=one.words, at=one.row.at)
        kept.remark_id, kept.ply = (one.row.id, None) if isinstance(one.row, Remark) else (None, one.row.ply)
        one.say(HIDDEN)
        session.add(one.row)
        session.add(kept)
    _sign_anew(session, match, [one.row for one in found], "hidden", now)


def _sign_anew(session: Session, match: Match, rows: Sequence[Remark | Move], what: str, now: datetime) -> None:
    """Sign the end of a match again if its record changed; remarks are not part of it."""
    if match.ended_at is not None and any(isinstance(row, Move) for row in rows):
        ends.sign_anew(session, [match.id], what, now=now)


def _undo_hiding(session: Session, act: OperatorAct, _facts: dict[str, Any], now: datetime) -> None:
    match, shown = locked(session, act.match_id or 0), []
    for kept in hidden_by(session, [act.id]).get(act.id, []):
        row = _row_of(session, kept)
        if row is not None and (one := _Saying(row)).words == HIDDEN:
            one.say(kept.text)
            session.add(row)
            shown.append(row)
        session.delete(kept)
    _sign_anew(session, match, shown, "shown", now)
    person = session.get_one(Person, act.person_id)
    tell(session, act, person, _SHOWING, _SHOWN, now=now, is_undone=True, number=match.id)


def _row_of(session: Session, kept: HiddenWords) -> Remark | Move | None:
    """Return the row that hidden text belongs to; None if it was recalled or taken back."""
    if kept.remark_id is not None:
        remark = session.get(Remark, kept.remark_id)
        return remark if remark is not None and remark.person_id == kept.person_id else None
    query = select(Move).where(col(Move.match_id) == kept.match_id, col(Move.ply) == kept.ply, col(Move.at) == kept.at)
    return session.exec(query).first()


def hidden_by(session: Session, act_ids: Sequence[int]) -> dict[int, list[HiddenWords]]:
    """Return the text that these acts still hide, by act, oldest first."""
    query = select(HiddenWords).where(col(HiddenWords.act_id).in_(act_ids)).order_by(col(HiddenWords.at))
    rows = session.exec(query).all() if act_ids else ()
    return {act_id: [row for row in rows if row.act_id == act_id] for act_id in act_ids}


def _plan_showing(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    match, person = match_for_act(session, given.game), person_for_act(session, operator, given.handle)
    query = select(OperatorAct).where(col(OperatorAct.kind) == HIDE_TALK.name, col(OperatorAct.reversed_at).is_(None))
    query = query.where(col(OperatorAct.match_id) == match.id, col(OperatorAct.person_id) == person.id)
    hiding = session.exec(query.order_by(col(OperatorAct.id))).all()
    if not hiding:
        sentence = _("Nothing that {handle} said in game {number} is hidden.")
        raise ActError(sentence.format(handle=person.handle, number=match.id))

    def carry_out(_row: OperatorAct) -> dict[str, Any]:
        for act in hiding:
            note_reversed(session, act, operator, now=now)
            _undo_hiding(session, act, {}, now)
        return {}

    sentence = _("Everything of {handle}'s that is hidden in game {number} is shown again. {handle} gets a letter.")
    return PlannedAct(
        sentence.format(handle=person.handle, number=match.id), carry_out, person_id=person.id, match_id=match.id
    )


HIDE_TALK = Act(
    name="hide-talk",
    title=N_("Hide what a member said in a game"),
    button=N_("Hide it"),
    needs=("game", "handle"),
    takes=("words",),
    plan=_plan_hiding,
    undo=_undo_hiding,
)

SHOW_TALK = Act(
    name="show-talk",
    title=N_("Show again what was hidden in a game"),
    button=N_("Show it again"),
    needs=("game", "handle"),
    plan=_plan_showing,
)
