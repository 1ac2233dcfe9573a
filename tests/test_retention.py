"""What is old goes, and nothing that is needed goes with it: games, records, queues, and knowing a message again."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text, update
from sqlmodel import col, func, select

from correspondence.archive.import_export import export
from correspondence.core import db
from correspondence.core.config import LEAST_DAYS, SettingError, read_settings
from correspondence.core.signing import check_signature, signer_of
from correspondence.core.tokens import spell
from correspondence.inbound import mailbox
from correspondence.models import (
    Cause,
    ClockStop,
    Inbound,
    InboundState,
    Letter,
    LetterState,
    Outage,
    Person,
    Player,
    Token,
    Vacation,
)
from correspondence.ops import retention, worker
from correspondence.ops.cli import prune_command
from correspondence.outbound import compose
from engines.verification.checks import ClaimState, check_record
from tests.post import reply_address, text_of
from tests.sizes import examples
from tests.world import mail_world

DOOR = "play@games.example"


@pytest.fixture
def town(any_database, tmp_path):
    town = mail_world(tmp_path, database_url=any_database)
    town.join("ann", "bob")
    yield town
    town.close()


def prune(town, **days):
    """Drop what is old, as a worker does; returns how many rows of each kind went."""
    kept = replace(town.settings, **days)
    return {one.what: one.count for one in retention.prune(town.engine, kept, now=town.time)}


def letters(town, **conditions):
    with db.reading(town.engine) as session:
        query = select(Letter).where(*(getattr(Letter, name) == value for name, value in conditions.items()))
        return list(session.exec(query.order_by(col(Letter.id))))


def finished_game(town):
    number = town.match()
    town.open(number)
    town.resign(number, "bob")
    return number


def verifies(town, number):
    with db.reading(town.engine) as session:
        return check_record(export(session, number, signer_of(town.settings), now=town.time), check_signature).state


def joined(letter):
    return " ".join(text_of(letter).split())


# -- letters ---------------------------------------------------------------------------


def test_pictures_of_letters_that_left_go_after_a_day_and_no_others(town):
    town.match()
    town.delivers = False
    town.play(1, "ann", "c3/f2=B")
    assert prune(town)["pictures of letters"] == 0
    town.time += timedelta(days=2)
    assert prune(town)["pictures of letters"] >= 1
    for letter in letters(town):
        assert bool(letter.picture) == (letter.state == LetterState.QUEUED and letter.kind == "turn")
    assert [bool(one.picture) for one in letters(town, state=LetterState.QUEUED)] == [True]


def test_a_letter_without_its_diagrams_takes_a_fraction_of_the_room(town):
    town.mail("ann@example.org", DOOR, "rules duel")
    before = sum(len(one.picture) for one in letters(town))
    words = sum(len(one.text) + len(one.html) for one in letters(town))
    town.time += timedelta(days=2)
    prune(town)
    assert before > words and sum(len(one.picture) for one in letters(town)) == 0


def test_what_diagrams_were_called_is_still_known_as_ours(town):
    town.mail("ann@example.org", DOOR, "rules duel")
    [page] = [one for one in letters(town, kind="answer") if one.picture]
    before = compose.header_texts(page, town.settings)
    town.time += timedelta(days=2)
    prune(town)
    after = letters(town, id=page.id)[0]
    assert after.picture == "" and compose.header_texts(after, town.settings) == before
    assert any(name.startswith("diagram-") for name in before)


def test_words_of_letters_go_a_year_after_the_end_of_their_game_and_never_before(town):
    over, running = finished_game(town), town.match()
    town.time += timedelta(days=366)
    prune(town)
    assert {one.text for one in letters(town, match_id=over)} == {""}
    assert all(one.text and one.html for one in letters(town, match_id=running))
    assert all(one.subject and one.key for one in letters(town)), "what they were stays known"


def test_a_letter_that_was_set_aside_can_be_sent_again_while_its_words_are_kept(town):
    number = town.match()
    with db.transaction(town.engine) as session:
        session.execute(update(Letter).values(state=LetterState.FAILED, lost_leases=10))
    town.time += timedelta(days=300)
    prune(town)
    assert all(one.picture for one in letters(town, match_id=number, kind="turn"))


def test_who_answers_a_letter_whose_words_are_gone_is_told_and_nothing_is_done(town):
    town.mail("ann@example.org", DOOR, "games")
    old = town.letter("ann")
    town.time += timedelta(days=400)
    prune(town)
    town.received.clear()
    assert town.answer(old, "forget me\nseek duel") == "rejected: the letter is no longer kept"
    assert "so old that we no longer have its text" in joined(town.letter("ann"))
    town.answer(old, "games")
    assert len(town.letters("ann")) == 1, "and not for ever"
    assert town.mail("ann@example.org", reply_address(old), "games").startswith("done")


# -- messages --------------------------------------------------------------------------


def put_old(town, count=5, **fields):
    for number in range(count):
        town.mail("zoe@example.org", DOOR, f"help {number}")
    with db.transaction(town.engine) as session:
        if fields:
            session.execute(update(Inbound).values(**fields))


def messages(town):
    with db.reading(town.engine) as session:
        return list(session.exec(select(Inbound.id).order_by(col(Inbound.id))))


def test_messages_go_after_a_year_but_for_the_last_whose_number_must_not_be_given_again(town):
    put_old(town)
    town.time += timedelta(days=364)
    assert prune(town)["messages that were read"] == 0
    town.time += timedelta(days=2)
    assert prune(town)["messages that were read"] == 4 and messages(town) == [5]
    assert prune(town)["messages that were read"] == 0
    town.received.clear()
    town.mail("zoe@example.org", DOOR, "help")
    assert messages(town) == [5, 6] and len(town.received) == 1, "its answer has a key of its own"


@pytest.mark.parametrize("state", [InboundState.NEW, InboundState.TAKEN])
def test_a_message_that_waits_to_be_read_never_goes(town, state):
    put_old(town, state=state)
    town.time += timedelta(days=4000)
    assert prune(town)["messages that were read"] == 0


def test_messages_of_a_running_game_stay(town):
    number = town.match()
    put_old(town, match_id=number)
    town.time += timedelta(days=4000)
    assert prune(town)["messages that were read"] == 0


def test_messages_stay_where_a_mailbox_may_hand_them_over_once_more(town):
    put_old(town)
    town.time += timedelta(days=4000)
    assert "messages that were read" not in prune(town, mail_fetch="imaps://x:y@host/INBOX")


# -- addresses -------------------------------------------------------------------------


@pytest.fixture
def old(town):
    """The address of ann's last letter of a game that ended more than a year ago, and that letter."""
    finished_game(town)
    letter = town.letter("ann")
    town.time += timedelta(days=400)
    town.match()
    town.received.clear()
    return letter


