"""Acts on results of games: correct, annul, and undo; ratings follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session

from correspondence.archive import monthly, openings
from correspondence.core.i18n import in_language
from correspondence.fairness import ends
from correspondence.models import PLAYING, ImportedRecord, Match, OperatorAct, Person
from correspondence.models.loading import ANNULLED, DECISION, ending, game_of, persons_of, players_of, position_of
from correspondence.moderation.acts import Act, ActError, Given, Operator, PlannedAct
from correspondence.moderation.letters_of_acts import tell
from correspondence.moderation.talk import match_for_act
from correspondence.play import game_end
from correspondence.ratings import corrections, ratings
from engines.wording import N_, _

RESULTS = ("1-0", "0-1", "1/2-1/2")
"""The results to which a game can be corrected."""

_CORRECTION = N_("The result of game {number} has been corrected")
_CORRECTED = N_("The operator has corrected the result of game {number}.")
_ANNULMENT = N_("Game {number} has been annulled")
_ANNULLED = N_("The operator has annulled game {number}.")
_REVERSAL = N_("The result of game {number} has been restored")
_AS_BEFORE = N_("The result of game {number} is again what it was before the operator's decision.")
_ENDING = N_("It now says: {ending} {rating}")
_NO_RESULT = N_("It has no result, and counts for no rating.")
_PUBLIC = N_("The page of the game says so too, with this reason.")


def _game(session: Session, operator: Operator, given: Given) -> Match:
    """Lock and return the match of an act, between two members. Raises ActError."""
    match = match_for_act(session, given.game)
    if operator.person_id in [player.person_id for player in players_of(session, match.id)]:
        raise ActError(_("You play game {number} yourself. Ask another operator.").format(number=match.id))
    if len(game_of(match).seats) != 2:
        raise ActError(_("Game {number} is a game for one.").format(number=match.id))
    if session.get(ImportedRecord, match.id) is not None:
        raise ActError(_("Game {number} was imported, and stays as its record says.").format(number=match.id))
    if match.corrected_for:
        sentence = _("The result of game {number} is already an operator's decision. Reverse that first.")
        raise ActError(sentence.format(number=match.id))
    return match


# -- correct ---------------------------------------------------------------------------


def _plan_correction(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    match, result = _game(session, operator, given), given.result.strip()
    if match.ended_at is None:
        raise ActError(_("Game {number} is still running: it has no result to correct.").format(number=match.id))
    if result not in RESULTS:
        raise ActError(_("Give the result as 1-0, 0-1 or 1/2-1/2."))
    if result == match.result:
        raise ActError(_("Game {number} has already ended {result}.").format(number=match.id, result=result))
    if position_of(match).outcome is not None:
        sentence = _(
            "The moves of game {number} ended it {result}, and no decision can change that. It can be annulled."
        )
        raise ActError(sentence.format(number=match.id, result=match.result))

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        before = _facts(session, match)
        _decide(session, match, result, DECISION, row.reason, now=now)
        if match.rated:
            corrections.correct(session, match)
        _tell_players(session, row, match, _CORRECTION, _CORRECTED, now=now)
        return before

    sentence = _(
        "Game {number} ended {before} and will say {result}. Ratings are worked out again from there; a game that was not "
        "rated stays so. Its page, its record and the archive say that an operator decided it, with this reason, for "
        "everybody to read. Both players get a letter."
    )
    sentence = sentence.format(number=match.id, before=match.result, result=result)
    return PlannedAct(sentence, carry_out, match_id=match.id, detail=f"{match.result} → {result}")


# -- annul -----------------------------------------------------------------------------


def _plan_annulment(session: Session, operator: Operator, given: Given, now: datetime) -> PlannedAct:
    match = _game(session, operator, given)
    if match.ended_at is not None and match.result == PLAYING:
        raise ActError(_("Game {number} was called off: it has no result.").format(number=match.id))
    is_running = match.ended_at is None

    def carry_out(row: OperatorAct) -> dict[str, Any]:
        if is_running:
            match.corrected_for = row.reason
            game_end.end_by_service(session, match, PLAYING, ANNULLED, now=now)
            _tell_players(session, row, match, _ANNULMENT, _ANNULLED, now=now)
            return {"is_running": True}
        before = _facts(session, match)
        annul_finished(session, match, row.reason, now=now)
        _tell_players(session, row, match, _ANNULMENT, _ANNULLED, now=now)
        return before

    begins = (
        _("Game {number} will end at once without a result. That cannot be reversed.")
        if is_running
        else _("Game {number}, which ended {before}, will have no result any more and count for no rating.")
    )
    rest = _(
        "Its page, its record and the archive say that an operator annulled it, with this reason, for everybody to read. Both "
        "players get a letter."
    )
    sentence = f"{begins.format(number=match.id, before=match.result)} {rest}"
    return PlannedAct(sentence, carry_out, match_id=match.id, detail="" if is_running else f"{match.result} → –")


def annul_finished(session: Session, match: Match, why: str, *, now: datetime) -> None:
    """Remove result and rating of a finished match, which the caller has locked."""
    if match.result == PLAYING:
        return
    if corrections.scores_of(session, match.id):
        corrections.annul(session, match.id)
    _decide(session, match, PLAYING, ANNULLED, why, now=now)
    match.rated = False


# -- shared by both -----------------------------------------------------------------------


def _facts(session: Session, match: Match) -> dict[str, Any]:
    """Return the data needed to restore the result."""
    return {
        "result": match.result, "reason": match.reason, "rated": match.rated, "scores": corrections.scores_of(session, match.id),
    }  # fmt: skip


def _decide(session: Session, match: Match, result: str, reason: str, why: str, *, now: datetime) -> None:
    """Give a finished match this result, and store the result as played beside it."""
    openings.recount(session, match, result)
    match.played_result, match.played_reason, match.corrected_for = match.result, match.reason, why
    match.result, match.reason = result, reason
    _say_anew(session, match, "annulled" if result == PLAYING else "corrected", now=now)


def _say_anew(session: Session, match: Match, what: str, *, now: datetime) -> None:
    """Update what follows from the result of a finished match: archive, signed end, and features."""
    if match.ended_at is not None:
        monthly.forget_month(session, match.ended_at)
    session.add(match)
    session.flush()
    ends.sign_anew(session, [match.id], what, now=now)
    for notify in game_end.ON_ENDED:
        notify(session, [match], now=now)


def _undo(session: Session, row: OperatorAct, facts: dict[str, Any], now: datetime) -> None:
    match = match_for_act(session, str(row.match_id))
    if facts.get("is_running"):
        raise ActError(
            _("Game {number} was ended while it was running, which cannot be reversed.").format(number=match.id)
        )
    now_of = _members_by_now(session, match, facts["scores"])
    was_annulled = match.result == PLAYING
    openings.recount(session, match, facts["result"])
    match.result, match.reason = facts["result"], facts["reason"]
    match.played_result = match.played_reason = match.corrected_for = ""
    _say_anew(session, match, "corrected", now=now)
    if was_annulled and facts["scores"]:
        corrections.reinstate(session, match, [_of_members_by_now(one, now_of) for one in facts["scores"]])
    elif facts["scores"]:
        corrections.correct(session, match)
    match.rated = facts["rated"]
    _tell_players(session, row, match, _REVERSAL, _AS_BEFORE, now=now, is_undone=True)


def _members_by_now(session: Session, match: Match, scores: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Map earlier players to their current accounts after mergers.

    Raises ActError if both became one.
    """
    persons = persons_of(session, players_of(session, match.id))
    if len({person.merged_into_id or person.id for person in persons}) < len(persons):
        sentence = _("The two accounts that played game {number} now belong to one member, so it stays as it is.")
        raise ActError(sentence.format(number=match.id))
    before = [session.get_one(Person, one["person_id"]) for one in scores]
    return {person.id: person.merged_into_id or person.id for person in before}


