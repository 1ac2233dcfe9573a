"""Versions of pages: every change raises those of its readers, once it is committed, and those of nobody else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Match, PagePart, PageVersion
from correspondence.models.versions import RAISES, begin_epoch, of_match, of_person, raise_versions
from correspondence.play import matches
from correspondence.play.recall import recall
from correspondence.queries.page_versions import game_page_version
from tests.operators import act, undo
from tests.post import at_once, reply_address
from tests.test_from_lines import LINES
from tests.test_unchanged_pages import GAME, assert_up_to_date, known_pages

ROOT = Path(__file__).parent.parent / "correspondence"

RAW = {
    ("features/samples/removing.py", "Person"): "players of samples that go, whose matches raise their versions",
    ("community/erasure.py", "Player"): "columns that no page shows",
    ("community/erasure.py", "OperatorAct"): "columns that no page shows",
    ("community/erasure.py", "TakenBackMove"): "the person who leaves changes in every match of theirs",
    ("ops/epochs.py", "Match"): "the version of the service begins anew with the epoch",
    ("ops/epochs.py", "Person"): "columns that no page shows",
    ("ops/retention.py", "Player"): "columns that no page shows",
    ("ops/retention.py", "ClockStop"): "raises the version of the service",
    ("ops/retention.py", "Outage"): "raises the version of the service",
    ("ops/retention.py", "Vacation"): "raises the version of the service",
    ("moderation/merging.py", "Person"): "columns that no page shows",
    ("play/record_moves.py", "Move"): "the match changes in the same flush",
    ("play/take_backs.py", "Move"): "the match changes in the same flush",
    ("fairness/ends.py", "SignedEnd"): "raises the version of the match, or the match has just ended",
    ("ratings/corrections.py", "RatingChange"): "numbers of rows; merging raises the versions of the matches",
}
"""Statements that pass the session by and write to a table of `RAISES`: why each may."""

WRITING = {"update", "delete", "insert", "insert_into", "_delete"}

OPERATOR_ACTS = {
    "warn": {"handle": "bob"},
    "suspend": {"handle": "bob", "days": "14"},
    "hide-talk": {"handle": "bob", "game": "1"},
    "annul": {"game": "2"},
    "correct": {"game": "3", "result": "0-1"},
    "read-only": {"switch": "on"},
    "announce": {"english": "We are moving.", "days": "1"},
    "merge": {"handle": "dora", "other": "bob", "again": "bob"},
}


@pytest.fixture
def club(anywhere):
    anywhere.join("ann", "bob", "cleo", "dora", vacation_hours_left=720)
    for _game in range(3):
        anywhere.match("duel")
    anywhere.play(1, "ann", "5@a2", comment="Hello.")
    return anywhere


def versions(world, *names):
    """The version of the page of game 1 for each of these readers; an empty name is a stranger."""
    with db.reading(world.engine) as session:
        numbers = {name: world.person(session, name).id if name else None for name in names}
        return {name: game_page_version(session, 1, number, now=world.time) for name, number in numbers.items()}


def numbers(world):
    with db.reading(world.engine) as session:
        return {(row.match_id, row.person_id, row.part): row.number for row in session.exec(select(PageVersion))}


# -- every change ---------------------------------------------------------------------


def names_in(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def called_by(node):
    if ast.unparse(node.func) == "db.insert_into":
        return "insert_into"
    return node.func.id if isinstance(node.func, ast.Name) else ""


def raw_statements():
    """Every `update`, `delete` and `insert` of a table that raises versions: the file, and the table."""
    tables = {table.__name__ for table in RAISES}
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and called_by(node) in WRITING:
                for name in names_in(ast.Tuple(node.args)) & tables:
                    yield str(file.relative_to(ROOT)), name


def test_every_statement_that_passes_the_session_by_says_what_it_changes():
    found = set(raw_statements())
    unknown = {one for one in found if one not in RAW and not one[0].startswith("models/")}
    assert unknown == set()
    assert set(RAW) <= found


def assert_all_up_to_date(world, clients, tags):
    for (who, path), tag in tags.items():
        assert_up_to_date(clients[who], path, tag)


def test_no_command_leaves_a_page_as_it_was_that_shows_what_it_did(club):
    last = ("resign", "forget me", "recover abcde-fghij-klmno-pqrst-uvwxy-2")
    lines = [line for line in LINES.values() if line not in last] + list(last[:2])
    clients = {who: club.client(who) for who in ("ann", "bob", "cleo", "")}
    letter = club.letter("bob")
    for line in ["6@b2", *lines]:
        tags = known_pages(clients, [GAME])
        club.put(
            club.compose("bob@example.org", reply_address(letter), line, answering=letter),
            reply_address(letter),
            "bob@example.org",
        )
        club.sweep()
        assert_all_up_to_date(club, clients, tags)
        club.clock.go(minutes=6)


@pytest.mark.parametrize("kind", OPERATOR_ACTS)
def test_no_act_of_an_operator_leaves_a_page_as_it_was_that_shows_it(club, kind):
    paths = [f"/games/{number}" for number in (1, 2, 3)]
    club.play(1, "bob", "6@b2", comment="Rude.")
    for number in (2, 3):
        club.resign(number, "bob")
    clients = {who: club.client(who) for who in ("ann", "cleo", "")}
    tags = known_pages(clients, paths)
    number = act(club, kind, **OPERATOR_ACTS[kind])
    assert_all_up_to_date(club, clients, tags)
    if kind not in ("warn", "merge", "announce"):
        tags = known_pages(clients, paths)
        undo(club, number)
        assert_all_up_to_date(club, clients, tags)


def test_words_that_were_open_and_are_hidden_by_an_operator_change_the_page(club):
    hidden = club.match("plateau")
    with db.transaction(club.engine) as session:
        matches.say(session, club.player(session, hidden, "ann"), "Rude.", now=club.time)
    club.clock.go(minutes=6)
    clients = {"bob": club.client("bob")}
    tags = known_pages(clients, [f"/games/{hidden}"])
    act(club, "hide-talk", handle="ann", game=str(hidden))
    assert_all_up_to_date(club, clients, tags)
    assert "hidden by an operator" in clients["bob"].get(f"/games/{hidden}").text


# -- only what is committed, and only to those who may see it ---------------------------------


def test_an_act_that_is_undone_by_a_savepoint_raises_no_version(club):
    before = numbers(club)
    with db.transaction(club.engine) as session, pytest.raises(ZeroDivisionError), session.begin_nested():
        matches.offer_draw(session, club.player(session, 1, "ann"), now=club.time)
        session.flush()
        raise ZeroDivisionError
    assert numbers(club) == before


def test_an_act_in_a_savepoint_that_holds_raises_its_version_once(club):
    before = numbers(club)
    with db.transaction(club.engine) as session, session.begin_nested():
        matches.offer_draw(session, club.player(session, 1, "ann"), now=club.time)
    key = (1, 0, PagePart.PLAYERS)
    assert numbers(club)[key] == before.get(key, 0) + 1


def test_a_row_that_is_written_without_a_change_raises_no_version(club):
    before = numbers(club)
    with db.transaction(club.engine) as session:
        match = session.get_one(Match, 1)
        match.reason = match.reason
        session.add(match)
    assert numbers(club) == before


def test_words_that_wait_and_are_recalled_raise_no_version_of_others(club):
    hidden = club.match("plateau")

    def seen():
        with db.reading(club.engine) as session:
            ids = [club.person(session, name).id if name else None for name in ("bob", "cleo", "")]
            return [game_page_version(session, hidden, reader, now=club.time) for reader in ids]

    def speak():
        with db.transaction(club.engine) as session:
            matches.say(session, club.player(session, hidden, "ann"), "hello", now=club.time)

    before = seen()
    speak()
    assert seen() == before
    with db.transaction(club.engine) as session:
        recall(session, club.player(session, hidden, "ann"), now=club.time)
    assert seen() == before
    speak()
    club.clock.go(minutes=6)
    assert [vector[0] == earlier[0] for vector, earlier in zip(seen(), before, strict=True)] == [False, True, True]


# -- transactions beside each other -----------------------------------------------------------


def test_transactions_that_raise_the_same_versions_in_any_order_all_count(club):
    keys = [of_match(2), of_match(3), of_person(1), of_person(2)]
    before = numbers(club)

    def raising(order):
        def run():
            for _time in range(10):
                with db.transaction(club.engine) as session:
                    for key in order:
                        raise_versions(session, [key])
                        session.flush()

        return run

    assert at_once(*[raising(order) for order in (keys, keys[::-1])] * 2) == ["done"] * 4
    assert {key: numbers(club)[key] - before.get(key, 0) for key in keys} == dict.fromkeys(keys, 40)


def test_no_version_is_repeated_after_an_epoch_has_begun(club):
    before = versions(club, "ann", "cleo", "")
    with db.transaction(club.engine) as session:
        begin_epoch(session)
    after = versions(club, "ann", "cleo", "")
    assert all(before[who] != after[who] for who in before)
    with db.transaction(club.engine) as session:
        begin_epoch(session)
    assert all(versions(club, who)[who] not in (before[who], after[who]) for who in before)