def tokens_of(town, match_id):
    with db.reading(town.engine) as session:
        return list(session.exec(select(Token.id).where(col(Token.match_id) == match_id)))


def test_addresses_of_a_game_go_a_year_after_they_expired_and_its_record_still_verifies(town, old):
    running = tokens_of(town, 2)
    assert prune(town)["addresses and links of finished games"] == len(tokens_of(town, 1)) or tokens_of(town, 1) == []
    assert tokens_of(town, 1) == [] and tokens_of(town, 2) == running
    assert verifies(town, 1) == ClaimState.HOLDS
    with db.reading(town.engine) as session:
        assert session.exec(select(Player.token_id).where(col(Player.match_id) == 1)).all() == [None, None]


@pytest.mark.parametrize("is_pruned", [True, False])
@pytest.mark.parametrize("sender", ["ann@example.org", "stranger@example.net"])
def test_who_answers_a_letter_of_a_game_that_ended_long_ago_learns_why_nothing_happens(town, old, sender, is_pruned):
    if is_pruned:
        prune(town)
    with db.reading(town.engine) as session:
        assert mailbox.is_known(session, reply_address(old), town.settings, now=town.time) == is_pruned
    assert town.answer(old, "forget me\nresign", sender=sender) == "rejected: its reply address has expired"
    [notice] = town.received
    assert notice["To"] == sender and notice["Auto-Submitted"] == "auto-replied"
    assert "the address no longer works. Nothing was done." in joined(notice)
    assert "play@games.example" in joined(notice) and "https://games.example/games" in joined(notice)
    for _again in range(5):
        town.answer(old, "resign", sender=sender)
    assert len(town.received) == 1, "two programs do not write to each other for ever"
    assert set(town.people()) == {"ann", "bob"} and town.stand(2).result == "*"


def test_it_is_said_in_the_language_of_the_member(town, old):
    with db.transaction(town.engine) as session:
        session.execute(update(Person).values(language="it"))
    town.answer(old, "forget me")
    assert "è finita da tempo" in joined(town.letter("ann"))


