"""Offers in a game: an answer names what it answers, what has ended is refused, and no letter offers what is gone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Letter, LetterState, Offer, OfferKind, OfferState
from correspondence.ops.sending_sweeps import sweep_events
from correspondence.play import matches, offers, record_moves
from tests.post import text_of
from tests.programs import Program
from tests.world import mail_world

GAME = 1


@pytest.fixture
def game(tmp_path):
    """A game of ann and bob in which each has moved once; ann is to move."""
    world = mail_world(tmp_path)
    world.join("ann", "bob", "cleo")
    world.match()
    world.open(GAME)
    yield world
    world.close()


def rows(world):
    with db.reading(world.engine) as session:
        return [(offer.kind, offer.seat, offer.state) for offer in session.exec(select(Offer).order_by(Offer.id))]


def standing(world):
    """The open offers of a running game."""
    with db.reading(world.engine) as session:
        is_over = world.stand(GAME).ended_at is not None
        return [] if is_over else [(offer.kind, offer.seat) for offer in record_moves.open_offers(session, GAME)]


def act(world, name, use_case, *more, **named):
    with db.transaction(world.engine) as session:
        result = use_case(session, world.player(session, GAME, name), *more, now=world.time, **named)
    world.deliver()
    return result


def ask(world, name, kind):
    use_case = {"draw": matches.offer_draw, "takeback": offers.offer_takeback, "pause": offers.offer_pause}[kind]
    act(world, name, use_case, *([3] if kind == "pause" else []))


def fields(page, action):
    """The hidden fields of the form with this action."""
    form = re.search(rf'<form method="post" action="/games/{GAME}/{action}".*?</form>', page, re.S)
    return dict(re.findall(r'name="(offer|ply|takebacks)" value="([^"]*)"', form[0]))


# -- an answer names what it answers -------------------------------------------------------


def by_page(world, kind):
    """How bob agrees on a page that was loaded while the offer stood."""
    given = fields(world.client("bob").get(f"/games/{GAME}").text, kind)
    return lambda: world.client("bob").post(f"/games/{GAME}/{kind}", data=given).text


def by_letter(world, kind):
    """How bob agrees in reply to the letter that told of the offer."""
    letter = world.letter("bob")

    def answer():
        world.answer(letter, kind)
        return text_of(world.letter("bob"))

    return answer


def by_the_word_accept(world, kind):
    """How bob agrees with one word in reply to that letter."""
    letter = world.letter("bob")

    def answer():
        world.answer(letter, "accept")
        return text_of(world.letter("bob"))

    return answer


def by_program(world, kind):
    """How bob's program agrees, by the number of the offer."""
    program = Program(world, "bob")
    (offer,) = program.get(f"/games/{GAME}").json["offers"]
    return lambda: program.post(f"/games/{GAME}/{kind}", {"offer": offer["number"]}).text


def by_old_program(world, kind):
    """How a program agrees that names nothing."""
    return lambda: Program(world, "bob").post(f"/games/{GAME}/{kind}", {} if kind == "pause" else None).text


WAYS = [by_page, by_letter, by_the_word_accept, by_program, by_old_program]


@pytest.mark.parametrize("kind", OfferKind)
@pytest.mark.parametrize("way", WAYS)
def test_agreeing_twice_makes_no_offer_of_ones_own(game, way, kind):
    ask(game, "ann", kind)
    agree = way(game, kind)
    agree()
    assert rows(game) == [(kind, 0, OfferState.TAKEN)]
    second = agree()
    assert rows(game) == [(kind, 0, OfferState.TAKEN)] and "We've reminded your opponent" not in second


@pytest.mark.parametrize("kind", OfferKind)
@pytest.mark.parametrize("way", WAYS)
def test_agreeing_to_a_lapsed_offer_is_refused_with_a_sentence(game, way, kind):
    ask(game, "ann", kind)
    agree = way(game, kind)
    game.time += timedelta(minutes=1)
    game.play(GAME, "ann", "e3/f2=N")
    if kind != OfferKind.TAKEBACK:
        game.play(GAME, "bob", "e6/a7=N")
    assert "lapsed" in agree() and rows(game) == [(kind, 0, OfferState.LAPSED)]


