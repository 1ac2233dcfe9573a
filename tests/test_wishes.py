"""What a person wishes of letters, on the page and by mail: fewer, later, together, and none that is needless."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.matchmaking import challenges
from correspondence.models import Letter, Person, Player, Token
from correspondence.ops.sending_sweeps import sweep_outbox
from correspondence.ops.worker import sweep_digests
from correspondence.play import matches, unseen
from correspondence.queries import queries
from tests.outgoing import ScriptedPost
from tests.post import text_of


@pytest.fixture
def table(town):
    """A game of ann against bob in which no letter waits."""
    town.time = town.time.replace(hour=9)
    town.join("ann", "bob")
    number = town.match()
    town.received.clear()
    return town, number


def post(town, **span):
    """The letters that leave now, or after a while, as their readers see them."""
    town.time += timedelta(**span)
    sweep_digests(town.runtime)
    taken = ScriptedPost()
    sweep_outbox(town.runtime, taken)
    return [message_from_bytes(raw, policy=default) for _sender, _to, raw in taken.taken]


def wish(town, name, **wishes):
    with db.transaction(town.engine) as session:
        person = town.person(session, name)
        for wanted, value in wishes.items():
            setattr(person, wanted, value)
        session.add(person)


def move(town, number, name, text, **more):
    with db.transaction(town.engine) as session:
        player = town.player(session, number, name)
        matches.make_move(session, player, text, now=town.time, by="mail", **more)


def say(town, number, name, text):
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, name), text, now=town.time)


def look(town, number, name):
    """The page of the game is shown to somebody."""
    with db.transaction(town.engine) as session:
        seen = queries.game_view(session, number, town.person(session, name).id)
        player = town.player(session, number, name)
        unseen.mark_seen(session, player, seen.ply, remark=seen.last_remark, now=town.time)


def fates(town, name, kind):
    with db.reading(town.engine) as session:
        person = town.person(session, name)
        found = select(Letter).where(Letter.person_id == person.id, Letter.kind == kind).order_by(Letter.id)
        return [letter.state.value for letter in session.exec(found)]


def test_several_words_of_talk_within_minutes_are_one_letter(table):
    town, number = table
    for words in ("One.", "Two.", "Three."):
        say(town, number, "ann", words)
        assert post(town, minutes=1) == []
    [letter] = post(town, minutes=2)
    assert all(words in text_of(letter) for words in ("One.", "Two.", "Three."))
    assert fates(town, "bob", "talk") == ["merged", "merged", "sent"]


def test_talk_never_delays_a_turn_notice_which_tells_it_as_well(table):
    town, number = table
    say(town, number, "ann", "Here it comes.")
    move(town, number, "ann", "c3/f2=B")
    [letter] = post(town)
    assert "ann played c3/f2=B." in text_of(letter) and "Here it comes." in text_of(letter)
    assert post(town, minutes=30) == []


def test_a_draw_offered_and_the_move_after_it_are_one_letter(table):
    town, number = table
    with db.transaction(town.engine) as session:
        matches.offer_draw(session, town.player(session, number, "ann"), now=town.time)
    move(town, number, "ann", "c3/f2=B")
    [letter] = post(town, minutes=30)
    assert "ann played c3/f2=B." in text_of(letter) and "ann offers you a draw" in " ".join(text_of(letter).split())


def test_a_letter_that_was_being_sent_already_is_not_told_twice_over(table):
    town, number = table
    say(town, number, "ann", "One.")
    assert len(post(town, minutes=6)) == 1
    say(town, number, "ann", "Two.")
    [second] = post(town, minutes=6)
    assert "One." not in text_of(second) and "Two." in text_of(second)


def test_a_position_that_the_page_has_shown_since_is_not_mailed(table):
    town, number = table
    wish(town, "bob", turn_delay=30)
    move(town, number, "ann", "c3/f2=B")
    assert post(town, minutes=10) == []
    look(town, number, "bob")
    assert post(town, minutes=30) == [] and fates(town, "bob", "turn") == ["cancelled"]


def test_presence_is_not_enough_the_position_itself_must_have_been_shown(table):
    town, number = table
    other = town.match()
    town.received.clear()
    wish(town, "bob", turn_delay=30)
    look(town, number, "bob")
    move(town, number, "ann", "c3/f2=B")
    look(town, other, "bob")
    assert len(post(town, minutes=31)) == 1


def test_talk_that_the_page_has_shown_is_not_mailed_and_later_talk_is(table):
    town, number = table
    say(town, number, "ann", "One.")
    look(town, number, "bob")
    assert post(town, minutes=6) == []
    say(town, number, "ann", "Two.")
    assert len(post(town, minutes=6)) == 1


def test_the_page_of_a_game_notes_what_it_showed_when_it_says_so_and_never_because_it_was_fetched(world):
    for name in ("ann", "bob", "zoe"):
        world.join(name)
    number = world.match("duel")

    def shown():
        with db.reading(world.runtime.engine) as session:
            return [(p.shown_ply, p.shown_remark) for p in session.exec(select(Player).order_by(Player.seat))]

    ann = world.client("ann")
    page = ann.get(f"/games/{number}").text
    assert 'data-part="seen"' in page
    assert 'data-part="seen"' not in world.client("zoe").get(f"/games/{number}").text
    assert shown() == [(-1, 0), (-1, 0)]
    ann.post(f"/games/{number}/seen", data={"ply": "0", "remark": "0"})
    assert shown() == [(0, 0), (-1, 0)]
    assert 'data-part="seen"' not in ann.get(f"/games/{number}").text


def test_quiet_hours_hold_letters_until_they_end(table):
    town, number = table
    wish(town, "bob", quiet_from=8, quiet_until=17)  # it is nine o'clock
    move(town, number, "ann", "c3/f2=B")
    assert post(town, hours=7) == []
    assert len(post(town, hours=1)) == 1


def test_a_daily_digest_is_one_letter_with_the_most_urgent_game_first(table):
    town, first = table
    wish(town, "bob", digest="daily", digest_hour=18, zone="Europe/Rome")
    second = town.match()
    town.received.clear()
    for number in (second, first):
        move(town, number, "ann", "c3/f2=B")
        town.time += timedelta(minutes=10)
    say(town, first, "ann", "Good luck to you.")
    assert post(town, hours=7) == []
    [digest] = post(town, hours=1, minutes=1)
    text = text_of(digest)
    assert digest["Subject"] == "2 games wait for your move" and digest["Precedence"] == "bulk"
    assert digest["References"] is None and digest["List-Id"] is None
    assert text.index(f"Game {second}, ") < text.index(f"Game {first}, ") and "Good luck to you." in text
    assert "CET" in text and "[Game" not in text
    with db.reading(town.engine) as session:
        own = session.exec(select(Letter).where(Letter.kind == "digest")).one()
        assert own.match_id is None and session.get(Token, own.reply_token_id).match_id is None
    assert fates(town, "bob", "turn") == ["merged", "merged"]
    assert post(town, hours=24) == []


def test_a_digest_of_nothing_that_is_still_wanted_is_not_sent(table):
    town, number = table
    wish(town, "bob", digest="hourly")
    move(town, number, "ann", "c3/f2=B")
    look(town, number, "bob")
    assert post(town, hours=2) == [] and fates(town, "bob", "turn") == ["cancelled"]


def test_a_reply_to_a_digest_of_one_game_is_a_move_there(table):
    town, number = table
    wish(town, "bob", digest="hourly")
    move(town, number, "ann", "c3/f2=B")
    [digest] = post(town, hours=2)
    town.answer(digest, "c6/a7=B")
    assert town.moves(number) == ["c3/f2=B", "c6/a7=B"]
    town.answer(digest, f"show {number}")
    assert f"The board of game {number}" in text_of(town.letter("bob"))


def test_two_workers_write_one_digest(table):
    town, number = table
    wish(town, "bob", digest="hourly")
    move(town, number, "ann", "c3/f2=B")
    town.time += timedelta(hours=2)
    assert (sweep_digests(town.runtime), sweep_digests(town.runtime)) == (1, 0)
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Letter).where(Letter.kind == "digest")).all()) == 1


def test_a_digest_tells_results_and_challenges_with_their_answers(table):
    town, number = table
    wish(town, "bob", digest="hourly")
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, number, "ann"), now=town.time)
        challenges.challenge(session, town.person(session, "ann"), "bob", "duel", {}, now=town.time)
    [digest, *_others] = [one for one in post(town, hours=2) if one["To"] == "bob@example.org"]
    text = text_of(digest)
    assert f"Game {number} is over." in text and "Reply with: accept" in text
    accepted = text.partition("Reply with: ")[2].partition(",")[0]
    town.answer(digest, accepted)
    assert town.stand(number + 1) is not None


def test_ending_the_digest_tells_at_once_what_waited(table):
    town, number = table
    town.agree("bob", "settings digest daily 7:00")
    move(town, number, "ann", "c3/f2=B")
    assert fates(town, "bob", "turn") == ["held"]
    town.agree("bob", "settings digest off")
    assert len([one for one in post(town, seconds=1) if one["Subject"] == "1 game waits for your move"]) == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("settings digest daily 7:00", "all in one letter – once a day, at 7:00"),
        ("settings digest hourly", "all in one letter – at most one an hour"),
        ("settings quiet 22-7", "no letters in these hours – 22:00–7:00"),
        ("settings quiet from 22:00 to 7:00", "no letters in these hours – 22:00–7:00"),
        ("settings quiet off", "no letters in these hours – off"),
        ("settings digest weekly", "A digest is daily, with an hour from 0 to 23 if you like, or hourly, or off."),
        ("settings", "a letter when a game is over: on"),
    ],
)
def test_letters_are_wished_for_by_mail(town, line, sentence):
    town.join("ann")
    town.agree("ann", line)
    assert sentence in text_of(town.letter("ann"))


@pytest.mark.parametrize("switch", ["game_over_letters", "challenge_letters"])
def test_a_kind_of_letter_that_is_not_wished_for_is_not_written(table, switch):
    town, number = table
    wish(town, "bob", **{switch: False})
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, number, "ann"), now=town.time)
        challenges.challenge(session, town.person(session, "ann"), "bob", "duel", {}, now=town.time)
    kinds = {"game_over_letters": ["challenge"], "challenge_letters": ["over"]}[switch]
    with db.reading(town.engine) as session:
        bob = town.person(session, "bob").id
        found = select(Letter.kind).where(Letter.person_id == bob, Letter.kind.in_(["over", "challenge"]))
        new = list(session.exec(found.order_by(Letter.id)))[1:]
    assert new == kinds


FORM = {
    "turn_letters": "on", "digest": "daily", "digest_hour": "18", "turn_delay": "30", "quiet_from": "22",
    "quiet_until": "7",
}  # fmt: skip


def test_wishes_are_kept_by_the_page(world):
    world.join("ann", zone="Europe/Rome")
    ann = world.client("ann")
    assert ann.post("/settings/letters", data=FORM).location == "/settings/letters"
    with db.reading(world.runtime.engine) as session:
        person = session.get(Person, 1)
        kept = (person.turn_letters, person.talk_letters, person.digest, person.digest_hour, person.turn_delay)
        assert kept == (True, False, "daily", 18, 30) and (person.quiet_from, person.quiet_until) == (22, 7)
    page = ann.get("/settings/letters").text
    assert 'value="daily" checked' in page
    assert '<option value="18" selected>18:00' in page
    assert "Europe/Rome" in page


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"digest": "weekly"}, "A digest is off, hourly or daily"),
        ({"turn_delay": "7"}, "a letter waits 0, 5, 30 or 120 minutes"),
        ({"digest_hour": "24"}, "Hours are whole numbers from 0 to 23."),
        ({"quiet_from": "x"}, "Hours are whole numbers from 0 to 23."),
        ({"quiet_until": ""}, "Quiet hours need a start and an end."),
    ],
)
def test_a_wish_that_cannot_be_is_refused_in_a_sentence_and_changes_nothing(world, change, sentence):
    world.join("ann")
    refused = world.client("ann").post("/settings/letters", data={**FORM, **change})
    assert refused.status_code == 422
    assert sentence in refused.text
    assert "quiet_from" in refused.text
    with db.reading(world.runtime.engine) as session:
        assert session.get(Person, 1).digest == "off"
