"""Two worlds that differ only in what one player hides: all that the others can get of them is the same, to the byte.

Every game that hides anything is found by itself, and every address of the map is fetched. Answers agree also in
their size and in how many statements the database was asked, which is what an ear at the wire could measure.
"""

from __future__ import annotations

import functools
import random
import re
from dataclasses import dataclass, field

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from correspondence.core import db
from correspondence.core.tokens import spell
from correspondence.inbound import mailbox
from correspondence.models import Letter, Match, Person
from correspondence.models.loading import players_of, position_of
from correspondence.outbound import compose, events
from engines.base import CHANCE, MoveError
from tests.attacks.reach import answer_to, unthrottled
from tests.games import CASES
from tests.programs import bearer
from tests.sizes import more
from tests.world import KEY, World

HIDER, OTHERS, ONLOOKERS = 0, (1, None), ("bob", "cleo", "")
CHECKED, MOST_PLIES = 1, 14
ELSEWHERE = ("/rules", "/mail", "/health")
TRIES = ["", "a1", "pass", "+a1 Mute", "+b2 xx", "a1-a2x1", "b2x1", "tender M", "setup PPPPPPPQ", "army QPPPPPPP",
         "roll 1-2", "resign", "<b>"]  # fmt: skip
ASKED = ["show 1", "history 1", "record 1", "games", "preview 1 +b2 xx", "setup PPPZ", "army QQQQQQQQ",
         "+c3/9 zz", "if a1 then b2", "plan"]  # fmt: skip


def hides_something(case):
    """Whether a random game of this kind ever holds what an onlooker does not see."""
    position, rng = case.start(), random.Random(1)
    for _ply in range(8):
        if position.view(None) != position:
            return True
        if not position.to_act:
            break
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    return False


SECRETIVE = [case for case in CASES if hides_something(case)]


@dataclass
class Twins:
    """Two worlds with the same people, the same key, the same clock and lots, and a match of one kind in each."""

    worlds: list
    statements: list = field(default_factory=lambda: [0, 0])

    def positions(self):
        return [self._position(world) for world in self.worlds]

    def _position(self, world):
        with db.reading(world.runtime.engine) as session:
            return position_of(session.get_one(Match, 1))

    def play(self, name, texts, by):
        for world, text in zip(self.worlds, texts, strict=True):
            if by == "web":
                world.play(1, name, text)
            else:
                mail(world, name, text)

    def both(self, ask):
        """What each world answers, with the number of statements that it took."""
        answers = []
        for place, world in enumerate(self.worlds):
            before = self.statements[place]
            answers.append((ask(world), self.statements[place] - before))
        return answers


def mail(world, name, body):
    with db.reading(world.runtime.engine) as session:
        person = session.exec(select(Person).where(col(Person.handle) == name)).one()
        token = next(p.token_id for p in players_of(session, 1) if p.person_id == person.id)
        known = session.exec(select(Letter.id).order_by(col(Letter.id).desc())).first()
    to = f"r.{spell(KEY, token)}@localhost"
    raw = f"From: {name}@example.org\nTo: {to}\nMessage-ID: <{known}.{len(body)}@example.org>\nSubject: x\n\n{body}\n"
    mailbox.store_message(world.runtime.engine, raw.encode(), to, f"{name}@example.org", now=world.clock())
    mailbox.drain(world.runtime.engine, world.runtime.settings, now=world.clock(), rng=world.runtime.rng)


@pytest.fixture
def twins(request, tmp_path):
    case = request.param
    worlds = [unthrottled(World(tmp_path / name)) for name in ("one", "two")]
    made = Twins(worlds)
    for place, world in enumerate(worlds):
        for handle in ("ann", "bob", "cleo"):
            world.join(handle)
        listen(world)
        world.match(case.key, **case.options)
        world.app.config["PROPAGATE_EXCEPTIONS"] = False
        event.listen(world.runtime.engine, "before_cursor_execute", lambda *_more, at=place: _count(made, at))
    yield made
    for world in worlds:
        world.close()


def listen(world):
    """Programs of everybody listen, so that what happens is noted for them."""
    with db.transaction(world.runtime.engine) as session:
        for person in session.exec(select(Person)):
            events.begin(session, person)


