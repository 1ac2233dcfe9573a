"""Limits that are kept by counting hold, and nobody waits for ever, when requests come at the same moment, on a real PostgreSQL.

Each row of `RACES` lets six requests race for two places. `core/limits.py` declares the limits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from itertools import count, permutations
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import update
from sqlmodel import col, func, select

import correspondence
from correspondence.accounts import accounts, addresses, api_tokens, delivery_checks, joining, postal_members, recovery
from correspondence.accounts.letter_budgets import LetterBudget
from correspondence.accounts.postal_members import PostalDetails
from correspondence.community import blocking, erasure, member_mail, reports
from correspondence.core import db, tokens
from correspondence.core.limits import COUNTED
from correspondence.core.time_control import per_move
from correspondence.features.evaluations import evaluations
from correspondence.features.reviews import reviews
from correspondence.features.tournaments import organiser, tournaments
from correspondence.features.visitor_games import visitor_games
from correspondence.features.webhooks import webhooks
from correspondence.inbound import mailbox
from correspondence.inbound.mailbox.store import CLAIMED
from correspondence.matchmaking import challenges, invitations, pairing, seeks
from correspondence.models import (
    Address,
    ApiScope,
    Letter,
    Match,
    MemberMail,
    PostalEntry,
    Purpose,
    PushSubscription,
    Seek,
    Token,
    WebSession,
)
from correspondence.outbound import pushes
from correspondence.play import analysis, card_entries, matches, offers
from engines.refusal import Refusal
from tests.post import at_once
from tests.reviews import resigned
from tests.robots import robots_in
from tests.tables import fresh_database
from tests.world import mail_world

MOST, RACING = 2, 6
"""What each limit is set to, and how many requests come at the same moment."""

DAY = timedelta(days=1)

CAST = [f"p{turn}" for turn in range(RACING)]

_serial = count()


class Stage:
    """Somebody new, called `who`, in a town of others, and what they do at the same moment."""

    def __init__(self, town):
        self.town, self.who = town, f"m{next(_serial)}"
        town.join(self.who)
        self.memory = None

    def me(self, session):
        return self.town.person(session, self.who)

    def do(self, act, *more):
        with db.transaction(self.town.engine) as session:
            return act(self, session, *more)

    def count(self, table, *conditions):
        with db.reading(self.town.engine) as session:
            return session.exec(select(func.count()).select_from(table).where(*conditions)).one()

    def id_of(self, name=""):
        with db.reading(self.town.engine) as session:
            return self.town.person(session, name or self.who).id

    @property
    def now(self):
        return self.town.time

    @property
    def begin(self):
        return {"now": self.town.time, "rng": self.town.rng}


@pytest.fixture(scope="module")
def town(postgres_url, tmp_path_factory):
    town = mail_world(tmp_path_factory.mktemp("town"), database_url=fresh_database(postgres_url))
    town.settings = replace(town.settings, operator="op@example.net")
    town.join(*CAST, "ann", "bob")
    robots_in(town).stop()
    yield town
    town.close()


# -- games ------------------------------------------------------------------------------------------


def challenged(stage):
    stage.memory = [
        stage.do(lambda s, session, name=name: challenges.challenge(
            session, s.town.person(session, name), s.who, "duel", {}, now=s.now).id) for name in CAST
    ]  # fmt: skip


def accepts(stage, session, turn):
    challenges.accept(session, stage.me(session), stage.memory[turn], **stage.begin)


def others_seek(stage):
    def look(stage, session, turn):
        terms = {"time_control": per_move((2 + turn) * DAY)}  # no two are equal, which would begin a game
        return seeks.seek(session, stage.town.person(session, CAST[turn]), "plateau", {}, **terms, **stage.begin).id

    stage.memory = [stage.do(look, turn) for turn in range(RACING)]


def takes(stage, session, turn):
    seeks.take(session, stage.me(session), stage.memory[turn], **stage.begin)


def offers_many(stage):
    stage.memory = [
        stage.do(
            lambda s, session: seeks.seek(session, s.me(session), "proteus-tiles", {}, {"games": "9"}, **s.begin).id
        )
    ]


def is_taken_by_all(stage, session, turn):
    seeks.take(session, stage.town.person(session, CAST[turn]), stage.memory[0], **stage.begin)


def is_paired(stage, session, turn):
    mine, others = stage.memory
    begun = session.get_one(Seek, mine[turn]).games_begun
    planned = pairing.PlannedPair(*sorted((mine[turn], others[turn])), begun, 0)
    if pairing.pair(session, planned, **stage.begin) is None:
        raise Refusal("not paired")


def seeks_side_by_side(stage):
    places = range(RACING)
    rows = [
        [stage.do(_open_seek, name, 100 * (1 + place) + next(_serial)) for place in places]
        for name in (stage.who, None)
    ]  # fmt: skip
    stage.memory = rows


def _open_seek(stage, session, name, hours):
    who = stage.town.person(session, name or CAST[hours % RACING])
    made = Seek(game="duel", person_id=who.id, created_at=stage.now, pair_me=True, rated=False, bank=360_000,
                increment=360_000, cap=360_000)  # fmt: skip
    session.add(made)
    session.flush()
    return made.id


def plays_alone(stage, session, _turn):
    challenges.start_alone(session, stage.me(session), "duel-puzzle", {}, **stage.begin)


def challenges_a_robot(stage, session, turn, *, rated=False):
    robot = f"duel-robot-{1 + turn % 5}"
    words = f"not the same offer twice: {turn}"
    challenges.challenge(session, stage.me(session), robot, "duel", {}, rated=rated, words=words, **stage.begin)


# -- offers ------------------------------------------------------------------------------------------


def challenges_others(stage, session, turn):
    challenges.challenge(session, stage.me(session), CAST[turn], "plateau", {}, now=stage.now)


def withdraws_at_once(stage, session, turn, *, other=""):
    made = challenges.challenge(session, stage.me(session), other or CAST[turn], "duel", {}, seat=0, now=stage.now)
    challenges.withdraw(session, stage.me(session), made.id)


def presses_one(stage, session, turn):
    withdraws_at_once(stage, session, turn, other="bob")


def invites(stage, session, turn):
    conditions = {"days": str(10 + turn)}
    invitations.invite(session, stage.me(session), "", "duel", {}, conditions, now=stage.now)


# -- letters and words ---------------------------------------------------------------------------------


def writes_to(stage, session, turn, *, other=""):
    member_mail.write(session, stage.me(session), other or CAST[turn], "Hello!", now=stage.now)


def writes_to_one(stage, session, turn):
    writes_to(stage, session, turn, other="bob")


def has_been_written_to(stage):
    def write(stage, session):
        member_mail.write(session, stage.town.person(session, "ann"), stage.who, "Hello!", now=stage.now)
        return session.exec(select(Letter.reply_token_id).order_by(col(Letter.id).desc())).first()

    stage.do(lambda s, session: session.execute(update(MemberMail).values(at=s.now.replace(year=2020))))
    stage.memory = stage.do(write)


def answers(stage, session, _turn):
    member_mail.answer(session, stage.me(session), session.get_one(Token, stage.memory), "Hello!", now=stage.now)


def plays(stage):
    stage.memory = stage.town.match("duel", stage.who, "bob")


def player(stage, session):
    return stage.town.player(session, stage.memory, stage.who)


def says(stage, session, turn):
    matches.say(session, player(stage, session), f"Hello for the {turn}th time.", now=stage.now)


def asks_for_a_pause(stage, session, turn):
    offers.offer_pause(session, player(stage, session), 1 + turn, now=stage.now)


def tries(stage, session, turn):
    analysis.try_move(session, stage.me(session), stage.memory, 0, None, f"3@{'abcd'[turn % 4]}{1 + turn // 4}",
                      now=stage.now)  # fmt: skip


def reports_somebody(stage, session, _turn):
    reports.report(session, stage.me(session), "bob", "They are rude.", operator="", now=stage.now)


def blocks(stage, session, turn):
    blocking.block(session, stage.me(session), CAST[turn], now=stage.now)


def has_finished_games(stage):
    stage.memory = [resigned(stage.town) for _time in range(RACING)]


def asks_for_a_review(stage, session, turn):
    review = reviews.ask(session, stage.me(session), stage.memory[turn], now=stage.now)
    assert review is not None


def others_ask_for_a_review(stage, session, turn):
    reviews.ask(session, stage.town.person(session, CAST[turn]), stage.memory[turn], now=stage.now)


def has_a_finished_game(stage):
    stage.memory = [resigned(stage.town)]


def asks_for_an_evaluation(stage, session, turn):
    evaluations.ask(session, stage.me(session), stage.memory[0], turn, None, now=stage.now)


def others_ask_for_an_evaluation(stage, session, turn):
    evaluations.ask(session, stage.town.person(session, CAST[turn]), stage.memory[0], 1, None, now=stage.now)


# -- accounts --------------------------------------------------------------------------------------------


def asks_for_a_link(stage, session, _turn):
    accounts.mail_link(session, stage.me(session), now=stage.now)


def asks_for_a_test(stage, session, _turn):
    delivery_checks.request_test_letter(session, stage.me(session), now=stage.now)


def asks_for_a_code(stage, session, _turn):
    recovery.send_new_code(session, stage.me(session), now=stage.now)


def asks_to_add(stage, session, turn):
    addresses.ask_to_add(session, stage.me(session), f"{stage.who}-{turn}@example.net", now=stage.now)


def has_asked_to_add(stage):
    stage.memory = [
        stage.do(lambda s, session, turn=turn: accounts.new_token(
            session, Purpose.ADDRESS, now=s.now, person=s.me(session), lasts=DAY, mail=f"{s.who}-{turn}@example.net").id)
        for turn in range(RACING)
    ]  # fmt: skip


def confirms_an_address(stage, session, turn):
    addresses.confirm(session, stage.memory[turn], now=stage.now)


def has_many_addresses(stage):
    has_asked_to_add(stage)
    for turn in range(RACING):
        stage.do(lambda s, session, turn=turn: session.add(Address(
            person_id=s.me(session).id, mail=f"{s.who}{turn}@x.example", mail_key=f"{s.who}{turn}@x.example",
            verified_at=s.now)))  # fmt: skip


def removes_an_address(stage, session, turn):
    addresses.remove(session, stage.me(session), f"{stage.who}{turn}@x.example", now=stage.now)


def is_asked_at_one_address(stage):
    stage.memory = [
        stage.do(lambda s, session, name=name: accounts.new_token(
            session, Purpose.ADDRESS, now=s.now, person=s.town.person(session, name), lasts=DAY, mail=f"{s.who}@example.net").id)
        for name in CAST
    ]  # fmt: skip


def writes_confirmation(stage, session, turn):
    addresses.write_confirmation_letter(session, stage.memory[turn], now=stage.now)


def asks_to_join(stage, session, turn):
    handle = f"{stage.who}n{turn}"
    joining.request_join(session, handle, f"{stage.who}@example.com", now=stage.now)


def has_a_code(stage):
    def make(stage, session):
        token = recovery.make_code(session, stage.me(session), now=stage.now)
        token.payload = "{}"  # as codes were before they were random: each is spelled from its number
        session.add(token)
        return tokens.grouped(tokens.spell(stage.town.settings.secret_key, token.id, tokens.RECOVERY))

    stage.memory = stage.do(make)


def recovers(stage, session, turn):
    key = stage.town.settings.secret_key
    recovery.ask(session, stage.memory, f"{stage.who}-{turn}@example.net", key=key, now=stage.now)


def subscribes(stage, session, turn):
    pushes.subscribe(
        session, stage.me(session), stage.memory, f"https://push.example.org/{stage.who}/{turn}", now=stage.now
    )


def has_a_browser(stage):
    with db.reading(stage.town.engine) as session:
        stage.memory = session.exec(select(WebSession.id).where(WebSession.person_id == stage.me(session).id)).first()


def makes_a_token(stage, session, turn):
    api_tokens.make(session, stage.me(session), f"Program {turn}", ApiScope.READ, now=stage.now)


def makes_a_tournament(stage, session, _turn):
    tournaments.make(session, stage.me(session), "round-robin", "duel", {}, now=stage.now)


def has_a_tournament(stage):
    stage.memory = stage.do(lambda s, session: tournaments.make(
        session, s.me(session), "round-robin", "duel", {}, now=s.now).id)  # fmt: skip


def announces(stage, session, turn):
    organiser.announce(session, stage.me(session), stage.memory, f"News {turn}", now=stage.now)


def makes_a_webhook(stage, session, turn):
    webhooks.register(session, stage.me(session), "Hook", f"https://hooks.example.org/{turn}", ["talk"],
                      now=stage.now)  # fmt: skip


def begins_as_a_visitor(stage, session, _turn):
    visitor_games.begin(session, "duel", "one site", now=stage.now)


def begins_elsewhere(stage, session, turn):
    visitor_games.begin(session, "duel", f"site {turn}", now=stage.now)


def asks_for_their_data(stage, session, _turn):
    erasure.send_export_link(session, stage.me(session), now=stage.now)


def plays_by_post(stage):
    details = PostalDetails("Pete Miller", "12 Mill Lane\nWells", plays_by_post=True)
    stage.do(lambda s, session: postal_members.save(session, s.me(session), details, now=s.now))


def names_a_helper(stage, session, turn):
    postal_members.name_helper(session, stage.me(session), CAST[turn], now=stage.now)


# -- cards and mail ----------------------------------------------------------------------------------------


def plays_by_card(stage):
    plays_by_post(stage)
    stage.memory = stage.town.match("duel", stage.who, "bob")


def enters_a_wrong_word(stage, session, turn):
    card_entries.enter_card(
        session, stage.town.person(session, "bob"), stage.memory, "3@a1", f"WRONG{turn}",
        ply=None, takebacks=None, key=stage.town.settings.secret_key, now=stage.now,
    )  # fmt: skip


def refused_cards(stage):
    return stage.count(PostalEntry, PostalEntry.match_id == stage.memory)


def mails(address, body, to="play@games.example"):
    """Many mails from this address, each with a body of its own, that wait for workers."""

    def prepare(stage):
        sender = address.format(who=stage.who)
        for number in range(3 * CLAIMED):
            stage.town.put(stage.town.compose(sender, to, body.format(number=number)), to, sender)

    return prepare


def mails_by_token(stage):
    """Many mails to the reply address of somebody's letters, which vouches for them."""
    token = stage.do(lambda s, session: accounts.command_token(session, s.me(session), now=s.now).id)
    to = f"r.{tokens.spell(stage.town.settings.secret_key, token)}@games.example"
    mails("{who}@example.org", "rules duel {number}", to)(stage)