@pytest.mark.parametrize("kind", OfferKind)
@pytest.mark.parametrize("way", WAYS)
def test_agreeing_to_a_withdrawn_offer_is_refused(game, way, kind):
    ask(game, "ann", kind)
    agree = way(game, kind)
    game.time += timedelta(minutes=1)
    act(game, "ann", offers.withdraw)
    assert "withdrawn" in agree() and rows(game) == [(kind, 0, OfferState.WITHDRAWN)]


@pytest.mark.parametrize("kind", OfferKind)
def test_a_request_from_an_earlier_moment_is_refused(game, kind):
    page = game.client("ann").get(f"/games/{GAME}").text
    program, moment = Program(game, "ann"), {"ply": 2, "takebacks": 0, **({"days": 3} if kind == "pause" else {})}
    stale = {**fields(page, kind), "days": "3"}
    assert stale == {"ply": "2", "takebacks": "0", "days": "3"}
    ask(game, "ann", "takeback")
    ask(game, "bob", "takeback")
    game.play(GAME, "ann", "c3/f2=B")
    game.play(GAME, "bob", "c6/a7=B")
    answers = [
        game.client("ann").post(f"/games/{GAME}/{kind}", data=stale),
        program.post(f"/games/{GAME}/{kind}", moment),
    ]
    assert all(answer.status_code == 409 and "taken back since" in answer.text for answer in answers)
    assert standing(game) == []


def test_a_request_for_ones_own_move_grants_nobody_theirs(game):
    page = game.client("ann").get(f"/games/{GAME}").text
    ask(game, "bob", "takeback")
    answer = game.client("ann").post(f"/games/{GAME}/takeback", data=fields(page, "takeback"))
    assert answer.status_code == 409 and "asks for their own move back" in answer.text
    assert len(game.moves(GAME)) == 2 and standing(game) == [("takeback", 1)]


def test_a_request_mailed_twice_asks_once_even_after_it_was_granted(game):
    letter = game.letter("ann")
    game.answer(letter, "takeback")
    game.time += timedelta(minutes=1)
    game.answer(game.letter("bob"), "takeback")
    game.time += timedelta(minutes=1)
    game.answer(letter, "takeback")
    assert rows(game) == [("takeback", 0, OfferState.TAKEN)]


def test_a_program_repeats_no_move_that_was_taken_back(game):
    program, move = Program(game, "ann"), {"ply": 2, "move": "e3/f2=N"}
    with_moment = {**move, "takebacks": 0}
    assert program.post(f"/games/{GAME}/moves", with_moment).status_code == 200
    ask(game, "ann", "takeback")
    ask(game, "bob", "takeback")
    refused = [program.post(f"/games/{GAME}/moves", body) for body in (move, with_moment)]
    assert [answer.status_code for answer in refused] == [409, 409] and len(game.moves(GAME)) == 2
    assert program.post(f"/games/{GAME}/moves", {**move, "takebacks": 1}).status_code == 200
    assert program.post(f"/games/{GAME}/moves", {**move, "takebacks": 1}).status_code == 200
    assert len(game.moves(GAME)) == 3 and program.get(f"/games/{GAME}").json["takebacks"] == 1


def test_numbers_of_offers_do_not_count_other_offers(game, tmp_path):
    ask(game, "ann", "draw")
    (alone,) = Program(game, "ann").get(f"/games/{GAME}").json["offers"]
    other = mail_world(tmp_path / "other")
    other.join("ann", "bob", "cleo")
    other.match()
    other.open(GAME)
    more = other.match("proteus-dice", "bob", "cleo")
    with db.transaction(other.engine) as session:
        matches.offer_draw(session, other.player(session, more, "bob"), now=other.time)
    ask(other, "ann", "draw")
    (busy,) = Program(other, "ann").get(f"/games/{GAME}").json["offers"]
    other.close()
    assert alone == busy