def _count(made, place):
    made.statements[place] += 1


def looks_alike(one, other):
    return all(one.view(viewer) == other.view(viewer) for viewer in OTHERS)


def news_of(position, seat, move):
    after = position.after(seat, move)
    return [position.tell(seat, move, viewer, after) for viewer in OTHERS], after


def next_step(positions, rng):
    """Who moves, and what in either world, so that nobody else can tell the worlds apart; None where none is found."""
    one, other = positions
    for seat in one.to_act:
        if seat == CHANCE:
            return None
        for _try in range(12):
            move = one.random_move(seat, rng)
            words, after = news_of(one, seat, move)
            for twin in like(other, seat, one.write(seat, move), rng):
                its_words, its_after = news_of(other, seat, twin)
                is_same = words == its_words and looks_alike(after, its_after) and after.to_act == its_after.to_act
                if is_same and CHANCE not in after.to_act and not after.outcome:
                    return seat, (one.write(seat, move), other.write(seat, twin))
    return None


def like(position, seat, text, rng):
    """Moves for the other world: other ones first for the player who hides, the same for everybody else."""
    if seat == HIDER:
        for _try in range(40):
            yield position.random_move(seat, rng)
    try:
        yield position.read(seat, text)
    except MoveError:
        return


def pages_of(world, ply, *, everywhere=True):
    """Every address that tells of the match, and `everywhere` those of its players and of everything there is."""
    adapter = world.app.url_map.bind("localhost")
    given = {
        "match": 1,
        "number": 1,
        "handle": "ann",
        "key": "plateau",
        "game": "plateau",
        "kind": "member",
        "seek": 1,
        "token": "a" * 26,
        "name": "1",
        "month": "2026-11",
        "round_number": 1,
        "season": 1,
    }
    for rule in sorted(world.app.url_map.iter_rules(), key=str):
        if "GET" in rule.methods and not rule.endpoint.endswith("static") and not str(rule).startswith(ELSEWHERE):
            for at in range(ply + 2) if "ply" in rule.arguments else [0]:
                values = {name: at if name == "ply" else given[name] for name in rule.arguments}
                if everywhere or adapter.build(rule.endpoint, values).startswith("/games"):
                    yield adapter.build(rule.endpoint, values)


def fetched(world, who, path, data=None):
    """What a request is answered: its status, its headers and its body."""
    sent = {} if data is None else {"json": {"move": data["move"]}} if path.startswith("/api/") else {"data": data}
    headers = bearer(world, who, path)
    answer = answer_to(world, who, path, method="GET" if data is None else "POST", headers=headers, **sent)
    headers = {name: value for name, value in answer.headers if name not in ("Set-Cookie", "Date")}
    return answer.status_code, headers, answer.get_data().decode("latin-1")


def without_proofs(status, headers, body):
    """The same without what each world draws; looked for only where two answers are not the same to the byte."""
    body = re.sub(r'(content="|data-key=")[\w.-]{40,}"', r'\1"', body)
    has_proofs = PROOFS.search(body)
    kept = {name: value for name, value in headers.items() if name != "ETag" or not has_proofs}
    return status, kept, PROOFS.sub("…", body)


PROOFS = re.compile(r"[0-9a-f]{64}|[A-Za-z0-9+/]{86}(?:==|=3D=3D)|[A-Za-z0-9+/]{43}=|(?<=check mark )[0-9a-f]{8}")
"""Seals, heads, signatures and keys: they fix what is hidden, and tell nothing of it to whoever lacks the seed."""


def letters(world):
    """All that was written to others than the one who hides, as it is posted, but for what each message draws.

    And what is stored of its pictures.
    """
    with db.reading(world.runtime.engine) as session:
        theirs = select(Letter).where(col(Letter.recipient) != "ann@example.org")
        rows = session.exec(theirs.order_by(col(Letter.id))).all()
    return [without_chance(compose.compose(row, world.runtime.settings)) + row.picture for row in rows]