def reads_mail(stage, _session, _turn):
    mailbox.drain(stage.town.engine, stage.town.settings, now=stage.now, rng=stage.town.rng)


def letters_of(kind, *more):
    def kept(stage):
        return stage.count(Letter, col(Letter.kind) == kind, col(Letter.recipient).startswith(stage.who), *more)

    return kept


def answered(stage):
    return stage.count(
        Letter, col(Letter.recipient).startswith(stage.who), col(Letter.auto_submitted).startswith("auto-replied")
    )


def forwarded(stage):
    return stage.count(Letter, col(Letter.kind) == "operator", col(Letter.created_at) == stage.now)


class Race(NamedTuple):
    """What six do at the same moment, what was before, and how many of them count as done."""

    act: Callable[..., None]
    prepare: Callable[[Stage], None] | None = None
    kept: Callable[[Stage], int] | None = None
    most: int = MOST


RACES = {
    "accounts.accounts.SIGN_INS": [Race(asks_for_a_link)],
    "accounts.addresses.ASKED_A_DAY": [Race(asks_to_add)],
    "accounts.addresses.LETTERS_A_DAY": [Race(writes_confirmation, is_asked_at_one_address, letters_of("address"))],
    "accounts.addresses.MOST": [Race(confirms_an_address, has_asked_to_add, most=MOST - 1)],
    "accounts.addresses.TOLD_A_DAY": [Race(removes_an_address, has_many_addresses, most=1)],
    "accounts.api_tokens.MOST": [Race(makes_a_token)],
    "accounts.joining.LETTERS_A_DAY": [Race(asks_to_join)],
    "accounts.postal_members.REQUESTS_A_DAY": [Race(names_a_helper, plays_by_post)],
    "accounts.recovery.ASKED_A_DAY": [Race(recovers, has_a_code)],
    "accounts.recovery.CODES_A_DAY": [Race(asks_for_a_code)],
    "accounts.relations.GAMES_AT_ONCE": [
        Race(accepts, challenged),
        Race(takes, others_seek),
        Race(is_taken_by_all, offers_many),
        Race(is_paired, seeks_side_by_side),
        Race(plays_alone),
    ],
    "accounts.delivery_checks.TESTS": [Race(asks_for_a_test)],
    "commands.proposals.PROPOSALS_A_DAY": [
        Race(reads_mail, mails("{who}@example.org", "challenge bob duel {number} days"), letters_of("proposal"))
    ],
    "community.blocking.MOST_PER_PERSON": [Race(blocks)],
    "community.erasure.LINKS": [Race(asks_for_their_data)],
    "community.member_mail.ANSWERS_A_DAY": [Race(answers, has_been_written_to)],
    "community.member_mail.FIRST_LETTERS_A_DAY": [Race(writes_to)],
    "community.member_mail.TO_ONE_A_WEEK": [Race(writes_to_one)],
    "community.reports.REPORTS_A_DAY": [Race(reports_somebody)],
    "inbound.mailbox.answering.ANSWERS_A_DAY": [
        Race(reads_mail, mails("{who}@stranger.example", "join {number}"), answered)
    ],
    "inbound.mailbox.answering.ANSWERS_A_DAY_TO_FROM_LINES": [
        Race(reads_mail, mails("{who}@example.org", "rules plateau {number}"), answered)
    ],
    "inbound.mailbox.answering.ANSWERS_A_DAY_TO_PLAYERS": [Race(reads_mail, mails_by_token, answered)],
    "inbound.operator_mail.A_DAY": [
        Race(reads_mail, mails("zoe@example.org", "Complaint {number}.", "abuse@games.example"), forwarded)
    ],
    "matchmaking.challenges.OPEN_CHALLENGES": [Race(challenges_others)],
    "matchmaking.challenges.UNTAKEN_A_DAY": [Race(presses_one)],
    "matchmaking.challenges.UNTAKEN_OF_ALL_A_DAY": [Race(withdraws_at_once)],
    "matchmaking.invitations.INVITATIONS_A_DAY": [Race(invites)],
    "matchmaking.robot_games.MOST_GAMES": [Race(challenges_a_robot)],
    "outbound.pushes.MOST": [
        Race(subscribes, has_a_browser, lambda stage: stage.count(PushSubscription, _of(stage, PushSubscription)))
    ],
    "features.visitor_games.visitor_games.MOST": [Race(begins_elsewhere)],
    "features.visitor_games.visitor_games.MOST_FROM_ONE_SITE": [Race(begins_as_a_visitor)],
    "features.webhooks.webhooks.MOST": [Race(makes_a_webhook)],
    "features.tournaments.tournaments.MOST_RUNNING": [Race(makes_a_tournament)],
    "features.tournaments.organiser.ANNOUNCEMENTS_A_DAY": [Race(announces, has_a_tournament)],
    "play.analysis.MOST_KEPT": [Race(tries, plays)],
    "play.card_entries.MOST_TRIES": [Race(enters_a_wrong_word, plays_by_card, refused_cards)],
    "play.matches.REMARKS_A_DAY": [Race(says, plays)],
    "play.offers.OFFERS_A_DAY": [Race(asks_for_a_pause, plays)],
    "features.evaluations.evaluations.MOST_WAITING": [Race(others_ask_for_an_evaluation, has_a_finished_game)],
    "features.evaluations.evaluations.MOST_A_DAY": [Race(asks_for_an_evaluation, has_a_finished_game)],
    "features.reviews.reviews.MOST_WAITING": [Race(others_ask_for_a_review, has_finished_games)],
    "features.reviews.reviews.MOST_A_DAY": [Race(asks_for_a_review, has_finished_games, most=1)],  # one waits at a time
}


