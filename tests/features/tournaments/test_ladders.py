"""Ladders in real use: challenges are made, answered, played and lapse; rungs move; the idle leave."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlmodel import col, func, select

from correspondence.clocks import vacations
from correspondence.core import db
from correspondence.features.tournaments import organiser, sweep
from correspondence.features.tournaments.formats.ladder import MAX_DEFENCES_AT_TOP, MAX_OUTGOING, REACH
from correspondence.features.tournaments.settings import TournamentError
from correspondence.features.tournaments.tables import Format, Tournament, TournamentPairing
from correspondence.models import Letter, Match, Person
from engines.refusal import Refusal
from tests.ladders import accept, challenge, enter, leave, rungs, view
from tests.operators import act
from tests.post import at_once, text_of
from tests.tournaments import lose, run_sweep
from tests.world import mail_world

FIVE = ["ann", "bob", "cleo", "dan", "eve"]
TWENTY = [f"p{number:02}" for number in range(20)]


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join(*FIVE, vacation_hours_left=720)
    yield club
    club.close()


def refused(act, *args):
    with pytest.raises(Refusal) as caught:
        act(*args)
    return str(caught.value)


def last(club, name):
    return " ".join(text_of(club.letter(name)).split())


def absent(club, name, days):
    with db.transaction(club.engine) as session:
        vacations.announce(session, club.person(session, name), days, now=club.time)


def test_newcomers_enter_at_the_bottom_and_winners_take_the_rung(club):
    enter(club, *FIVE)
    assert rungs(club) == FIVE
    challenge(club, "eve", "bob")
    assert "eve challenges you" in last(club, "bob") and "ladder duel accept eve" in last(club, "bob")
    game = accept(club, "bob")
    with db.reading(club.engine) as session:
        match = session.get_one(Match, game)
        assert (match.event, match.round, match.section, match.rated) == ("Duel ladder", "1", "", True)
    lose(club, game, "bob")
    run_sweep(club)
    assert rungs(club) == ["ann", "eve", "bob", "cleo", "dan"]
    assert "has brought you to rung 2" in last(club, "eve") and "you stand on rung 3" in last(club, "bob")


def test_unanswered_challenge_is_lost_after_seven_days(club):
    enter(club, *FIVE)
    challenge(club, "dan", "ann")
    club.wait(days=6, hours=23)
    assert run_sweep(club) == 0 and rungs(club) == FIVE
    club.wait(hours=1)
    run_sweep(club)
    assert rungs(club) == ["dan", "ann", "bob", "cleo", "eve"]
    assert "it counts as won." in last(club, "dan") and "You stand on rung 1." in last(club, "dan")
    assert "it counts as lost." in last(club, "ann") and "You stand on rung 2." in last(club, "ann")
    assert "No challenge is waiting" in refused(accept, club, "ann")
    assert run_sweep(club) == 0


def test_announced_absence_stops_the_time_to_answer(club):
    enter(club, *FIVE)
    challenge(club, "dan", "ann")
    club.wait(days=2)
    absent(club, "ann", 10)
    club.wait(days=9)
    run_sweep(club)
    assert rungs(club) == FIVE, "the absence was announced after the challenge"
    [line] = view(club).to_answer
    assert line.lapses_at > club.time + timedelta(days=5)
    club.wait(days=7)
    run_sweep(club)
    assert rungs(club)[0] == "dan"


def test_each_refusal_is_a_sentence_and_changes_nothing(club):
    club.join(*TWENTY)
    assert "Nobody is there yet. To be the first, write: ladder duel enter" in refused(challenge, club, "ann", "bob")
    enter(club, *TWENTY[:12])
    assert "You are not in: Ladder of Duel. To enter, write: ladder duel enter" in refused(
        challenge, club, "ann", "bob"
    )
    assert "You are in already" in refused(enter, club, "p00")
    assert "ann is not on this ladder." in refused(challenge, club, "p11", "ann")
    assert "does not stand above you" in refused(challenge, club, "p00", "p01")
    assert "too far above" in refused(challenge, club, "p11", "p00")
    for other in ("p08", "p09", "p10"):
        challenge(club, "p11", other)
    assert "Three of your challenges" in refused(challenge, club, "p11", "p07")
    for number in (5, 6, 7):
        challenge(club, f"p{number:02}", "p04")
    for number in (8, 9):
        challenge(club, f"p{number:02}", "p04")
    assert "as many challenges" in refused(challenge, club, "p10", "p04")
    assert "already, or a challenge is open" in refused(challenge, club, "p05", "p04")


def test_same_two_rest_for_seven_days_after_a_game(club):
    enter(club, *FIVE)
    challenge(club, "eve", "dan")
    lose(club, accept(club, "dan"), "eve")
    run_sweep(club)
    assert "within seven days" in refused(challenge, club, "eve", "dan")
    club.wait(days=8)
    challenge(club, "eve", "dan")


def test_who_leaves_loses_open_challenges_and_returns_at_the_bottom(club):
    enter(club, *FIVE)
    challenge(club, "eve", "ann")
    leave(club, "ann")
    assert rungs(club) == ["eve", "bob", "cleo", "dan"] and "counts as won" in last(club, "eve")
    club.wait(days=1)
    enter(club, "ann")
    assert rungs(club) == ["eve", "bob", "cleo", "dan", "ann"]
    challenge(club, "ann", "dan")
    leave(club, "ann")
    assert "is void" in last(club, "dan") and rungs(club) == ["eve", "bob", "cleo", "dan"]


def test_who_neither_plays_nor_answers_for_sixty_days_leaves(club):
    enter(club, *FIVE)
    absent(club, "cleo", 20)
    club.wait(days=55)
    challenge(club, "bob", "ann")
    game = accept(club, "ann")
    club.wait(days=4, hours=23)
    assert run_sweep(club) == 0
    club.wait(days=1)
    run_sweep(club)
    assert rungs(club) == ["ann", "bob", "cleo"]
    assert "neither played nor answered" in last(club, "dan")
    with db.reading(club.engine) as session:
        assert session.get_one(Match, game).ended_at is None
    club.wait(days=20)
    run_sweep(club)
    assert sorted(rungs(club)) == ["ann", "bob"]


def test_blocked_member_cannot_challenge(club):
    from correspondence.community import blocking

    enter(club, *FIVE)
    with db.transaction(club.engine) as session:
        blocking.block(session, club.person(session, "ann"), "eve", now=club.time)
    assert "does not want to play now" in refused(challenge, club, "eve", "ann")


def test_only_an_operator_acts_on_a_ladder(club):
    enter(club, *FIVE)

    def remove(name):
        with db.transaction(club.engine) as session:
            organiser.remove(session, club.person(session, name), 1, "eve", "Two accounts", now=club.time, rng=club.rng)

    assert "Only the organiser" in refused(remove, "ann")
    with db.transaction(club.engine) as session:
        club.person(session, "ann").is_operator = True
    remove("ann")
    assert rungs(club) == FIVE[:4]
    assert "You have been removed" in refused(enter, club, "eve")


def test_founders_who_race_found_one_ladder(anywhere):
    anywhere.join(*FIVE)

    def entering(name):
        def act():
            from correspondence.features.tournaments import ladders

            with db.transaction(anywhere.engine) as session:
                ladders.enter(session, anywhere.person(session, name), "duel", now=anywhere.time)

        return act

    answers = at_once(*[entering(name) for name in FIVE], refusals=(TournamentError,))
    assert answers.count("done") == 5 and sorted(rungs(anywhere)) == FIVE
    with db.reading(anywhere.engine) as session:
        query = select(func.count()).select_from(Tournament).where(Tournament.format == Format.LADDER)
        assert session.exec(query).one() == 1


def is_over(world, game):
    with db.reading(world.engine) as session:
        return session.get_one(Match, game).ended_at is not None


def test_twenty_members_and_a_hundred_challenges(anywhere):
    """Most are accepted and played, some run out of time, some are never answered; a repeated sweep changes nothing."""
    anywhere.join(*TWENTY)
    enter(anywhere, *TWENTY)
    rng, made, games = random.Random(7), 0, []
    while made < 100:
        order = rungs(anywhere)
        for name in rng.sample(order, 8):
            above = [one.handle for one in view(anywhere, name).rungs if one.can_challenge]
            if above and made < 100:
                other = rng.choice(above)
                assert 1 <= order.index(name) - order.index(other) <= REACH
                challenge(anywhere, name, other)
                made += 1
                if rng.random() < 0.8:
                    games.append((accept(anywhere, other, name), name, other))
        rng.shuffle(games)
        for game, *both in games[: len(games) // 2 + 1]:
            before = rungs(anywhere)
            if not is_over(anywhere, game):
                lose(anywhere, game, max(both))
            run_sweep(anywhere)
            after = rungs(anywhere)
            assert sorted(after) == sorted(before)
            assert after.index(both[0]) <= before.index(both[0]), "nobody goes down by their own challenge"
        games = games[len(games) // 2 + 1 :]
        anywhere.wait(days=rng.choice((1, 3, 8)))
        run_sweep(anywhere)
        assert run_sweep(anywhere) == 0
    anywhere.wait(days=8)
    run_sweep(anywhere)
    with db.reading(anywhere.engine) as session:
        rows = session.exec(select(TournamentPairing)).all()
        assert len(rows) == 100 and len({row.round for row in rows}) == 100
        lapsed = [row for row in rows if row.match_id is None]
        assert lapsed and all(row.ended_at is not None for row in lapsed)
        letters = select(func.count()).select_from(Letter).where(col(Letter.kind) == "ladder_challenge")
        assert session.exec(letters).one() == 100
        assert session.exec(select(func.count()).select_from(Match)).one() == 100 - len(lapsed)
    assert sorted(rungs(anywhere)) == TWENTY
    strong = sum(TWENTY.index(name) for name in rungs(anywhere)[:5])
    assert strong < sum(TWENTY.index(name) for name in rungs(anywhere)[-5:]), "who wins stands above"
    assert (MAX_OUTGOING, MAX_DEFENCES_AT_TOP) == (3, 5)


# -- by mail, page and program -----------------------------------------------------------


def say(club, name, body):
    club.agree(name, body)
    return last(club, name)


def test_ladder_is_lived_by_mail(club):
    assert "Nobody has entered yet." in say(club, "ann", "ladder duel")
    assert "You are on the ladder" in say(club, "ann", "ladder duel enter")
    say(club, "bob", "ladder duel enter")
    assert "for example: ladder duel challenge ann" in say(club, "bob", "ladder duel")
    assert "ann has a letter" in say(club, "bob", "ladder duel challenge ann")
    letter = club.letter("ann")
    assert "[Ladder of Duel]: bob challenges you" in letter["Subject"]
    club.answer(letter, "accept")
    with db.reading(club.engine) as session:
        [row] = session.exec(select(TournamentPairing)).all()
        assert row.match_id is not None
    assert "Where you stand:" in say(club, "ann", "tournaments")
    assert "You have left" in say(club, "bob", "ladder duel leave")
    assert "Say whom you challenge" in say(club, "ann", "ladder duel challenge")
    assert "is not a game for two" in say(club, "ann", "ladder duel-puzzle enter")
    assert "ladder duel challenge ann" in say(club, "ann", "help ladders")


def test_answer_to_a_challenge_accepts_that_one(club):
    enter(club, *FIVE)
    for name in ("bob", "cleo"):
        challenge(club, name, "ann")
    letters = [one for one in club.letters("ann") if "challenges you" in one["Subject"]]
    answer = say(club, "ann", "accept")
    assert "ladder duel accept bob" in answer and "ladder duel accept cleo" in answer
    club.answer(letters[1], "accept")
    assert [line.challenger for line in view(club).running] == ["cleo"]
    say(club, "ann", "ladder duel accept bob")
    assert len(view(club).running) == 2


def test_challenge_outside_and_one_on_the_ladder_are_told_apart(club):
    enter(club, *FIVE)
    club.agree("bob", "challenge ann duel")
    challenge(club, "cleo", "ann")
    answer = say(club, "ann", "accept")
    assert "Write: accept" in answer and "ladder duel accept cleo" in answer
    assert not view(club).running


def test_ladder_is_lived_on_the_page(club):
    ann, bob = club.client("ann"), club.client("bob")
    assert "Nobody has entered yet." in club.client().get("/ladders/duel").text
    for client in (ann, bob):
        assert "at the bottom" in client.post("/ladders/duel/enter", follow_redirects=True).text
    assert 'action="/ladders/duel/challenge"' in bob.get("/ladders/duel").text
    assert "has a letter" in bob.post("/ladders/duel/challenge", data={"handle": "ann"}, follow_redirects=True).text
    assert "They challenge you" in ann.get("/ladders/duel").text
    page = ann.post("/ladders/duel/accept", data={"handle": "bob"}, follow_redirects=True).text
    assert "Being played" in page and "/games/1" in page
    answer = bob.post("/ladders/duel/challenge", data={"handle": "nobody"})
    assert answer.status_code == 409 and "nobody" in answer.text
    assert bob.post("/ladders/duel/leave", follow_redirects=True).status_code == 200
    assert (
        club.client().get("/ladders/checkers").status_code
        == 404
        == club.client().get("/ladders/duel-puzzle").status_code
    )
    assert club.client().get("/tournaments/1").headers["Location"] == "/ladders/duel"
    assert club.client().get("/tournaments/1/1").status_code == 404
    assert 'href="/ladders/duel"' in club.client().get("/tournaments").text
    answer = bob.post("/tournaments/1/enter")
    assert answer.status_code in (404, 409)


def test_document_of_a_ladder_is_as_promised(club):
    enter(club, "ann", "bob")
    challenge(club, "bob", "ann")
    found = club.client().get("/tournaments/1.json").json
    assert (found["format"], found["state"], found["byes"]) == ("ladder", "running", [])
    [pairing] = found["pairings"]
    assert (pairing["round"], pairing["game"], pairing["result"]) == (1, None, "*")
    assert [(one["rank"], one["handle"]) for one in found["standings"]] == [(1, "ann"), (2, "bob")]


def test_program_lives_on_a_ladder(club):
    from tests.programs import Program

    ann, bob = Program(club, "ann"), Program(club, "bob")
    assert ann.get("/ladders/duel").json == {"id": None, "rungs": [], "can_challenge": [], "to_answer": []}
    assert ann.post("/ladders/duel/enter").status_code == bob.post("/ladders/duel/enter").status_code == 200
    assert bob.get("/ladders/duel").json["can_challenge"] == ["ann"]
    assert bob.post("/ladders/duel/challenge", {"handle": "ann"}).status_code == 200
    assert ann.get("/ladders/duel").json["to_answer"] == ["bob"]
    assert ann.post("/ladders/duel/accept").status_code == 200
    assert "detail" in ann.post("/ladders/duel/accept").json
    assert bob.post("/ladders/duel/leave").status_code == 200


def test_erased_member_leaves_the_ladder(club):
    enter(club, *FIVE)
    with db.transaction(club.engine) as session:
        session.exec(select(Person).where(Person.handle == "ann")).one().departed_at = club.time
        session.exec(select(Tournament)).one().due_at = club.time
    sweep.sweep(club.runtime)
    assert rungs(club) == FIVE[1:]


def test_merged_accounts_that_are_both_on_a_ladder_keep_one_rung(club):
    enter(club, *FIVE)
    act(club, "merge", handle="bob", other="cleo", again="cleo")
    challenge(club, "eve", "dan")
    assert rungs(club) == ["ann", "bob", "dan", "eve"]
