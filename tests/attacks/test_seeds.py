"""A seed never leaves before the end by any face, and nothing that anybody does or that fails gets other lots from it."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from email import message_from_bytes
from email.policy import default
from zlib import crc32

import pytest
from sqlmodel import col, select

from correspondence.archive.import_export import export
from correspondence.community.data_export import export_chunks
from correspondence.core import db
from correspondence.core.signing import signer_of
from correspondence.inbound import mailbox
from correspondence.matchmaking import challenges, seeks
from correspondence.models import DailySeed, Letter, Match, Move, OfferSeed, Person, Player, Seed, Seek, SeekState
from correspondence.models.loading import moves_of, persons_of, players_of, position_of
from correspondence.outbound import compose
from engines.chance import SEED_BYTES, ChanceStream
from engines.verification import seals
from tests.attacks.reach import addresses, answer_to, unthrottled
from tests.attacks.test_discreet_logs import told_everything
from tests.attacks.test_twins import PROOFS, fetched, first_difference, pages_of, without_chance, without_proofs
from tests.attacks.test_twins import mail as mail_in_game
from tests.browser.places import Places
from tests.programs import bearer
from tests.sizes import in_turn, sampled
from tests.test_records import play_on
from tests.world import World

READERS = ("ann", "bob", "cleo", "")
QUESTIONS = ("games", "seeks", "show {n}", "history {n}", "record {n}", "rules fairness", "legal {n}", "puzzle today",
             "words: mine", "game {n}: plan", "game {n}: preview a1", "partners", "ratings")  # fmt: skip

# -- what must not be seen -----------------------------------------------------------------


def spelled(secret):
    """A secret as anybody might write it, and its ends, so that a part of it is found too."""
    digits = secret.hex()
    whole = base64.b64encode(secret).decode()
    return {digits, digits[:16], digits[-16:], whole.rstrip("="), base64.urlsafe_b64encode(secret).decode().rstrip("="),
            base64.b32encode(secret).decode().rstrip("="), str(int.from_bytes(secret, "big"))}  # fmt: skip


def secrets_of(world):
    """Every seed that is not open yet, and every salt that follows from it."""
    with db.reading(world.runtime.engine) as session:
        running = session.exec(select(Match.id).where(col(Match.ended_at).is_(None))).all()
        found = [session.get_one(Seed, number).secret for number in running]
        sealed = session.exec(select(Move).where(col(Move.seal) != "", col(Move.match_id).in_(running))).all()
        salts = [bytes.fromhex(seals.salt(session.get_one(Seed, one.match_id).secret, one.ply)) for one in sealed]
        open_offers = select(OfferSeed).join(Seek, col(Seek.id) == col(OfferSeed.seek_id))
        found += [one.secret for one in session.exec(open_offers.where(col(Seek.state) == SeekState.OPEN))]
        today = world.clock().date()
        found += [one.secret for one in session.exec(select(DailySeed).where(col(DailySeed.day) >= today))]
    assert len(found) > 8 and salts
    return {text.casefold() for secret in (*found, *salts) for text in spelled(secret)}


def leaks(secrets, text):
    """Those of these secrets, given in small letters, that a text holds."""
    low = text.casefold()
    return [secret for secret in secrets if secret in low]


# -- every face ----------------------------------------------------------------------------


def letters(world):
    """All letters as they are posted, decoded."""
    with db.reading(world.runtime.engine) as session:
        rows = session.exec(select(Letter).order_by(col(Letter.id))).all()
    for row in rows:
        message = message_from_bytes(compose.compose(row, world.runtime.settings), policy=default)
        yield f"letter {row.id}", "\n".join(f"{name}: {value}" for name, value in message.items())
        for part in message.walk():
            if part.get_content_maintype() == "text":
                yield f"letter {row.id}", part.get_content()


def answers_by_mail(world, numbers):
    for name in ("ann", "bob"):
        for line in QUESTIONS:
            body = line.format(n=numbers[0])
            raw = f"From: {name}@example.org\nTo: play@localhost\nMessage-ID: <{name}{body}@x>\nSubject: x\n\n{body}\n"
            mailbox.store_message(
                world.runtime.engine, raw.encode(), "play@localhost", f"{name}@example.org", now=world.clock()
            )
    mailbox.drain(world.runtime.engine, world.runtime.settings, now=world.clock(), rng=world.runtime.rng)
    with db.reading(world.runtime.engine) as session:
        texts = session.exec(select(Letter.text).where(col(Letter.kind) == "answer")).all()
    assert any("The board of game" in text for text in texts) and any("[Commitment" in text for text in texts)


def exports(world, numbers):
    engine, now, signer = world.runtime.engine, world.clock(), signer_of(world.runtime.settings)
    with db.reading(engine) as session:
        for number in numbers:
            yield f"export {number}", export(session, number, signer, now=now)
        people = session.exec(select(Person.id)).all()
    for person in people:
        file = zipfile.ZipFile(io.BytesIO(b"".join(export_chunks(engine, person, signer=signer, now=now))))
        for name in file.namelist():
            yield f"export of {person}, {name}", file.read(name).decode("utf-8", "replace")


def pages(world, places, numbers, readers=READERS, begins="", at_once=4):
    """All pages as these readers get them; each page goes to `at_once` of them, the next page to the next.

    `begins`: how reader and path together begin, to get but some of them.
    """
    every = dict.fromkeys(places.paths())
    for number in numbers:
        every |= dict.fromkeys(
            addresses(
                world, "GET", number=str(number), match=str(number), ply="2", handle="ann", key="plateau", name="1"
            )
        )
    for turn, path in enumerate(every):
        for reader in in_turn(readers, turn, at_once=at_once, is_thorough=False):
            if f"{reader} {path}".startswith(begins):
                answer = answer_to(world, reader, path, headers=bearer(world, reader, path))
                yield f"{reader} {path}", f"{answer.headers}\n{answer.get_data().decode('latin-1')}"


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    world = unthrottled(World(tmp_path_factory.mktemp("seeds"), rng=3))
    yield world, Places(world)
    world.close()


def test_no_face_shows_a_seed_or_a_salt_before_the_end(everything, is_thorough):
    world, places = everything
    numbers = [places.games[key] for key in ("plateau", "proteus-dice")]
    found = []
    with told_everything() as lines:
        secrets = secrets_of(world)
        answers_by_mail(world, numbers)
        for faces in (
            pages(world, places, numbers, at_once=4 if is_thorough else 2),
            letters(world),
            exports(world, numbers),
        ):
            for where, text in faces:
                found += [f"{where}: {secret}" for secret in leaks(secrets, text)]
        log = "\n".join(lines)
    assert found == [] and leaks(secrets, log) == []


def test_whoever_looks_finds_the_seed_once_the_game_is_over(everything):
    world, places = everything
    with db.reading(world.runtime.engine) as session:
        secret = session.get_one(Seed, places.over).secret
    secrets = {text.casefold() for text in spelled(secret)}
    of_game = f" /games/{places.over}"
    shown = {where for where, text in pages(world, places, [places.over], [""], of_game) if leaks(secrets, text)}
    assert f"{of_game}/evidence" in shown and f"{of_game}.record" in shown
    assert any(leaks(secrets, text) for _where, text in letters(world))


# -- two worlds that differ in the seed alone ------------------------------------------------

CASES = [
    ("duel", {}),
    ("plateau", {}),
    ("proteus-dice", {"roulette": "after"}),
    ("proteus-dice", {"wall_street": "secret"}),
]
"""Games in which nothing but the first roll is drawn in the first entries: so seeds are told apart by a leak alone."""

LAST = 2
"""How many entries are compared, each player's first."""