def _of(stage, table):
    return table.person_id == stage.id_of()


def race(stage, act):
    """Let six do this at the same moment, each in a transaction of their own; how many were not refused."""

    def once(turn):
        def do():
            with db.transaction(stage.town.engine) as session:
                act(stage, session, turn)

        return do

    results = at_once(*(once(turn) for turn in range(RACING)), refusals=(Refusal,))
    assert len(results) == RACING, "somebody failed otherwise, such as by a deadlock"
    return results.count("done")


def lowered(limit, most):
    """The limit with another number; a budget of letters with that number in each span."""
    module, name = limit.rsplit(".", 1)
    budget = getattr(import_module(f"correspondence.{module}"), name)
    if isinstance(budget, int):
        return most
    return replace(budget, per_hour=most, per_day=most, unproven_per_hour=most, unproven_per_day=most)


@pytest.mark.parametrize(
    ("limit", "place"), [(limit, place) for limit, races in RACES.items() for place in range(len(races))]
)
def test_no_more_get_through_at_once_than_the_limit_says(town, monkeypatch, limit, place):
    wanted, stage = RACES[limit][place], Stage(town)
    town.clock.go(days=60)
    robots_in(town).stop()
    stage.do(lambda _stage, session: session.execute(update(Match).values(ended_at=stage.now)))  # everybody has room
    if wanted.prepare:
        wanted.prepare(stage)
    module, name = limit.rsplit(".", 1)
    monkeypatch.setattr(import_module(f"correspondence.{module}"), name, lowered(limit, MOST))
    done = race(stage, wanted.act)
    assert (wanted.kept(stage) if wanted.kept else done) == wanted.most


