"""The kinds of letters: each is described in one place, has both templates, and promises nothing that it cannot keep."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence import features
from correspondence.accounts.mail_preferences import MailPreferences
from correspondence.core import db
from correspondence.models import Letter, Person
from correspondence.ops.worker import sweep_digests
from correspondence.outbound import kinds
from correspondence.outbound.kinds import KINDS, TEMPLATES, LetterKind, UnknownKindError, kind_of
from correspondence.outbound.letters import Draft, To, write_letter
from correspondence.outbound.stops import topics_of_features
from correspondence.play import matches
from tests.outgoing import START, letter

ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)


def test_every_kind_has_a_text_and_a_page_and_no_template_is_without_a_kind():
    files = {file.name for folder in TEMPLATES for file in folder.iterdir() if not file.name.startswith("_")}
    assert files == {f"{name}.{form}" for name in KINDS for form in ("txt", "html")}


def test_every_kind_is_called_as_the_constant_that_code_says():
    constants = {name: value for name, value in vars(kinds).items() if isinstance(value, LetterKind)}
    of_features = {kind.name: kind for feature in features.load().values() for kind in feature.letters}
    assert {name.lower(): kind for name, kind in constants.items()} | of_features == dict(KINDS)


@pytest.mark.parametrize("kind", [LetterKind(name="poem", title="poem"), LetterKind(name="turn", title="turn"), "turn"])
def test_a_letter_of_an_unknown_kind_is_not_written(town, kind):
    with db.transaction(town.engine) as session, pytest.raises(UnknownKindError):
        write_letter(session, To("ann@example.org"), Draft(kind, "poem:1"), now=START)
    with db.reading(town.engine) as session:
        assert session.exec(select(Letter)).all() == []


def test_a_kind_cannot_be_changed_and_none_can_be_added_in_passing():
    with pytest.raises(FrozenInstanceError):
        kinds.TURN.is_notice = True
    with pytest.raises(TypeError):
        KINDS["poem"] = kinds.TURN


def test_a_letter_of_a_kind_that_is_no_more_is_still_handled_with_its_bare_name():
    old = kind_of(letter(kind="postcard"))
    assert old.title == "postcard"
    assert not old.is_deferrable
    assert not old.is_notice
    assert old.is_wanted_by(Person(handle="ann"))


@ALL
def test_what_turns_a_kind_off_is_a_setting_that_people_have(kind):
    settings = {*MailPreferences.__dataclass_fields__, *(topic.name for topic in topics_of_features())}
    person = Person()
    if kind.switch:
        kinds.set_switch(person, kind.switch, False)
    assert not kind.switch or (kind.switch in settings and not kind.is_wanted_by(person))
    assert kind.is_wanted_by(Person()) is (kind is not kinds.EXERCISE), "only the weekly exercise has to be asked for"


@ALL
def test_only_what_can_wait_has_reasons_to_wait(kind):
    waits = kind.has_clock or kind.is_on_page or kind.digest_sentence or kind.digest_answer
    assert kind.is_deferrable or not waits


@ALL
def test_what_a_digest_holds_back_it_tells(kind):
    has_subject = kind.name == "tournament" or kind in (
        kinds.CHALLENGE,
        kinds.DECLINED,
        kinds.CHALLENGE_LAPSED,
        kinds.REOPENED,
        kinds.SEEK_NEAR,
    )  # not about a game: the digest repeats the subject
    is_listed = kind.has_clock  # the digest lists the games in which it is one's turn
    assert not kind.is_deferrable or has_subject or is_listed or kind.digest_sentence


def test_one_click_stops_the_letters_whose_kind_says_so_and_no_others(town):
    town.join("ann", "bob", digest="hourly")
    number = town.match()
    town.agree("ann", "write to bob: would you like another game?")
    town.agree("ann", "challenge bob to duel")
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "ann"), "Good luck to you.", now=town.time)
    town.play(number, "ann", "c3/f2=B")
    town.time += timedelta(hours=2)
    sweep_digests(town.runtime)
    with db.reading(town.engine) as session:
        written = session.exec(select(Letter).where(Letter.person_id.is_not(None))).all()
    assert {"turn", "talk", "contact", "digest", "challenge"} <= {one.kind for one in written}
    assert {one.kind for one in written if one.stop_token_id} == {one.kind for one in written if kind_of(one).stops}


def template(name):
    (found,) = (file for folder in TEMPLATES for file in folder.glob(name))
    return found.read_text(encoding="utf-8")


@ALL
def test_every_letter_begins_with_what_it_tells_above_the_line_for_answers(kind):
    text = template(f"{kind.name}.txt")
    opening = text.partition("\n")[2].partition('{% include "_marker.txt" %}')[0]
    assert re.sub(r"{%(?! include).*?%}", "", opening).strip()
    page = template(f"{kind.name}.html")
    assert "{% block state %}" in page or "{% block opening %}" in page