def without_chance(raw):
    text = re.sub(r"(?i)(Message-ID|In-Reply-To|References|Date): [^\n]*(\n[ \t][^\n]*)*\n", "", raw.decode("latin-1"))
    text = re.sub(r"(?<!=)=\r?\n", "", text)  # lines that quoted-printable broke
    text = PROOFS.sub("…", re.sub(r"=_[0-9a-f]{24}|\b([a-z2-7]{5}-){5}[a-z2-7]\b", "", text))  # parts, recovery codes
    return re.sub(r"(?i)cid:[^\"'> ]+|Content-ID: <[^>]+>", "", text)


def first_difference(one, other):
    pairs = enumerate(zip(one, other, strict=False))
    at = next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
    return f"…{one[max(0, at - 120) : at + 120]}… ≠ …{other[max(0, at - 120) : at + 120]}…"


def compare(twins, what, ask, clean=None):
    """What both worlds answer is the same, once `clean` has taken out what may differ, and takes as many statements."""
    (one, statements), (other, its_statements) = twins.both(ask)
    if one != other and clean is not None:
        one, other = clean(*one), clean(*other)
    for part, twin in zip(one, other, strict=True):
        assert part == twin, f"{what}: {first_difference(str(part), str(twin))}"
    assert statements == its_statements, f"{what}: {statements} statements ≠ {its_statements}"


def compare_everything(twins, ply, by):
    """All that anybody can get; of moves that came by mail the pages of the game alone, as the others draw on rows."""
    for world in twins.worlds:
        events.publish(world.runtime.engine, now=world.clock())
    for who in ONLOOKERS:
        for path in pages_of(twins.worlds[0], ply, everywhere=by == "web"):
            compare(twins, f"{who} {path}", functools.partial(fetched, who=who, path=path), without_proofs)
            more = {"/api/v1/games/1": "?ply=1", "/api/v1/events": "?after=0"}.get(path)
            if more is not None:
                request = functools.partial(fetched, who=who, path=path + more)
                compare(twins, f"{who} {path}{more}", request, without_proofs)
        for text in TRIES if who == "bob" else TRIES[:2]:
            for path in ("/games/1/read", f"/games/1/{ply}/try/read", "/games/1/move", "/api/v1/games/1/preview"):
                if path.endswith("try/read") and who != "bob":
                    continue
                data = {"move": text, "pick": "", "ply": "99" if path.endswith("move") else str(ply), "at": ""}
                request = functools.partial(fetched, who=who, path=path, data=data)
                compare(twins, f"{who} {path} {text}", request, without_proofs)
    for line in ASKED:
        compare(twins, f"mail {line}", lambda world, line=line: (mail(world, "bob", line),))
    compare(twins, "letters", lambda world: tuple(letters(world)))


PLAIN = [case for case in SECRETIVE if len(case.options) < 2]
WAYS = [(case, "web") for case in (*PLAIN, SECRETIVE[-2])] + [(case, "mail") for case in PLAIN]


USUAL = {("plateau", "web"), ("proteus-dice", "mail")}
"""Each game that hides anything by one way of playing; the others, but for one with most options, are left to thorough runs."""
CHOSEN = [(case, by) if (case.key, by) in USUAL or len(case.options) > 1 else more(case, by) for case, by in WAYS]


@pytest.mark.parametrize(("twins", "by"), CHOSEN, ids=str, indirect=["twins"])
def test_nobody_can_tell_two_worlds_apart_that_differ_in_what_one_player_hides(twins, by):
    rng, differing = random.Random(3), 0
    for _ply in range(MOST_PLIES):
        step = next_step(twins.positions(), rng)
        if step is None or differing == CHECKED:
            break
        seat, texts = step
        twins.play(("ann", "bob")[seat], texts, by)
        one, other = twins.positions()
        assert looks_alike(one, other) or texts[0] == texts[1]
        if one != other:
            differing += 1
            with db.reading(twins.worlds[0].runtime.engine) as session:
                compare_everything(twins, session.get_one(Match, 1).ply, by)
    assert differing


def test_the_games_that_hide_something_are_all_here():
    assert {case.key for case in SECRETIVE} == {"plateau", "proteus-dice"}
    assert all(case.key == "plateau" or "wall_street" in case.options for case in SECRETIVE)
    assert any(case.options.get("wall_street") == "secret" for case in SECRETIVE)