@pytest.mark.parametrize("headers", [{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk"}])
def test_no_program_is_answered_there(town, old, headers):
    prune(town)
    town.answer(old, "I am away.", **headers)
    assert town.received == []


def test_a_forged_from_line_makes_no_letter_there_where_our_mail_server_checks_it(town, old):
    prune(town)
    town.settings = replace(town.settings, mail_authserv_id="mx.games.example")
    forged = {"Authentication-Results": "mx.games.example; dmarc=fail header.from=example.org"}
    assert town.answer(old, "resign", **forged) == "rejected: its reply address has expired" and town.received == []


def test_only_addresses_that_were_ours_are_taken(town, old):
    prune(town)
    address = reply_address(old)
    altered = address[:6] + ("b" if address[6] != "b" else "c") + address[7:]
    elsewhere = f"r.{spell('another key', 1)}@games.example"
    with db.reading(town.engine) as session:
        for box in (altered, elsewhere):
            assert not mailbox.is_known(session, box, town.settings, now=town.time)


def test_the_address_of_a_running_game_that_expired_is_unknown_as_before(town):
    number = town.match()
    box = reply_address(town.letter("ann"))
    with db.transaction(town.engine) as session:
        session.execute(update(Token).where(col(Token.match_id) == number).values(expires_at=town.time))
    with db.reading(town.engine) as session:
        assert not mailbox.is_known(session, box, town.settings, now=town.time)


def test_an_expired_address_of_a_running_game_stays(town, old):
    with db.transaction(town.engine) as session:
        session.execute(
            update(Token).where(col(Token.match_id) == 2).values(expires_at=town.time - timedelta(days=900))
        )
    running = tokens_of(town, 2)
    prune(town)
    assert running and tokens_of(town, 2) == running


def test_the_number_of_a_token_is_never_given_again(town, old):
    with db.transaction(town.engine) as session:
        last = session.exec(select(func.max(Token.id))).one()
        session.execute(update(Token).values(match_id=1, expires_at=town.time - timedelta(days=900)))
    prune(town)
    with db.reading(town.engine) as session:
        assert session.exec(select(Token.id)).all() == [last]


# -- clocks ----------------------------------------------------------------------------


def add_clock_logs(town, match_id):
    long_ago, later = town.time, town.time + timedelta(days=2)
    with db.transaction(town.engine) as session:
        session.add(ClockStop(match_id=match_id, cause=Cause.PAUSE, begins_at=long_ago, ends_at=later))
        session.add(Outage(begins_at=long_ago, ends_at=later, is_applied=True))
        session.add(Vacation(person_id=1, begins_at=long_ago, ends_at=later))


def clock_logs(town):
    with db.reading(town.engine) as session:
        return [len(session.exec(select(table)).all()) for table in (ClockStop, Outage, Vacation)]


def test_pauses_outages_and_absences_go_a_year_after_the_game(town):
    add_clock_logs(town, finished_game(town))
    town.time += timedelta(days=300)
    prune(town)
    assert clock_logs(town) == [1, 1, 1]
    town.time += timedelta(days=100)
    prune(town)
    assert clock_logs(town) == [0, 0, 0]


def test_they_stay_while_a_game_of_their_time_runs(town):
    add_clock_logs(town, town.match())
    town.time += timedelta(days=4000)
    prune(town)
    assert clock_logs(town) == [1, 1, 1]


# -- how it is done --------------------------------------------------------------------


def test_a_kill_between_batches_leaves_nothing_half_done_and_the_next_sweep_goes_on(town, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    put_old(town, 8)
    town.time += timedelta(days=400)
    batches = []

    def is_stopping():
        batches.append(len(messages(town)))
        return len(messages(town)) <= 4

    retention.prune(town.engine, town.settings, now=town.time, is_stopping=is_stopping)
    assert {8, 6, 4} <= set(batches) and len(messages(town)) == 4
    assert prune(town)["messages that were read"] == 3


def test_a_worker_prunes_once_an_hour_for_all_and_counts_before_it_does(town):
    put_old(town)
    town.time += timedelta(days=400)
    run = town.app.test_cli_runner().invoke
    counted = run(prune_command, ["--dry-run"])
    assert counted.exit_code == 0 and "4  messages that were read, after 365 days" in counted.output
    assert len(messages(town)) == 5
    assert worker.sweep_retention(town.runtime) > 4 and messages(town) == [5]
    put_old(town)
    assert worker.sweep_retention(town.runtime) == 0, "not twice in an hour"
    assert "1  messages that were read" in run(prune_command, []).output, "it is not the last any more"


@pytest.mark.parametrize("name", LEAST_DAYS)
@pytest.mark.parametrize("days", ["", "a year", "-1", "1.5", "99999999999", "٣٦٥"])
def test_days_that_cannot_be_are_refused_with_their_setting(tmp_path, name, days):
    given = {"INSTANCE_DIR": str(tmp_path), name.upper(): days}
    with pytest.raises(SettingError, match=f"{name.upper()} must be a whole number of days from {LEAST_DAYS[name]} to"):
        read_settings(given)
    assert getattr(read_settings({**given, name.upper(): "400"}), name) == 400


def test_what_may_still_come_twice_or_be_answered_cannot_be_set_to_go_too_early(tmp_path):
    for name in ("KEEP_LETTERS", "KEEP_MESSAGES", "KEEP_CLOCK_LOGS"):
        with pytest.raises(SettingError):
            read_settings({"INSTANCE_DIR": str(tmp_path), name: "29"})


# -- whatever is old -------------------------------------------------------------------


@pytest.fixture(scope="module")
def aged(tmp_path_factory):
    """A world with a running and a finished game, waiting letters and messages, and a copy of it to begin from."""
    folder = tmp_path_factory.mktemp("aged")
    town = mail_world(folder)
    town.join("ann", "bob", "cid", "dan", receipts=True)
    town.over = finished_game(town)
    town.running = town.match()
    town.play(town.running, "ann", "c3/f2=B")
    town.last = town.letter("bob")
    town.mail("ann@example.org", DOOR, "games")
    with db.transaction(town.engine) as session:
        for number in (town.over, town.running):
            session.add(ClockStop(match_id=number, cause=Cause.PAUSE, begins_at=town.time, ends_at=town.time))
        session.add(Outage(begins_at=town.time, ends_at=town.time, is_applied=True))
        session.add(Vacation(person_id=1, begins_at=town.time, ends_at=town.time))
    town.known = town.compose("dan@example.org", DOOR, "challenge cid to duel")
    town.put(town.known, DOOR)
    town.sweep()
    town.delivers = False
    town.match(white="cid", black="dan")
    town.put(town.compose("cid@example.org", DOOR, "help"), DOOR)
    town.engine.dispose()
    town.file = folder / "correspondence.db"
    _copied(town.file, folder / "copy.db")
    yield town
    town.close()


def _copied(source, target):
    with sqlite3.connect(source) as old, sqlite3.connect(target) as new:
        old.backup(new)


AGES = {
    "letter": ("created_at", "due_at", "sent_at"),
    "inbound": ("received_at", "due_at"),
    "token": ("created_at", "expires_at"),
    "clock_stop": ("begins_at", "ends_at"),
    "outage": ("begins_at", "ends_at"),
    "vacation": ("begins_at", "ends_at"),
}
"""Which columns of which tables say how old a row is."""

DAYS = st.integers(0, 2000)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    ages=st.fixed_dictionaries(dict.fromkeys(AGES, DAYS)),
    since_end=DAYS,
    kept=st.fixed_dictionaries({name: st.integers(least, 1000) for name, least in LEAST_DAYS.items()}),
)
def test_whatever_is_old_games_go_on_records_verify_and_nothing_that_waits_is_lost(aged, ages, since_end, kept):
    town = aged
    town.received.clear()
    town.engine.dispose()
    _copied(town.file.parent / "copy.db", town.file)
    with db.transaction(town.engine) as session:
        for table, columns in AGES.items():
            for column in columns:
                older = f"strftime('%Y-%m-%d %H:%M:%f000', {column}, '-{ages[table]} days')"
                session.execute(text(f"UPDATE {table} SET {column} = {older} WHERE {column} IS NOT NULL"))
        for table in ("match", "player"):
            older = f"strftime('%Y-%m-%d %H:%M:%f000', ended_at, '-{since_end} days')"
            session.execute(text(f'UPDATE "{table}" SET ended_at = {older} WHERE ended_at IS NOT NULL'))
    waiting = {one.id: composed(town, one) for one in letters(town, state=LetterState.QUEUED)}
    assert waiting
    prune(town, **kept)
    assert prune(town, **kept) == dict.fromkeys(prune(town, **kept), 0), "a second time finds nothing"
    assert {one.id: composed(town, one) for one in letters(town, state=LetterState.QUEUED)} == waiting
    assert verifies(town, town.over) == ClaimState.HOLDS
    before = len(messages(town))
    town.put(town.known, DOOR)
    assert len(messages(town)) == before or ages["inbound"] >= 35
    assert town.answer(town.last, f"c6/a7=B\n\n> {text_of(town.last)[:300]}").startswith("done: played")
    assert town.moves(town.running) == ["c3/f2=B", "c6/a7=B"]
    with db.reading(town.engine) as session:
        states = session.exec(select(Inbound.state)).all()
    assert InboundState.NEW not in states and states.count(InboundState.DONE) >= 2


def composed(town, letter):
    return compose.compose(letter, town.settings)