def _of_members_by_now(score: Mapping[str, Any], now_of: Mapping[int, int]) -> dict[str, Any]:
    names = ("person_id", "opponent_id")
    return {**score, **{name: now_of[score[name]] for name in names}}


def _tell_players(
    session: Session,
    row: OperatorAct,
    match: Match,
    subject: str,
    what: str,
    *,
    now: datetime,
    is_undone: bool = False,
) -> None:
    for person in persons_of(session, players_of(session, match.id)):
        with in_language(person.language):
            facts = {"ending": ending(match), "rating": ratings.rating_sentence(session, match, person.id)}
        now_says = _NO_RESULT if match.result == PLAYING else _ENDING
        rest = [now_says] if is_undone else [now_says, _PUBLIC]
        tell(session, row, person, subject, what, *rest, now=now, is_undone=is_undone, number=match.id, **facts)


CORRECT = Act(
    name="correct",
    title=N_("Correct the result of a game"),
    button=N_("Correct it"),
    needs=("game", "result"),
    reason_hint=N_("Everyone can read it on the game's page, and both players get it in a letter. It is kept."),
    plan=_plan_correction,
    undo=_undo,
)

ANNUL = Act(
    name="annul",
    title=N_("Annul a game"),
    button=N_("Annul it"),
    needs=("game",),
    reason_hint=N_("Everyone can read it on the game's page, and both players get it in a letter. It is kept."),
    plan=_plan_annulment,
    undo=_undo,
)
