"""Results that an operator corrected or annulled: told everywhere, counted everywhere, and reversed without a trace."""

from __future__ import annotations

import random
import re

import pytest
from sqlmodel import col, select

from correspondence.archive import import_export, monthly
from correspondence.core import db
from correspondence.core.signing import check_signature, signer_of
from correspondence.matchmaking import challenges
from correspondence.models import ArchiveMonth, Continuation, Match, Rating, RatingChange, loading
from correspondence.moderation.acts import ActError
from correspondence.ops.operator_cli import operator_command
from correspondence.ops.worker import sweep_openings
from correspondence.ratings import ratings
from engines.verification.checks import ClaimState, check_record
from tests.operators import act, appoint, plain_words, undo
from tests.post import text_of


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo", "olga")
    town.begin("appoint", "olga", lambda: appoint(town, "olga"))
    return town


def played(club, loser="bob", one="ann", other="bob"):
    """A rated game that its loser resigned, long enough to count; tests that begin with the same games share them."""
    return club.begin("played", (loser, one, other), lambda: _played(club, loser, one, other))


def _played(club, loser, one, other):
    number = club.match("duel", one, other)
    for ply in range(6):
        with db.reading(club.engine) as session:
            position = loading.position_of(session.get_one(Match, number))
        text = next(
            position.write(ply % 2, move)
            for move in position.legal_moves(ply % 2)
            if position.after(ply % 2, move).outcome is None
        )
        club.play(number, (one, other)[ply % 2], text)
    club.clock.go(hours=1)
    club.resign(number, loser)
    return number


def standings(club):
    """Every rating, and every change of one, as numbers."""
    with db.reading(club.engine) as session:
        rows = session.exec(select(Rating).order_by(col(Rating.person_id))).all()
        changes = session.exec(select(RatingChange).order_by(col(RatingChange.id))).all()
        return (
            [(row.person_id, row.games, round(row.rating, 6), round(row.deviation, 6)) for row in rows],
            [(c.match_id, c.person_id, c.score, round(c.rating_before, 6), round(c.rating, 6)) for c in changes],
        )


def rating(club, name):
    with db.reading(club.engine) as session:
        return ratings.rating_of(session, club.person(session, name).id, "duel").rating


def record(club, number):
    with db.reading(club.engine) as session:
        return import_export.export(session, number, signer_of(club.settings), now=club.time)


def page(club, path, name=""):
    return plain_words(club.client(name).get(path).text)


# -- what is told ----------------------------------------------------------------------


def test_a_corrected_result_is_told_with_the_reason_on_page_record_evidence_archive_and_by_letter(club):
    number = played(club)
    act(club, "correct", game=str(number), result="0-1", reason="<b>bob</b> had asked for a draw first.")
    assert "wins by decision of the operator." in page(club, f"/games/{number}")
    assert "&lt;b&gt;bob&lt;/b&gt; had asked for a draw first." in club.client().get(f"/games/{number}").text
    assert "by the operator: &lt;b&gt;bob&lt;/b&gt;" in club.client().get(f"/games/{number}/evidence").text
    assert "decision of the operator" in page(club, "/archive")
    assert '[Correction "result corrected to 0-1 by the operator: <b>bob</b>' in record(club, number)
    for name in ("ann", "bob"):
        text = " ".join(text_of(club.letter(name)).split())
        assert f"corrected the result of game {number}" in text and "had asked for a draw first." in text


def test_the_record_keeps_what_was_played_and_still_verifies(club):
    number = played(club)
    for kind, given in (("correct", {"result": "0-1"}), ("annul", {})):
        done = act(club, kind, game=str(number), **given)
        text = record(club, number)
        assert check_record(text, check_signature).state == ClaimState.HOLDS
        assert '[Result "1-0"]' in text and '[Reason "resignation"]' in text
        undo(club, done)
    assert "Correction" not in record(club, number)