# -- offers end -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [OfferKind.DRAW, OfferKind.PAUSE])
@pytest.mark.parametrize("offerer", ["ann", "bob"])
def test_an_offer_ends_with_a_take_back(game, kind, offerer):
    ask(game, offerer, kind)
    ask(game, "ann", "takeback")
    act(game, "bob", offers.accept, OfferKind.TAKEBACK)
    assert standing(game) == []


@pytest.mark.parametrize(("language", "words"), [("en", "offers you a draw"), ("it", "ti offre la patta")])
def test_what_is_withdrawn_stands_in_no_letter_that_leaves_later(game, language, words):
    with db.transaction(game.engine) as session:
        game.person(session, "bob").language = language
        matches.offer_draw(session, game.player(session, GAME, "ann"), now=game.time)
        matches.make_move(session, game.player(session, GAME, "ann"), "e3/f2=N", now=game.time, by="web")
        waiting = session.exec(select(Letter).where(Letter.state == LetterState.QUEUED)).all()
        assert any(words in letter.text for letter in waiting)
        offers.withdraw(session, game.player(session, GAME, "ann"), now=game.time)
    game.received.clear()
    game.time += timedelta(hours=1)
    game.deliver()
    letters = game.letters("bob")
    assert letters and all(words not in str(letter) for letter in letters)


@pytest.mark.parametrize("kind", OfferKind)
def test_a_letter_that_waits_offers_nothing_that_is_gone(game, kind):
    game.received.clear()
    with db.transaction(game.engine) as session:
        ann = game.player(session, GAME, "ann")
        use_case = {"draw": matches.offer_draw, "takeback": offers.offer_takeback}.get(kind)
        use_case(session, ann, now=game.time) if use_case else offers.offer_pause(session, ann, 3, now=game.time)
        offers.withdraw(session, ann, now=game.time)
    game.time += timedelta(hours=1)
    game.deliver()
    assert game.letters("bob") == []


def test_a_digest_offers_no_draw_that_has_lapsed(game):
    with db.transaction(game.engine) as session:
        game.person(session, "bob").digest = True
    game.play(GAME, "ann", "e3/f2=N")
    ask(game, "ann", "draw")
    game.play(GAME, "bob", "e6/a7=N")
    game.time += timedelta(days=2)
    game.deliver()
    assert all("draw is offered" not in text_of(letter) for letter in game.letters("bob"))


@pytest.mark.parametrize("end", ["declined", "withdrawn", "moved on", "taken back"])
@pytest.mark.parametrize("kind", [OfferKind.DRAW, OfferKind.PAUSE])
def test_talk_that_waits_tells_of_no_offer_that_has_ended(game, kind, end):
    """ann is to move; her words and her offer go out in one letter."""
    words = {"draw": "offers you a draw", "pause": "proposes to stop all clocks"}[kind]
    game.received.clear()
    with db.transaction(game.engine) as session:
        ann, bob = (game.player(session, GAME, name) for name in ("ann", "bob"))
        if kind == OfferKind.DRAW:
            matches.offer_draw(session, ann, now=game.time)
        else:
            offers.offer_pause(session, ann, 3, now=game.time)
        matches.say(session, ann, "What a game!", now=game.time)
        waiting = session.exec(select(Letter).where(Letter.kind == "talk", Letter.state == LetterState.QUEUED)).one()
        assert words in waiting.text and words in waiting.html
        if end == "declined":
            offers.decline(session, bob, now=game.time)
        elif end == "withdrawn":
            offers.withdraw(session, ann, now=game.time)
        elif end == "taken back":
            offers.offer_takeback(session, bob, now=game.time)
            offers.accept(session, ann, OfferKind.TAKEBACK, now=game.time)
        else:
            matches.make_move(session, ann, "e3/f2=N", now=game.time, by="web")
            matches.make_move(session, bob, "e6/a7=N", now=game.time, by="web")
    game.time += timedelta(hours=1)
    game.deliver()
    letters = [letter for letter in game.letters("bob") if "What a game!" in str(letter)]
    assert letters and all(words not in str(letter) for letter in letters)


