"""Who moves by mail is told what was played, once, unless they say no; a move on the page needs no letter."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from correspondence.core import db, schema, tokens
from correspondence.inbound import mailbox
from correspondence.models import Address, Letter, LetterState, Person
from correspondence.models.loading import position_of
from tests.post import html_of, reply_address, text_of
from tests.test_migrations import upgraded
from tests.world import MAIL, World

DOOR = "play@games.example"


@pytest.fixture
def table(town):
    """Ann, who gets receipts, is to move against Bob, who gets none."""
    town.join("ann", receipts=True)
    town.join("bob", "cleo")
    town.number = town.match()
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def flat_text(letter):
    return " ".join(text_of(letter).split())


def kinds(town, name="ann"):
    return [str(letter["Feedback-ID"]).split(":")[0] for letter in town.letters(name)]


def test_a_move_by_mail_is_told_with_the_board_after_it_and_the_time_that_the_other_has(table):
    table.answer(table.turn, "C3/f2=b\nGood luck!")
    (receipt,) = table.letters("ann")
    assert "You played c3/f2=B. bob has 10 days to answer." in flat_text(receipt) and "You played" in html_of(receipt)
    assert "Points: White 0, Black 0." in flat_text(receipt)
    assert receipt["Auto-Submitted"] == "auto-replied" and receipt["In-Reply-To"] is not None
    assert "[Game 1 vs bob]" in str(receipt["Subject"]) and receipt["List-Unsubscribe-Post"] is not None
    assert kinds(table, "bob") == ["turn"]


def test_a_receipt_can_be_answered_as_any_letter_of_the_game(table):
    table.answer(table.turn, "c3/f2=B")
    receipt = table.letter("ann")
    table.play(table.number, "bob", "c6/a7=B")
    table.answer(receipt, "takeback")
    assert "take" in flat_text(table.letter("bob"))


def test_who_says_no_gets_none_and_can_have_them_back(table):
    table.answer(table.turn, "settings receipt off")
    table.answer(table.turn, "c3/f2=B")
    assert kinds(table) == ["answer"]
    table.answer(table.turn, "settings receipt on")
    table.play(table.number, "bob", "c6/a7=B")
    table.answer(table.letter("ann"), _legal(table))
    assert kinds(table)[-1] == "receipt"


def _legal(town, number=1, seat=0):
    position = position_of(town.stand(number))
    return position.write(seat, next(iter(position.view(seat).legal_moves(seat))))


def test_receipts_are_what_a_new_member_gets():
    assert Person(handle="ann").receipts


def test_a_move_on_the_page_needs_no_receipt(table):
    table.play(table.number, "ann", "c3/f2=B")
    assert table.letters("ann") == []


def test_a_refused_move_and_words_are_answered_and_get_no_receipt(table):
    table.answer(table.turn, "c9/f2=B")
    table.answer(table.turn, "Good luck, Bob!")
    table.wait(minutes=6)
    assert kinds(table) == ["answer", "answer"]
    assert "It is still your turn." in flat_text(table.letter("ann"))


def test_an_answer_that_tells_of_the_move_is_the_receipt_and_shows_the_board(table):
    table.answer(table.turn, "c3/f2=B\ngames")
    (answer,) = table.letters("ann")
    assert all(words in flat_text(answer) for words in ("Played: c3/f2=B", "Your games", "Points: White 0"))


OTHER = "ann@elsewhere.example"


@pytest.fixture
def other_address(table):
    """Ann may write from another address, too, to which no letters go."""
    with db.transaction(table.engine) as session:
        number = table.person(session, "ann").id
        session.add(Address(person_id=number, mail=OTHER, mail_key=OTHER, verified_at=table.time))


def test_a_letter_that_it_is_ones_turn_again_is_the_receipt(table):
    table.mail("bob@example.org", _box(table, "bob"), "if c3/f2=B then c6/a7=B")
    table.received.clear()
    table.answer(table.turn, "c3/f2=B")
    assert table.moves(1) == ["c3/f2=B", "c6/a7=B"] and kinds(table) == ["turn"]


@pytest.mark.parametrize("sender", ["ann@example.org", OTHER])
@pytest.mark.usefixtures("other_address")
def test_who_plays_alone_is_told_of_each_move_once(table, sender):
    table.mail("ann@example.org", DOOR, "puzzle goal=3")
    table.answer(table.letter("ann"), "yes")
    before = len(table.letters("ann"))
    table.answer(table.letter("ann"), _legal(table, 2), sender=sender)
    assert kinds(table)[before:] == ["turn"]


def test_where_that_letter_waits_for_a_digest_the_receipt_comes(table):
    with db.transaction(table.engine) as session:
        table.person(session, "ann").digest = "daily"
    table.mail("bob@example.org", _box(table, "bob"), "if c3/f2=B then c6/a7=B")
    table.received.clear()
    table.answer(table.turn, "c3/f2=B")
    assert kinds(table) == ["receipt"]


def _box(town, name):
    from correspondence.core import tokens

    with db.reading(town.engine) as session:
        token = town.player(session, 1, name).token_id
    return f"r.{tokens.spell(town.settings.secret_key, token)}@games.example"


def test_the_end_of_the_game_is_told_once(town):
    town.join("ann", receipts=True)
    town.mail("ann@example.org", DOOR, "puzzle goal=1")
    town.answer(town.letter("ann"), "yes")
    puzzle = town.letter("ann")
    before = len(town.letters("ann"))
    town.answer(puzzle, _legal(town))
    assert kinds(town)[before:] != [] and "receipt" not in kinds(town)[before:]


def test_a_mail_whose_header_asks_for_no_answers_gets_no_receipt(table):
    table.answer(table.turn, "c3/f2=B", X_Auto_Response_Suppress="All")
    assert table.moves(1) == ["c3/f2=B"] and table.letters("ann") == []


def test_the_same_mail_twice_has_one_receipt(table):
    raw = table.compose("ann@example.org", reply_address(table.turn), "c3/f2=B", answering=table.turn)
    for _copy in range(2):
        table.put(raw, reply_address(table.turn))
        table.sweep()
    assert kinds(table) == ["receipt"]


def test_a_receipt_is_in_the_language_of_its_reader(table):
    with db.transaction(table.engine) as session:
        table.person(session, "ann").language = "it"
    table.answer(table.turn, "c3/f2=B")
    assert "Hai giocato c3/f2=B. bob ha 10 giorni per rispondere." in flat_text(table.letter("ann"))


def test_a_receipt_shows_of_hidden_things_what_its_reader_may_see(town):
    town.join("ann", receipts=True)
    town.join("bob", receipts=True)
    number = town.match("plateau")
    for name, seat in (("ann", 0), ("bob", 1)):
        town.mail(f"{name}@example.org", _box(town, name), _legal(town, number, seat))
        receipt = next(letter for letter in reversed(town.letters(name)) if "You played" in text_of(letter))
        scene = position_of(town.stand(number)).scene(seat)
        assert scene.summary in html_of(receipt) or scene.title in flat_text(receipt)
        other = position_of(town.stand(number)).scene(1 - seat)
        assert other == scene or other.summary not in html_of(receipt)


def test_moves_in_several_games_have_one_receipt_for_all(table):
    table.match("duel", black="cleo")
    table.mail("ann@example.org", DOOR, "help")
    desk = table.letter("ann")
    table.received.clear()
    table.answer(desk, "1: c3/f2=B\n2: 5@b3")
    (receipt,) = table.letters("ann")
    answer = flat_text(receipt)
    assert "Game 1 against bob. Played: c3/f2=B" in answer and "bob has 10 days to answer." in answer
    assert "Game 2 against cleo. Played: 5@b3" in answer and "cleo has 10 days to answer." in answer
    assert "Points: White 0" in answer and "White's supply" in answer


def test_a_named_move_is_told_in_the_thread_of_its_game(table):
    table.mail("ann@example.org", DOOR, "help")
    desk = table.letter("ann")
    table.received.clear()
    table.answer(desk, "1 c3/f2=B")
    assert "[Game 1 vs bob]" in str(table.letter("ann")["Subject"]) and kinds(table) == ["receipt"]


@pytest.mark.parametrize("sender", ["ann@example.org", OTHER])
@pytest.mark.usefixtures("other_address")
def test_no_number_of_moves_in_a_day_is_told_more_often_than_the_limit_of_answers_allows(table, sender):
    table.answer(table.turn, "c3/f2=B")
    with db.transaction(table.engine) as session:
        model = session.exec(select(Letter).where(Letter.kind == "receipt")).one()
        for copy in range(60):
            row = model.model_dump(exclude={"id"}) | {"key": f"receipt:x{copy}", "message_id": f"x{copy}"}
            session.add(Letter(**row))
    table.received.clear()
    table.time += timedelta(minutes=1)
    table.play(1, "bob", "c6/a7=B")
    table.received.clear()
    table.mail(sender, _box(table, "ann"), _legal(table))
    assert len(table.moves(1)) == 3 and "receipt" not in kinds(table)


def test_members_of_an_older_installation_keep_receipts_and_reminders(tmp_path):
    engine = upgraded(tmp_path, "0002")
    with engine.begin() as connection:
        for name, notices in (("ann", 1), ("bob", 0)):
            connection.execute(
                text(
                    "INSERT INTO person (handle, handle_key, language, zone, text_only, turn_letters, talk_letters, "
                    "reminders, receipts, game_over_letters, challenge_letters, turn_delay, digest, digest_hour, "
                    "joined_at, off_hours, reminder_lead, refuses_time_wins, vacation_hours_left) VALUES (:name, :name, "
                    "'en', 'UTC', 0, 1, :notices, :notices, 0, 1, 1, 0, 'off', 7, '2026-01-01', '', :lead, 0, 720)"
                ),
                {"name": name, "notices": notices, "lead": 24 * notices},
            )
    schema.prepare(engine)
    with db.reading(engine) as session:
        people = session.exec(select(Person).order_by(Person.handle)).all()
    assert [(person.handle, person.receipts, person.reminder_leads) for person in people] == [
        ("ann", True, "24"),
        ("bob", False, ""),
    ]
    engine.dispose()


# -- five minutes ---------------------------------------------------------------------------


@pytest.fixture
def slow_post(tmp_path):
    """Ann and bob play by mail; letters wait in the outbox until somebody lets them out."""
    world = World(tmp_path, **MAIL)
    world.join("ann", "bob", receipts=True)
    world.number = world.match()
    yield world
    world.close()


def _mailed(world, name, text):
    with db.reading(world.engine) as session:
        token = tokens.spell(world.settings.secret_key, world.player(session, world.number, name).token_id)
    world.put(world.compose(f"{name}@example.org", f"r.{token}@games.example", text), f"r.{token}@games.example", name)
    mailbox.drain(world.engine, world.settings, now=world.time, rng=world.rng)


def _receipts(world, state):
    with db.reading(world.engine) as session:
        return [one for one in session.exec(select(Letter)) if one.kind == "receipt" and one.state == state]


def test_a_receipt_waits_five_minutes_for_a_letter_that_says_more(slow_post):
    _mailed(slow_post, "ann", "c3/f2=B")
    [receipt] = _receipts(slow_post, LetterState.QUEUED)
    assert receipt.due_at == slow_post.time + timedelta(minutes=5)


def test_a_quick_answer_takes_the_place_of_the_receipt(slow_post):
    _mailed(slow_post, "ann", "c3/f2=B")
    slow_post.clock.go(minutes=4)
    _mailed(slow_post, "bob", "c6/a7=B")
    assert len(_receipts(slow_post, LetterState.MERGED)) == 1