def test_a_page_of_a_member_that_was_read_before_counts_what_was_decided_and_reversed_since(club):
    number = played(club)
    reader = club.client("bob")

    def counted():
        pages = (reader.get("/players/ann"), club.client().get("/players/ann"))
        return [re.findall(r"<td class=\"number\">(\d+)</td>", page.text) for page in pages]

    as_played = counted()
    corrected = act(club, "correct", game=str(number), result="0-1")
    as_corrected = counted()
    undo(club, corrected)
    assert counted() == as_played != as_corrected
    annulled = act(club, "annul", game=str(number))
    assert counted() not in (as_played, as_corrected)
    undo(club, annulled)
    assert counted() == as_played
    act(club, "correct", game=str(number), result="1/2-1/2")
    assert counted() not in (as_played, as_corrected)


def test_an_annulled_game_has_no_result_in_lists_and_profiles(club):
    number = played(club)
    act(club, "annul", game=str(number))
    assert "Called off: annulled by the operator." in page(club, f"/games/{number}")
    with db.reading(club.engine) as session:
        match = session.get_one(Match, number)
        assert (match.result, match.rated) == ("*", False)


# -- ratings ---------------------------------------------------------------------------


def test_ratings_are_as_if_the_corrected_result_had_been_the_first(club):
    number = played(club)
    played(club, "cleo", "ann", "cleo")
    act(club, "correct", game=str(number), result="0-1")
    corrected = standings(club)[0]
    assert rating(club, "bob") > 1500
    club_again = [(p, g, r) for p, g, r, _d in corrected]
    assert [g for _p, g, _r in club_again] == [2, 1, 1]


@pytest.mark.parametrize("kind", ["correct", "annul"])
@pytest.mark.parametrize("later", [0, 1, 3])
def test_reversed_all_ratings_are_as_if_nothing_had_been_done(club, kind, later):
    number = played(club)
    for loser in ("cleo", "ann", "cleo")[:later]:
        played(club, loser, "ann", "cleo")
    before, given = standings(club), {"result": "1/2-1/2"} if kind == "correct" else {}
    done = act(club, kind, game=str(number), **given)
    assert standings(club) != before
    undo(club, done)
    assert standings(club) == before
    with db.reading(club.engine) as session:
        match = session.get_one(Match, number)
        assert (match.result, match.reason, match.rated, match.corrected_for) == ("1-0", "resignation", True, "")


def test_an_annulment_is_reversed_though_later_games_took_its_place(club):
    """SQLite gives the numbers of deleted changes again."""
    first = played(club)
    done = act(club, "annul", game=str(first))
    second = played(club, "cleo", "ann", "cleo")
    undo(club, done)
    _rows, changes = standings(club)
    assert [change[0] for change in changes] == [first, first, second, second]
    again = act(club, "annul", game=str(second))
    undo(club, again)
    assert standings(club)[1] == changes


@pytest.mark.parametrize("kind", ["correct", "annul"])
def test_no_operator_decides_a_game_of_their_own_nor_reverses_what_another_decided(club, kind):
    number, given = played(club, "olga", "ann", "olga"), {"result": "0-1"} if kind == "correct" else {}
    before = standings(club)
    with pytest.raises(ActError, match=f"You play game {number} yourself. Ask another operator."):
        act(club, kind, by="olga", game=str(number), **given)
    assert standings(club) == before
    done = act(club, kind, game=str(number), **given)
    after = standings(club)
    with pytest.raises(ActError, match=f"Act {done} is about yourself. Ask another operator."):
        undo(club, done, by="olga")
    assert standings(club) == after != before
    undo(club, done)
    assert standings(club) == before


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_decisions_that_are_all_reversed_leaves_no_trace(club, seed):
    rng = random.Random(seed)
    numbers = [played(club, rng.choice(("ann", "bob"))) for _ in range(3)] + [played(club, "cleo", "ann", "cleo")]
    before, done = standings(club), []
    for number in rng.sample(numbers, 4):
        kind, given = rng.choice([("annul", {}), ("correct", {"result": "1/2-1/2"})])
        done.append(act(club, kind, game=str(number), **given))
    for number in rng.sample(done, 4):
        undo(club, number)
    assert standings(club) == before


# -- other counts ----------------------------------------------------------------------


def counts(club):
    with db.reading(club.engine) as session:
        rows = session.exec(select(Continuation).order_by(col(Continuation.key), col(Continuation.text))).all()
        return [(row.key, row.text, row.first_wins, row.draws, row.second_wins) for row in rows]