WHOLE = "plateau"
"""The game beside which all other pages are compared too: they draw on the same rows whatever is played."""


@pytest.fixture(params=sampled(CASES, first=1), ids=lambda case: case[0] + "".join(case[1]))
def two(request, tmp_path):
    key, options = request.param
    worlds = [unthrottled(World(tmp_path / name)) for name in ("one", "two")]
    for place, world in enumerate(worlds):
        for handle in ("ann", "bob", "cleo"):
            world.join(handle)
        for handle, game in (("bob", key), ("ann", "proteus-tiles")):
            with db.transaction(world.runtime.engine) as session:
                person = challenges.person_by_handle(session, handle)
                seeks.seek(
                    session, person, game, options if game == key else {}, now=world.clock(), rng=world.runtime.rng
                )
        with db.transaction(world.runtime.engine) as session:
            _exchange(session, place)
            ann = challenges.person_by_handle(session, "ann")
            seeks.take(session, ann, _offer_of(session, key), now=world.clock(), rng=world.runtime.rng)
    yield worlds
    for world in worlds:
        world.close()


def _offer_of(session, key):
    return session.exec(select(Seek.id).where(Seek.game == key)).one()


def _exchange(session, place):
    """Put another seed into every offer of the second world, one that gives the same seats and the same first roll."""
    for offered in session.exec(select(OfferSeed)).all():
        tries = (number.to_bytes(2, "big") * (SEED_BYTES // 2) for number in range(5000))
        if place:
            offered.secret = next(one for one in tries if _beginning(one) == _beginning(offered.secret))
        session.add(offered)


def _beginning(secret):
    return ChanceStream(secret, 0).below(2), ChanceStream(secret, 1, ("", "")).below(30)


def test_nobody_can_tell_two_worlds_apart_that_differ_in_their_seeds_alone(two, is_thorough):
    for ply in range(1, LAST + 1):
        texts = {_next_move(world) for world in two}
        assert len(texts) == 1
        handle, text = texts.pop()
        for world in two:
            world.play(1, handle, text)
        _compare_pages(two, ply, is_thorough)
        _ask_by_mail(two)
    _compare_letters(two)
    secrets = []
    for world in two:
        with db.reading(world.runtime.engine) as session:
            secrets.append(session.get_one(Seed, 1).secret)
    assert secrets[0] != secrets[1]


def _next_move(world):
    with db.reading(world.runtime.engine) as session:
        match = session.get_one(Match, 1)
        position = position_of(match)
        seat = position.to_act[0]
        handle = persons_of(session, players_of(session, 1))[seat].handle
        return handle, position.write(seat, next(iter(position.view(seat).legal_moves(seat))))


def _compare_pages(two, ply, is_thorough):
    """Each page of the game is the same for two readers, and for the others at the next ply; any other page for all."""
    for path in pages_of(two[0], ply, everywhere=_is_compared_whole(two[0], ply)):
        for_all = is_thorough or not path.startswith("/games")
        for who in in_turn(READERS, ply + crc32(path.encode()), at_once=2, is_thorough=for_all):
            one, other = (fetched(world, who, path) for world in two)
            if one != other:
                one, other = without_proofs(*one), without_proofs(*other)
            assert one == other, f"{who} {path}: {first_difference(str(one), str(other))}"


def _is_compared_whole(world, ply):
    with db.reading(world.runtime.engine) as session:
        return ply == LAST and session.get_one(Match, 1).game == WHOLE


def _ask_by_mail(two):
    for line in ("show 1", "history 1", "record 1", "games", "seeks"):
        for world in two:
            mail_in_game(world, "bob", line)


def _compare_letters(two):
    letters_of_each = []
    for world in two:
        with db.reading(world.runtime.engine) as session:
            rows = session.exec(select(Letter).order_by(col(Letter.id))).all()
        letters_of_each.append([without_chance(compose.compose(row, world.runtime.settings)) for row in rows])
    assert letters_of_each[0] == letters_of_each[1]
    assert all(PROOFS.search(text) is None for text in letters_of_each[0])


# -- nothing fails into other lots -----------------------------------------------------------


class Crash(Exception):
    """What happens between any two lines."""


def drawn(session, match):
    """The seats, and what chance has entered."""
    players = [session.get_one(Person, one.person_id).handle for one in players_of(session, match.id)]
    return players, [move.text for move in moves_of(session, match.id) if move.seat == -1]


def test_a_crash_after_seats_and_first_lots_were_drawn_and_a_second_try_give_the_same(world):
    world.join("ann"), world.join("bob")
    game = ("proteus-dice", {"wall_street": "open"})
    for _offer in range(4):
        with db.transaction(world.runtime.engine) as session:
            ann = challenges.person_by_handle(session, "ann")
            number = challenges.challenge(session, ann, "bob", *game, now=world.clock(), rng=world.runtime.rng).id
        results = []
        for is_last in (False, False, True):
            try:
                with db.transaction(world.runtime.engine) as session:
                    bob = challenges.person_by_handle(session, "bob")
                    match = challenges.accept(session, bob, number, now=world.clock(), rng=world.runtime.rng)
                    results.append(drawn(session, match))
                    if not is_last:
                        raise Crash
            except Crash:
                continue
        assert results[0] == results[1] == results[2]


def test_words_that_are_refused_draw_nothing_and_keep_the_seed_of_the_offer(world):
    world.join("ann"), world.join("bob")
    ann, bob = world.client("ann"), world.client("bob")
    ann.post("/challenge", data={"game": "duel", "pace": "3", "handle": "bob"})
    with db.reading(world.runtime.engine) as session:
        before = session.get_one(OfferSeed, world.offer()).secret
    bob.post(f"/challenges/{world.offer()}/accept", data={"words": "x" * 201})
    with db.reading(world.runtime.engine) as session:
        assert (
            session.get_one(OfferSeed, world.offer()).secret == before and session.exec(select(Match)).first() is None
        )


def test_two_games_with_the_same_players_words_and_moves_draw_differently(world):
    world.join("ann"), world.join("bob")
    form = {
        "game": "proteus-dice",
        "option-wall_street": "open",
        "pace": "3",
        "handle": "bob",
        "seat": "0",
        "words": "w",
    }
    for _game in range(2):
        world.client("ann").post("/challenge", data=form)
        [open_now] = re.findall(r"/challenges/(\d+)/accept", world.client("bob").get("/games").text)[:1]
        world.client("bob").post(f"/challenges/{open_now}/accept", data={"words": "v"})
    streams = []
    with db.reading(world.runtime.engine) as session:
        for number in (1, 2):
            words = tuple(one.words for one in players_of(session, number))
            assert words == ("w", "v")
            stream = ChanceStream(session.get_one(Seed, number).secret, 1, words)
            streams.append([stream.below(6) for _roll in range(40)])
    assert streams[0] != streams[1]


def test_each_entry_of_chance_is_drawn_once_from_the_seed_whatever_the_players_try(world):
    world.join("ann"), world.join("bob")
    number = world.match("proteus-dice", wall_street="open", roulette="after")
    play_on(world, number, 9)
    with db.reading(world.runtime.engine) as session:
        before = drawn(session, session.get_one(Match, number))
    for name in ("ann", "bob"):
        client = world.client(name)
        for path in ("takeback", "draw", "pause", "read", "plan"):
            client.post(
                f"/games/{number}/{path}", data={"ply": "9", "move": "a1", "lines": "if a1 then a1", "days": "2"}
            )
    with db.reading(world.runtime.engine) as session:
        assert drawn(session, session.get_one(Match, number)) == before
        assert re.fullmatch(r"[0-9a-f]{64}", session.get_one(Seed, number).secret.hex())
        assert {one.words for one in session.exec(select(Player))} == {""}
