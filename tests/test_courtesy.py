"""Who is left in peace by whom, and how many games one may have: refusals that never tell why."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence import commands as words
from correspondence.accounts import accounts, member_settings, relations
from correspondence.accounts.accounts import PeopleError
from correspondence.community import blocking, reports
from correspondence.core import db
from correspondence.core.tokens import spell
from correspondence.matchmaking import challenges
from correspondence.models import Audience, Block, Seek
from correspondence.play import chat, matches
from correspondence.play.conditional import plan_commands
from correspondence.queries import queries
from tests.post import html_of, text_of
from tests.robots import challenge, thinking_robots
from tests.sizes import examples


@pytest.fixture
def three(town):
    town.join("ann", "bob", "cleo")
    return town


def blocked(town, who, whom):
    with db.transaction(town.engine) as session:
        one, other = town.person(session, who), town.person(session, whom)
        session.add(Block(person_id=one.id, other_id=other.id, since=town.time))


def challenged(town, who, whom):
    with db.transaction(town.engine) as session:
        return challenges.challenge(session, town.person(session, who), whom, "duel", {}, now=town.time).id


def alone(town, who):
    with db.transaction(town.engine) as session:
        person = town.person(session, who)
        return challenges.start_alone(session, person, "duel-puzzle", {}, now=town.time, rng=town.rng)


def limited(town, who, most):
    with db.transaction(town.engine) as session:
        member_settings.limit_games(session, town.person(session, who), most)


def accepted(town, who, number):
    with db.transaction(town.engine) as session:
        return challenges.accept(session, town.person(session, who), number, now=town.time, rng=town.rng).id


def test_a_block_holds_in_both_directions_and_for_these_two(three):
    blocked(three, "ann", "bob")
    with db.reading(three.engine) as session:
        ann, bob, cleo = (three.person(session, name).id for name in ("ann", "bob", "cleo"))
        assert relations.is_blocked(session, ann, bob) and relations.is_blocked(session, bob, ann)
        assert not relations.is_blocked(session, ann, cleo)
        assert relations.blocked_ids(session, ann) == {bob} and relations.blocked_ids(session, bob) == {ann}
        assert relations.blocked_ids(session, cleo) == frozenset()


@pytest.mark.parametrize("who, whom", [("ann", "bob"), ("bob", "ann")])
def test_neither_of_two_can_challenge_the_other_and_nothing_says_why(three, who, whom):
    blocked(three, "ann", "bob")
    with pytest.raises(challenges.ChallengeError, match=f"^{whom} does not want to play now.$"):
        challenged(three, who, whom)


def test_who_has_games_enough_is_refused_to_others_in_the_same_words(three, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 1)
    three.match()
    with pytest.raises(challenges.ChallengeError, match="^bob does not want to play now.$"):
        challenged(three, "cleo", "bob")


def test_nobody_begins_more_games_than_allowed_and_each_finished_one_makes_room(three, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 1)
    number = three.match()
    with pytest.raises(challenges.ChallengeError, match="You are playing 1 game, the most you can have at once"):
        challenged(three, "ann", "cleo")
    alone(three, "ann")
    with pytest.raises(challenges.ChallengeError, match="the most you can have"):
        alone(three, "ann")
    with db.transaction(three.engine) as session:
        matches.resign(session, three.player(session, number, "bob"), now=three.time)
    three.match(white="ann", black="cleo")
    accepted(three, "bob", challenged(three, "ann", "bob"))  # one at once, and one for the one finished


def test_only_games_with_people_count_against_the_limit(three, monkeypatch):
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 1)
    with thinking_robots(three):
        challenge(three, "ann", "duel-robot-1")
    alone(three, "ann")
    three.match()
    with db.reading(three.engine) as session:
        assert relations.room_of(session, three.person(session, "ann").id, None) == relations.Room(1, 1)


def test_members_may_set_a_lower_limit_of_their_own(three):
    limited(three, "ann", 1)
    three.match()
    with pytest.raises(challenges.ChallengeError, match="1 at once is the limit that you chose"):
        challenged(three, "ann", "cleo")
    with pytest.raises(challenges.ChallengeError, match="^ann does not want to play now.$"):
        challenged(three, "cleo", "ann")
    limited(three, "ann", None)
    challenged(three, "ann", "cleo")


@pytest.mark.parametrize("most", [0, -3, 201])
def test_an_impossible_limit_of_games_is_refused(three, most):
    with pytest.raises(PeopleError, match="from 1 to 200"):
        limited(three, "ann", most)


def test_a_challenge_is_not_accepted_into_a_full_house(three, monkeypatch):
    number = challenged(three, "ann", "bob")
    monkeypatch.setattr(relations, "GAMES_AT_ONCE", 1)
    three.match(white="ann", black="cleo")
    with pytest.raises(challenges.ChallengeError, match="^ann does not want to play now.$"):
        accepted(three, "bob", number)


DOOR = "play@games.example"
TALK = "You play like a potato, and I mean it."


def says(town, number, name, text):
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, name), text, now=town.time)
    town.deliver()


def heard(town, name):
    return [text_of(letter) for letter in town.letters(name) if "potato" in text_of(letter)]


def shown(town, number, name):
    with db.reading(town.engine) as session:
        return [remark.text for remark in queries.game_view(session, number, town.person(session, name).id).talk]


def act(town, use_case, name, *more, **when):
    with db.transaction(town.engine) as session:
        return use_case(session, town.person(session, name), *more, **when)


@pytest.mark.parametrize("way", ["match", "person", "block"])
def test_who_is_muted_speaks_into_the_void_until_he_is_heard_again(three, way):
    number = three.match()
    with db.transaction(three.engine) as session:
        if way == "match":
            blocking.mute_match(session, three.player(session, number, "ann"), now=three.time)
    if way != "match":
        act(three, blocking.mute if way == "person" else blocking.block, "ann", "bob", now=three.time)
    says(three, number, "bob", TALK)
    three.play(number, "ann", "c3/f2=B")
    three.play(number, "bob", "c6/a7=B", comment=TALK)
    assert heard(three, "ann") == [] and shown(three, number, "ann") == []
    assert shown(three, number, "bob") == [TALK, TALK]
    with db.transaction(three.engine) as session:
        if way == "match":
            blocking.unmute_match(session, three.player(session, number, "ann"), now=three.time)
    if way != "match":
        act(three, blocking.unmute if way == "person" else blocking.unblock, "ann", "bob")
    assert shown(three, number, "ann")[0] == TALK
    three.clock.go(minutes=2)
    says(three, number, "bob", TALK)
    assert len(heard(three, "ann")) == 1


def test_muting_one_game_leaves_the_others_open(three):
    quiet, loud = three.match(), three.match()
    with db.transaction(three.engine) as session:
        blocking.mute_match(session, three.player(session, quiet, "ann"), now=three.time)
    says(three, quiet, "bob", TALK)
    says(three, loud, "bob", TALK)
    assert len(heard(three, "ann")) == 1


def test_talk_that_waits_to_be_sent_is_held_back_when_it_is_muted(three):
    number = three.match()
    with db.transaction(three.engine) as session:
        matches.say(session, three.player(session, number, "bob"), TALK, now=three.time)
        blocking.mute_match(session, three.player(session, number, "ann"), now=three.time)
    three.deliver()
    assert heard(three, "ann") == []


def test_nothing_but_moves_passes_from_who_blocked(three):
    number = three.match()
    act(three, blocking.block, "ann", "bob", now=three.time)
    with pytest.raises(matches.MatchError, match="You have blocked your opponent"):
        says(three, number, "ann", TALK)
    three.play(number, "ann", "c3/f2=B")


def test_a_block_answers_the_challenges_between_two_as_anybody_would(three):
    challenged(three, "ann", "bob"), challenged(three, "bob", "ann"), challenged(three, "cleo", "ann")
    act(three, blocking.block, "ann", "bob", now=three.time)
    three.deliver()
    assert "ann declined your challenge to Duel." in text_of(three.letter("bob"))
    with db.reading(three.engine) as session:
        states = {seek.state for seek in session.exec(select(Seek))}
    assert states == {"withdrawn", "declined", "open"}


def test_who_is_blocked_is_in_no_list_either_way(three):
    act(three, blocking.block, "ann", "bob", now=three.time)
    three.mail("ann@example.org", DOOR, "partners")
    three.mail("bob@example.org", DOOR, "partners")
    assert "bob" not in text_of(three.letter("ann")).split("These people")[1]
    assert "ann" not in text_of(three.letter("bob")).split("These people")[1]


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("block bob", "bob is blocked"),
        ("block", "Say whom, for example: block bob7"),
        ("block nobody7", "Nobody here is called “nobody7”"),
        ("block ann", "That is you."),
        ("unblock bob", "You have not blocked bob."),
        ("unmute bob", "You have not muted bob."),
        ("mute @bob", "You no longer see what bob says."),
        ("mute", "in reply to a letter of the game"),
        ("report bob He is rude.", "goes to the operator of this site"),
        ("report bob", "in a few words what happened"),
        ("report", "Say whom, and what happened"),
        ("report: He is rude.", "Say whom, and what happened"),
        ("ratings", "You have no rating yet."),
        ("ratings duel", "No rating is established yet."),
        ("ratings duel puzzle", "it has no ratings"),
    ],
)
def test_every_word_about_people_is_answered_by_mail(three, line, sentence):
    three.agree("ann", line)
    assert sentence in " ".join(text_of(three.letter("ann")).split())


@pytest.mark.parametrize(
    "line", ["mate", "Block the pawn on e4?", "mute it, please, will you", "ratings are silly", "blok bob"]
)
def test_sentences_that_only_sound_like_these_words_are_talk(line):
    assert isinstance(words.read_line(line), words.Other)


def test_a_report_takes_all_that_follows_it_and_none_of_it_reaches_the_opponent(three):
    three.settings = replace(three.settings, operator="boss@example.org")
    number = three.match()
    says(three, number, "bob", TALK)
    three.received.clear()
    letter = "report bob He insults me.\n\nresign\nc3/f2=B\nAnd he never stops."
    with db.reading(three.engine) as session:
        answered = f"r.{spell('a key for tests', three.player(session, number, 'ann').token_id)}@games.example"
    three.mail("ann@example.org", answered, letter)
    assert [str(one["To"]) for one in three.received] == ["boss@example.org", "ann@example.org"]
    text = text_of(three.letters("boss")[0])
    assert "ann reports bob" in text
    assert "And he never stops." in text
    assert TALK in text
    assert f"/games/{number}" in text
    assert three.moves(number) == [] and three.stand(number).ended_at is None


@pytest.mark.parametrize("is_muted", [False, True], ids=["heard", "muted"])
@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("writer", ["ann", "bob"])
def test_with_a_report_goes_what_both_could_read_and_no_note_of_either(three, writer, audience, is_muted):
    number = three.match()
    with db.transaction(three.engine) as session:
        player = three.player(session, number, writer)
        if audience == Audience.ME:
            chat.keep_note(session, player, TALK, ply=None, now=three.time)
        else:
            matches.say(session, player, TALK, audience=audience, now=three.time)
    if is_muted:
        act(three, blocking.mute, "ann", "bob", now=three.time)
    three.received.clear()
    report = {"match_id": number, "operator": "boss@example.org"}
    act(three, reports.report, "ann", "bob", "rude", now=three.time, **report)
    three.deliver()
    [letter] = three.letters("boss")
    assert (TALK in text_of(letter), TALK in html_of(letter)) == (audience != Audience.ME,) * 2


def test_no_plan_and_no_sealed_choice_goes_with_a_report(three):
    number = three.match(wall_street="secret")
    three.play(number, "bob", "setup PPPPPPPQ", comment="Sealed words.")
    other = three.match("duel")
    three.play(other, "ann", "3@a1")
    with db.transaction(three.engine) as session:
        plan_commands.enter(session, three.player(session, other, "ann"), "if 5@b1 then 6@b2", now=three.time)
    three.received.clear()
    for reporter, about, match in (("ann", "bob", number), ("bob", "ann", other)):
        report = {"match_id": match, "operator": "boss@example.org"}
        act(three, reports.report, reporter, about, "rude", now=three.time, **report)
    three.deliver()
    text = "".join(text_of(one) + html_of(one) for one in three.letters("boss"))
    assert "rude" in text and not [word for word in ("PPPPQ", "Sealed", "6@b2", "5@b1") if word in text]


def test_reports_are_kept_and_no_more_than_three_a_day(three):
    for _time in range(3):
        act(three, reports.report, "ann", "bob", "rude", operator="", now=three.time)
    with pytest.raises(accounts.PeopleError, match="3 reports within a day"):
        act(three, reports.report, "ann", "bob", "rude", operator="", now=three.time)
    three.time += timedelta(days=1, seconds=1)
    act(three, reports.report, "ann", "bob", "rude again", operator="", now=three.time)
    with db.reading(three.engine) as session:
        kept = [(row.text, by, about) for row, by, about in reports.last_reports(session)]
    assert kept == [("rude again", "ann", "bob"), *[("rude", "ann", "bob")] * 3]


def test_a_report_about_a_game_names_one_that_both_play(three):
    number = three.match(white="bob", black="cleo")
    with pytest.raises(accounts.PeopleError, match="You do not play game 1 with bob"):
        act(three, reports.report, "ann", "bob", "rude", match_id=number, operator="", now=three.time)


def test_nobody_keeps_more_people_away_than_a_list_holds(three, monkeypatch):
    monkeypatch.setattr(blocking, "MOST_PER_PERSON", 1)
    act(three, blocking.block, "ann", "bob", now=three.time)
    act(three, blocking.block, "ann", "bob", now=three.time)
    with pytest.raises(accounts.PeopleError, match="You keep 1 people away"):
        act(three, blocking.block, "ann", "cleo", now=three.time)


# -- pages -------------------------------------------------------------------------------


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    return world


def test_buttons_on_the_page_of_a_player_block_and_mute_and_take_it_back(club):
    ann = club.client("ann")
    for path, sentence in (
        ("mute", "bob is muted"), ("unmute", "You&#39;ll see what bob says again"), ("unmute", "You have not muted bob"),
        ("block", "bob is blocked"), ("unblock", "no longer blocked"), ("unblock", "You have not blocked bob"),
    ):  # fmt: skip
        answer = ann.post(f"/players/bob/{path}", follow_redirects=True)
        assert answer.status_code == 200 and sentence in answer.text
    assert ann.post("/players/nobody/block").status_code == 404
    assert "That is you" in ann.post("/players/ann/block", follow_redirects=True).text
    assert club.client().post("/players/bob/block").status_code == 403


def test_who_is_blocked_sees_the_page_as_ever_and_a_refusal_that_tells_nothing(club):
    bob = club.client("bob")

    def seen():
        return bob.get("/players/ann").text

    before = seen()
    club.client("ann").post("/players/bob/block")
    assert seen() == before
    refused = club.client("bob").post("/challenge", data={"game": "duel", "handle": "ann"})
    assert refused.status_code == 422 and "ann does not want to play now." in refused.text
    assert "/players/ann" not in club.client("bob").get("/partners").text
    assert "Unblock" in club.client("ann").get("/players/bob").text


def test_the_list_of_people_kept_away_takes_handles_and_keeps_what_was_typed(club):
    ann = club.client("ann")
    assert "bob is blocked" in ann.post("/settings/people", data={"handle": "bob"}, follow_redirects=True).text
    muted = ann.post("/settings/people", data={"handle": "cleo", "how": "mute"}, follow_redirects=True)
    assert "cleo is muted" in muted.text and "/players/cleo/unmute" in muted.text
    refused = ann.post("/settings/people", data={"handle": "nobody7"})
    assert refused.status_code == 422
    assert 'value="nobody7"' in refused.text
    assert "Nobody here is called" in refused.text


def test_a_game_is_muted_on_its_page_by_its_players_alone(club):
    ann = club.client("ann")
    club.client("bob").post("/games/1/say", data={"text": TALK})
    assert TALK in ann.get("/games/1").text
    assert TALK not in ann.post("/games/1/mute", follow_redirects=True).text
    assert TALK in ann.post("/games/1/unmute", follow_redirects=True).text
    assert club.client("cleo").post("/games/1/mute").status_code == 403
    assert club.client("cleo").post("/games/9/mute").status_code == 404


def test_a_report_is_written_on_a_page_that_keeps_what_was_typed(club):
    ann = club.client("ann")
    assert "What happened?" in ann.get("/players/bob/report?game=1").text
    sent = ann.post("/players/bob/report", data={"words": "rude", "game": "1"}, follow_redirects=True)
    assert "Your report has been saved" in sent.text
    refused = ann.post("/players/bob/report", data={"words": "rude, too", "game": "77"})
    assert refused.status_code == 422
    assert "rude, too" in refused.text
    assert "You do not play game 77" in refused.text
    assert ann.post("/players/nobody/report", data={"words": "rude"}).status_code in (404, 422)


@given(handle=st.text(max_size=60), how=st.sampled_from(["block", "mute", "", "x" * 99]), words=st.text(max_size=80))
@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_typed_is_answered_with_a_page(club, handle, how, words):
    ann = club.client("ann")
    assert ann.post("/settings/people", data={"handle": handle, "how": how}).status_code in (303, 422, 429)
    assert ann.post("/players/bob/report", data={"words": words, "game": handle}).status_code in (303, 422, 429)