@pytest.mark.parametrize("turn", range(3))
def test_those_who_act_on_each_other_at_once_all_get_an_answer(town, turn):
    names = [f"x{turn}{place}" for place in range(3)]
    town.join(*names)
    stage = Stage(town)
    pairs = list(permutations(names, 2))
    numbers = {pair: stage.do(_challenge, *pair) for pair in pairs}
    acts = [lambda s, session, pair=pair: challenges.accept(
        session, s.town.person(session, pair[1]), numbers[pair], **s.begin) for pair in pairs]  # fmt: skip
    acts += [lambda s, session, name=name: seeks.seek(
        session, s.town.person(session, name), "proteus-dice", {}, **s.begin) for name in names]  # fmt: skip
    acts += [lambda s, session: blocking.block(session, s.town.person(session, names[2]), names[0], now=s.now)]
    acts += [lambda s, session: erasure.forget(session, s.town.person(session, names[1]), now=s.now)]
    results = at_once(*(lambda act=act: stage.do(act) for act in acts), refusals=(Refusal,))
    assert len(results) == len(acts), "somebody failed otherwise, such as by a deadlock"


def _challenge(stage, session, one, other):
    return challenges.challenge(session, stage.town.person(session, one), other, "duel", {}, now=stage.now).id


NO_RACES = {
    "matchmaking.conditions.MOST_AT_ONCE",
    "clocks.vacations.MOST_HOURS_AT_ONCE",
    "ratings.reliability.GIVEN_UP_A_DAY",
}
"""What is named like a limit, and counts no rows, or only what is over."""

_NAMED_LIKE_A_LIMIT = re.compile(r"^(\w*(?:A_DAY|A_DAY_TO_\w+|A_WEEK|PER_HOUR|AT_ONCE))(?:, \w+)* = \d", re.MULTILINE)


def test_what_is_named_like_a_limit_is_declared():
    root = Path(correspondence.__file__).parent
    named = {
        f"{'.'.join(file.relative_to(root).with_suffix('').parts)}.{name}"
        for file in root.rglob("*.py")
        for name in _NAMED_LIKE_A_LIMIT.findall(file.read_text())
    }
    assert len(named) > 20 and named - NO_RACES <= set(COUNTED)


def test_each_limit_that_is_declared_is_raced_and_exists():
    assert set(RACES) == set(COUNTED)
    for limit in COUNTED:
        module, name = limit.rsplit(".", 1)
        assert isinstance(getattr(import_module(f"correspondence.{module}"), name), int | LetterBudget)