# -- declining is told ----------------------------------------------------------------------

DECLINED = {
    "draw": "declined your offer of a draw",
    "pause": "declined the pause",
    "takeback": "declined to let you take",
}


@pytest.mark.parametrize("kind", OfferKind)
def test_declining_is_told_by_letter_page_and_event(game, kind):
    program = Program(game, "ann")
    ask(game, "ann", kind)
    game.received.clear()
    act(game, "bob", offers.decline)
    game.deliver()
    (letter,) = game.letters("ann")
    assert DECLINED[kind] in text_of(letter)
    assert "Your opponent has declined" in game.client("ann").get(f"/games/{GAME}").text
    assert "has declined" not in game.client("bob").get(f"/games/{GAME}").text
    sweep_events(game.runtime)
    heard = [event for event in program.get("/events?after=0").json["events"] if event["type"] == "offer_declined"]
    assert [(event["data"]["kind"], event["data"]["state"]) for event in heard] == [(kind, "declined")]
    game.time += timedelta(minutes=1)
    game.play(GAME, "ann", "e3/f2=N")
    assert "has declined" not in game.client("ann").get(f"/games/{GAME}").text


def test_those_who_want_no_talk_get_no_letter_that_they_were_declined(game):
    with db.transaction(game.engine) as session:
        game.person(session, "ann").talk_letters = False
    ask(game, "ann", "draw")
    game.received.clear()
    act(game, "bob", offers.decline)
    assert game.letters("ann") == []


# -- one's own offer is withdrawn -----------------------------------------------------------


def withdraw_by_page(world, kind):
    given = fields(world.client("ann").get(f"/games/{GAME}").text, f"withdraw/{kind}")
    return world.client("ann").post(f"/games/{GAME}/withdraw/{kind}", data=given, follow_redirects=True).text


def withdraw_by_program(world, kind):
    return Program(world, "ann").post(f"/games/{GAME}/withdraw", {"kind": kind}).text


def withdraw_by_mail(line):
    def withdraw(world, kind):
        world.answer(world.letter("ann"), line.format(kind=kind))
        return text_of(world.letter("ann"))

    return withdraw


@pytest.mark.parametrize("kind", OfferKind)
@pytest.mark.parametrize(
    "way",
    [
        withdraw_by_page,
        withdraw_by_program,
        *map(withdraw_by_mail, ("withdraw", "withdraw {kind}", "Withdraw my {kind} offer.", "ritiro {kind}")),
    ],
)
def test_ones_own_offer_is_withdrawn(game, way, kind):
    game.play(GAME, "ann", "e3/f2=N")
    game.play(GAME, "bob", "e6/a7=N")
    ask(game, "ann", kind)
    answer = way(game, kind)
    assert "withdrawn" in answer or "You have withdrawn" in answer
    assert rows(game) == [(kind, 0, OfferState.WITHDRAWN)]


def test_withdrawing_nothing_is_refused_with_a_sentence(game):
    game.answer(game.letter("ann"), "withdraw draw")
    assert "no open offer of that kind" in text_of(game.letter("ann"))


# -- a take-back says which moves go --------------------------------------------------------


@pytest.mark.parametrize(("has_replied", "going"), [(False, ["3. e3/f2=N"]), (True, ["3. e3/f2=N", "4. e6/a7=N"])])
def test_a_take_back_names_the_moves_that_go(game, has_replied, going):
    game.play(GAME, "ann", "e3/f2=N")
    if has_replied:
        game.play(GAME, "bob", "e6/a7=N")
    words = " and ".join(going)
    assert f"Ask to take back {words}</button>" in game.client("ann").get(f"/games/{GAME}").text
    game.answer(game.letter("ann"), "takeback")
    assert all(words in " ".join(text_of(game.letter(name)).split()) for name in ("ann", "bob"))
    assert f"Take back {words}</button>" in game.client("bob").get(f"/games/{GAME}").text
    (offer,) = Program(game, "bob").get(f"/games/{GAME}").json["offers"]
    assert offer["plies"] == [3, 4][: len(going)]