def test_the_index_of_openings_counts_the_decided_result(club):
    number = played(club)
    while sweep_openings(club.runtime):
        pass
    before = counts(club)
    done = act(club, "correct", game=str(number), result="0-1")
    assert [row[2:] for row in counts(club)] == [(0, 0, 1)] * len(before)
    undo(club, done)
    assert counts(club) == before
    done = act(club, "annul", game=str(number))
    assert counts(club) == []
    undo(club, done)
    assert counts(club) == before


def test_the_file_of_the_month_is_made_again(club):
    number = played(club)
    club.clock.go(days=40)
    with db.transaction(club.engine) as session:
        month = monthly.due_month(session, now=club.time)
        monthly.make(session, month, signer_of(club.settings), now=club.time)
    act(club, "correct", game=str(number), result="0-1")
    with db.reading(club.engine) as session:
        assert session.get(ArchiveMonth, month) is None and monthly.due_month(session, now=club.time) == month


# -- what cannot be --------------------------------------------------------------------


def test_a_running_game_is_annulled_at_once_and_that_stays_so(club):
    number = club.match("duel")
    club.play(number, "ann", "3@a1")
    with pytest.raises(ActError, match="is still running"):
        act(club, "correct", game=str(number), result="1-0")
    done = act(club, "annul", game=str(number), reason="Both accounts are one person's.")
    assert club.stand(number).ended_at == club.time and club.stand(number).deadline is None
    assert "Both accounts are one person" in page(club, f"/games/{number}")
    assert check_record(record(club, number), check_signature).state == ClaimState.HOLDS
    with pytest.raises(ActError, match="cannot be reversed"):
        undo(club, done)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"result": "2-0"}, "Give the result as"),
        ({"result": ""}, "Give the result as"),
        ({"result": "*"}, "Give the result as"),
        ({"result": "1-0"}, "has already ended 1-0"),
        ({"game": "99", "result": "0-1"}, "There is no game number 99"),
    ],
)
def test_a_correction_that_says_nothing_new_is_refused(club, given, sentence):
    number = played(club)
    before = standings(club)
    with pytest.raises(ActError, match=sentence):
        act(club, "correct", **{"game": str(number), **given})
    assert standings(club) == before


def test_a_decision_is_not_decided_again_before_it_is_reversed(club):
    number = played(club)
    act(club, "correct", game=str(number), result="0-1")
    for kind, given in (("correct", {"result": "1/2-1/2"}), ("annul", {})):
        with pytest.raises(ActError, match="already an operator's decision"):
            act(club, kind, game=str(number), **given)


def test_what_the_moves_decided_can_only_be_annulled(club):
    number = club.match("duel")
    rng = random.Random(1)
    while club.stand(number).ended_at is None:
        position = loading.position_of(club.stand(number))
        [seat] = position.to_act
        club.play(number, ("ann", "bob")[seat], position.write(seat, position.random_move(seat, rng)))
    other = "1/2-1/2" if club.stand(number).result != "1/2-1/2" else "1-0"
    with pytest.raises(ActError, match="It can be annulled"):
        act(club, "correct", game=str(number), result=other)
    act(club, "annul", game=str(number))
    assert club.stand(number).result == "*"
    assert check_record(record(club, number), check_signature).state == ClaimState.HOLDS


def test_games_for_one_have_no_result_to_decide(club):
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        number = challenges.start_alone(session, ann, "duel-puzzle", {}, now=club.time, rng=club.rng).id
    with pytest.raises(ActError, match="is a game for one"):
        act(club, "annul", game=str(number))


def test_the_command_annuls_as_the_desk_does_and_asks_for_a_reason(club):
    number = played(club)
    runner = club.app.test_cli_runner()
    refused = runner.invoke(operator_command, ("annul", str(number), "--yes"))
    assert refused.exit_code == 2
    assert "--reason" in refused.output
    assert club.stand(number).result == "1-0"
    words = ("annul", str(number), "--reason", "Arranged.", "--yes")
    assert runner.invoke(operator_command, words).exit_code == 0
    assert club.stand(number).result == "*"
    assert "Arranged." in runner.invoke(operator_command, ("acts",)).output
    club.deliver()
    assert all("Arranged." in plain_words(text_of(club.letter(name))) for name in ("ann", "bob"))
