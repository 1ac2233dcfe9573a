"""Words for the dice: who may contribute them, until when, where they stand, and what is refused."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.commands import Accept, DiceWords, Other, attached, parse_commands
from correspondence.core import db
from correspondence.core.signing import check_signature
from correspondence.fairness.seeds import WordsError, checked_words
from correspondence.matchmaking import challenges, offer_words
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import OfferSeed, Player, Seek
from engines.verification.checks import ClaimState, check_record
from tests.club import challenge, row, seek
from tests.post import at_once, html_of, text_of
from tests.test_records import play_on, record

DOOR = "play@games.example"
RAIN = "under a red umbrella"


@pytest.fixture
def game(town):
    town.join("ann", "bob")
    return town


def words_of(town, number=1):
    """The words of both seats of a match, as its record publishes them."""
    tags = dict(re.findall(r'^\[(Words\d) "(.*)"\]$', town_record(town, number), re.M))
    return tags["Words0"], tags["Words1"]


def town_record(town, number=1):
    from correspondence.archive.import_export import export
    from correspondence.core.signing import signer_of

    with db.reading(town.engine) as session:
        return export(session, number, signer_of(town.settings), now=town.time)


def players(town):
    with db.reading(town.engine) as session:
        return {
            session.get_one(challenges.Person, one.person_id).handle: one.words for one in session.exec(select(Player))
        }


def plain(letter):
    return " ".join(text_of(letter).split())


# -- how lines are read ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("words: a walk  in “the” rain", DiceWords("a walk  in “the” rain")),
        ("Words : x", DiceWords("x")),
        ("parole: due passi", DiceWords("due passi")),
        ("words 7: x: y", DiceWords("x: y", 7)),
        ("parole per 7: x", DiceWords("x", 7)),
        ("words:", DiceWords("")),
        ("accept 7 words: rain", Accept(7, words="rain")),
        ("accetto, parole: pioggia", Accept(words="pioggia")),
    ],
)
def test_lines_with_words_are_read_as_they_were_written(line, command):
    assert parse_commands([line]) == (command,)


@pytest.mark.parametrize(
    "line", ["I accept your words: fine", "in other words: no", "say: words: x", "my words 7: no", "passwords: x"]
)
def test_sentences_about_words_are_talk(line):
    assert parse_commands([line]) == (Other(line),)


def test_words_go_to_every_offer_and_answer_of_the_mail_and_several_lines_are_one_text():
    commands = attached(parse_commands(["accept 7", "words: a", "seek duel", "games", "words: b"]))
    assert [getattr(command, "words", None) for command in commands] == ["a b", "a b", None]


def test_what_a_letter_to_a_member_says_is_never_taken_for_words():
    lines = ["words: mine", "write bob: hello", "accept", "words: of the letter"]
    assert attached(parse_commands(lines))[0] == DiceWords("mine")


@given(st.text(max_size=300))
def test_whatever_words_are_written_is_kept_or_refused_in_a_sentence(text):
    try:
        words = checked_words(text)
    except WordsError as refusal:
        assert str(refusal)[-1] == "."
        return
    assert len(words) <= 200
    assert words == checked_words(words)
    assert len(words.splitlines()) <= 1
    line = f"accept 7 words: {words}"
    read = parse_commands([line])
    if len(words.split()) == len(words.split(" ")) and len(line.splitlines()) == 1:
        assert read == (Accept(7, words=words),)


@pytest.mark.parametrize(
    "sign", ["\t", "\n", "\r", "\x00", "\x1b", "\x85", "\u2028", "\u202e", "\u2066", "\ud800", "\u200b"]
)
def test_characters_that_cannot_be_seen_are_refused(sign):
    with pytest.raises(WordsError, match="visible characters"):
        checked_words(f"a{sign}b")


@pytest.mark.parametrize("words", ["e\u0301", "👩\u200d👧", "雨　の 中", 'say "x" \\ [Words1 "y"]', "a  b"])
def test_words_of_every_script_are_kept(words):
    assert checked_words(f"  {words} ") == __import__("unicodedata").normalize("NFC", words)


# -- by mail -----------------------------------------------------------------------------


def test_both_players_contribute_words_by_mail_and_the_record_proves_the_dice_with_them(game):
    game.agree("ann", f"challenge bob proteus-dice wall_street=open 3 days\nwords: {RAIN}")
    receipt = plain(game.letter("ann"))
    with db.reading(game.engine) as session:
        commitment = sha256(session.exec(select(OfferSeed)).one().secret).hexdigest()
    assert RAIN in receipt and commitment in receipt
    offer = game.letter("bob")
    assert RAIN not in text_of(offer) + html_of(offer)
    game.answer(offer, "accept\nwords: blue socks")
    assert players(game) == {"ann": RAIN, "bob": "blue socks"}
    for name in ("ann", "bob"):
        first = next(one for one in game.letters(name) if one["Correspondence-Head"])
        assert all(words in plain(first) and words in html_of(first) for words in (RAIN, "blue socks"))
    game.answer(game.letter("bob"), "resign")
    game.answer(game.letter("bob"), "yes")
    report = check_record(town_record(game), check_signature)
    assert report.state == ClaimState.HOLDS and set(words_of(game)) == {RAIN, "blue socks"}


def test_other_words_give_other_dice_and_a_record_with_changed_words_is_wrong(world):
    world.join("ann"), world.join("bob")
    form = {"game": "proteus-dice", "option-wall_street": "open", "handle": "bob", "seat": "0", "words": RAIN}
    world.client("ann").post("/challenge", data=form)
    world.client("bob").post(f"/challenges/{world.offer()}/accept", data={"words": "blue socks"})
    play_on(world, 1, 7)
    world.resign(1, "bob")
    text = record(world, 1)
    assert '[Words0 "under a red umbrella"]' in text and '[Words1 "blue socks"]' in text
    assert check_record(text, check_signature).state == ClaimState.HOLDS
    for at in range(len(RAIN)):
        changed = text.replace(RAIN, RAIN[:at] + "x" + RAIN[at + 1 :])
        if check_record(changed, check_signature).state == ClaimState.WRONG:
            assert check_record(changed, check_signature).first_wrong.claim == "lots"
            break
    else:
        raise AssertionError("no other words gave another roll")


def test_words_in_italian_behind_the_answer(game):
    game.agree("ann", "sfida bob duel parole: due passi")
    game.answer(game.letter("bob"), "accetto, parole: sotto la pioggia")
    assert players(game) == {"ann": "due passi", "bob": "sotto la pioggia"}


def test_a_refused_text_of_words_begins_nothing(game):
    game.agree("ann", "challenge bob duel 3 days")
    game.answer(game.letter("bob"), f"accept\nwords: {'x' * 201}")
    assert "at most 200 characters; this has 201" in plain(game.letter("bob")) and not players(game)


def test_who_made_an_offer_changes_their_words_until_it_is_accepted(game):
    game.agree("ann", "challenge bob proteus-dice roulette=after 3 days")
    offer = game.letter("bob")
    assert f"words {game.offer()}: a walk in the rain" in text_of(game.letter("ann"))
    game.agree("ann", "words: first")
    game.agree("ann", f"words {game.offer()}: second")
    assert row(game, game.offer()).words == "second" and "second" in text_of(game.letter("ann"))
    game.answer(offer, "accept")
    game.agree("ann", f"words {game.offer()}: third")
    assert players(game)["ann"] == "second" and "no open challenge or seek with the number" in plain(game.letter("ann"))
    game.agree("ann", "words: third")
    assert "to add these words to" in plain(game.letter("ann"))


def test_words_of_an_offer_of_somebody_else_are_not_changed(game):
    number = challenge(game, "ann", "bob")
    game.answer(game.letter("bob"), "words: mine")
    assert "write accept in the same mail" in plain(game.letter("bob"))
    game.agree("bob", f"words {number}: mine")
    assert "no open challenge or seek with the number" in plain(game.letter("bob")) and not row(game, number).words


def test_of_several_offers_words_name_one(game):
    one, other = challenge(game, "ann", "bob"), seek(game, "ann")
    game.agree("ann", "words: x")
    assert f"{one} and {other}" in plain(game.letter("ann")) and not row(game, one).words + row(game, other).words
    game.agree("ann", f"words {other}: x")
    game.agree("ann", f"words {other}:")
    assert row(game, other).words == "" and "no randomness of yours" in plain(game.letter("ann"))


def test_words_in_a_game_are_refused_and_never_passed_on_as_talk(game):
    number = game.match()
    game.answer(game.letter("ann"), "words: I hide a queen")
    assert "fixed when a game begins" in plain(game.letter("ann"))
    assert all("queen" not in text_of(letter) for letter in game.letters("bob"))
    assert "queen" not in town_record(game, number) and players(game) == {"ann": "", "bob": ""}


def test_a_from_line_alone_changes_no_words(game):
    number = seek(game, "ann")
    outcome = game.mail("ann@example.org", DOOR, f"words {number}: forged")
    assert outcome.endswith("proposed") and not row(game, number).words
    assert f"words {number}: forged" in text_of(game.letter("ann"))
    game.answer(game.letter("ann"), "yes")
    assert row(game, number).words == "forged"


def test_long_words_that_a_mail_program_broke_are_one_text_and_what_follows_is_not(game):
    game.agree("ann", "challenge bob duel 3 days")
    long = "the quick brown fox jumps over the lazy dog and then sleeps " * 2
    first, second = f"accept words: {long}"[:70], f"accept words: {long}"[70:].strip()
    cut = first.rfind(" ")
    game.answer(game.letter("bob"), f"{first[:cut]}\n{first[cut + 1 :]}{second}\n\nHello!")
    assert players(game)["bob"] == long.strip()


def test_a_rematch_and_another_offer_take_words(game):
    number = challenge(game, "ann", "bob")
    game.agree("bob", f"counter {number} 5 days\nwords: blue socks")
    assert row(game, game.offer(2)).words == "blue socks"
    game.agree("ann", f"accept {game.offer(2)} words: rain")
    assert players(game) == {"ann": "rain", "bob": "blue socks"}
    game.resign(1, "ann")
    game.agree("ann", "rematch 1\nwords: again")
    assert row(game, game.offer(3)).words == "again"


def test_an_invitation_takes_words_of_both(game):
    game.agree("ann", f"invite bob@example.org proteus-dice roulette=after\nwords: {RAIN}")
    answer = game.letter("ann")
    assert RAIN in text_of(answer) and RAIN in html_of(answer)
    letter = game.letter("bob")
    assert RAIN not in text_of(letter) + html_of(letter)
    game.answer(letter, "accept\nwords: blue socks")
    assert players(game) == {"ann": RAIN, "bob": "blue socks"}


def test_two_seeks_that_meet_bring_the_words_of_both(game):
    game.agree("ann", "seek duel 3 days\nwords: of ann")
    game.agree("bob", "seek duel 3 days words: of bob")
    assert players(game) == {"ann": "of ann", "bob": "of bob"}


def test_the_list_of_seeks_by_mail_tells_fingerprints_and_no_words(game):
    number = seek(game, "ann")
    game.agree("ann", f"words {number}: secret so far")
    game.agree("bob", "seeks")
    with db.reading(game.engine) as session:
        assert sha256(session.get_one(OfferSeed, number).secret).hexdigest() in text_of(game.letter("bob"))
    assert "secret so far" not in text_of(game.letter("bob"))


@pytest.mark.parametrize("line", ["words: x", "accept 1 words: x", "words 99999999999: x", "words 0: x", "words -1: x"])
def test_no_line_with_words_is_met_with_silence(game, line):
    before = len(game.received)
    game.agree("ann", line)
    assert len(game.received) > before


# -- what a cheat would try ----------------------------------------------------------------

HOSTILE = [
    'x"]\n[Seed "00"]', 'x"]', "\\", '\\"', '"] [Words1 "other', "1. White: c3/f2=B ; [%ts x]", "; comment", "<script>x</script>",
    "{{ 7 * 7 }}", "%%link%%", "r.aaaaaaaaaaaaaaaaaaaaaaaaaa@games.example", "yes", "resign",
]  # fmt: skip


@pytest.mark.parametrize("words", HOSTILE)
def test_words_cannot_break_out_of_records_letters_and_pages(world, words):
    world.join("ann"), world.join("bob")
    with db.transaction(world.runtime.engine) as session:
        ann, bob = (challenges.person_by_handle(session, name) for name in ("ann", "bob"))
        try:
            made = challenges.challenge(session, ann, "bob", "duel", {}, words=words, seat=0, now=world.clock())
        except WordsError:
            assert "\n" in words
            return
        match = challenges.accept(session, bob, made.id, words="w", now=world.clock(), rng=world.runtime.rng).id
    world.resign(match, "bob")
    text = record(world, match)
    report = check_record(text, check_signature)
    assert report.state == ClaimState.HOLDS
    assert report.record.tags["Words0"] == words
    assert report.record.tags["Words1"] == "w"
    page = world.client().get(f"/games/{match}/evidence").text
    assert (
        "<script>x" not in page and "49" not in re.findall(r"Randomness from player 1</dt><dd[^>]*>(.*?)</dd>", page)[0]
    )


def test_nobody_sees_the_words_of_an_open_offer_but_who_made_it(world):
    for name in ("ann", "bob"):
        world.join(name)
    for path, data in (("/challenge", {"handle": "bob"}), ("/seeks/new", {})):
        world.client("ann").post(
            path,
            data={"game": "proteus-dice", "option-roulette": "before", "pace": "3", "words": "unseen so far", **data},
        )
    for path in ("/games", "/seeks", "/players/ann", f"/challenges/{world.offer()}/counter", "/settings"):
        assert "unseen so far" not in world.client("bob").get(path).text, path
    assert all("unseen so far" in world.client("ann").get(path).text for path in ("/games", "/seeks"))


# -- on pages ------------------------------------------------------------------------------


def test_forms_take_words_and_say_what_is_wrong_with_them(world):
    for name in ("ann", "bob"):
        world.join(name)
    ann, bob = world.client("ann"), world.client("bob")
    form = {"game": "proteus-dice", "option-roulette": "before", "pace": "3", "handle": "bob"}
    for path in ("/challenge", "/seeks/new", "/invite"):
        assert 'name="words"' in ann.get(f"{path}?game=proteus-dice").text
        answer = ann.post(path, data={**form, "words": "x" * 201})
        assert answer.status_code == 422
        assert "at most 200 characters" in answer.text
        assert "x" * 201 in answer.text
    ann.post("/challenge", data={**form, "words": "a\tb"})
    ann.post("/challenge", data={**form, "words": RAIN})
    assert row_of(world, world.offer()).words == RAIN
    answer = bob.post(f"/challenges/{world.offer()}/accept", data={"words": "x" * 201}, follow_redirects=True)
    assert "at most 200 characters" in answer.text
    bob.post(f"/challenges/{world.offer()}/accept", data={"words": "blue socks"})
    with db.reading(world.runtime.engine) as session:
        assert {one.words for one in session.exec(select(Player))} == {RAIN, "blue socks"}


def test_words_of_an_open_offer_are_changed_on_its_page_by_their_maker_alone(world):
    for name in ("ann", "bob"):
        world.join(name)
    ann, bob = world.client("ann"), world.client("bob")
    ann.post("/seeks/new", data={"game": "proteus-dice", "option-roulette": "before", "pace": "3"})
    assert bob.post(f"/seeks/{world.offer()}/words", data={"words": "mine"}).status_code == 409
    assert world.client().post(f"/seeks/{world.offer()}/words", data={"words": "mine"}).status_code in (
        302,
        303,
        401,
        403,
    )
    assert ann.post(f"/seeks/{world.offer()}/words", data={"words": "x" * 201}).status_code == 409
    assert row_of(world, world.offer()).words == ""
    assert (
        ann.post(f"/seeks/{world.offer()}/words", data={"words": RAIN}).status_code == 303
        and row_of(world, world.offer()).words == RAIN
    )
    bob.post(f"/seeks/{world.offer()}/take", data={"words": "blue socks"})
    assert (
        ann.post(f"/seeks/{world.offer()}/words", data={"words": "late"}).status_code == 409
        and row_of(world, world.offer()).words == RAIN
    )


def test_an_invitation_on_its_page_and_another_offer_take_words(world):
    for name in ("ann", "bob"):
        world.join(name)
    ann, bob = world.client("ann"), world.client("bob")
    page = ann.post(
        "/invite", data={"game": "proteus-dice", "option-roulette": "before", "pace": "3", "words": RAIN}
    ).text
    link = re.search(r"/i/(\w+)", page)[0]
    assert 'name="words"' in bob.get(link).text and RAIN not in bob.get(link).text
    refused = bob.post(link, data={"words": "x" * 201})
    assert refused.status_code == 422 and "x" * 201 in refused.text
    bob.post(link, data={"words": "blue socks"})
    with db.reading(world.runtime.engine) as session:
        assert {one.words for one in session.exec(select(Player))} == {RAIN, "blue socks"}
    world.clock.go(hours=1)
    ann.post("/challenge", data={"game": "proteus-dice", "option-roulette": "before", "pace": "3", "handle": "bob"})
    bob.post(
        f"/challenges/{world.offer(2)}/counter",
        data={
            "game": "proteus-dice",
            "option-roulette": "before",
            "handle": "ann",
            "pace": "7",
            "seat": "same",
            "words": "other",
        },
    )
    assert row_of(world, world.offer(3)).words == "other"


def row_of(world, number):
    with db.reading(world.runtime.engine) as session:
        return session.get(Seek, number)


def test_words_changed_at_the_moment_of_acceptance_are_those_of_the_record_or_are_refused(game):
    number = challenge(game, "ann", "bob")

    def changes():
        with db.transaction(game.engine) as session:
            offer_words.change(session, game.person(session, "ann"), number, "late", now=game.time)
        return "changed"

    def accepts(words):
        def accept():
            with db.transaction(game.engine) as session:
                bob = game.person(session, "bob")
                challenges.accept(session, bob, number, words=words, now=game.time, rng=game.rng)
            return f"accepted {words}"

        return accept

    results = at_once(changes, accepts("one"), accepts("two"), accepts("three"), refusals=(ChallengeError,))
    accepted = [result.removeprefix("accepted ") for result in results if result.startswith("accepted ")]
    kept = players(game)
    assert [kept["bob"]] == accepted
    assert kept["ann"] == ("late" if "changed" in results else "")
    assert f'"{kept["bob"]}"' in town_record(game)


def test_whoever_takes_a_seek_on_its_page_has_read_the_commitment_of_that_very_game(world):
    for name in ("ann", "bob", "cleo"):
        world.join(name)
    ann, bob, cleo = (world.client(name) for name in ("ann", "bob", "cleo"))
    ann.post("/seeks/new", data={"game": "duel", "pace": "3", "kind": "standing", "standing": "3"})
    read = re.search(r'name="commitment" value="(\w{64})"', cleo.get("/seeks").text)[1]
    assert bob.post(f"/seeks/{world.offer()}/take", data={"commitment": read}).status_code == 303
    answer = cleo.post(f"/seeks/{world.offer()}/take", data={"commitment": read, "words": "mine"})
    assert answer.status_code == 409 and "another fingerprint" in answer.text
    again = re.search(r'name="commitment" value="(\w{64})"', cleo.get("/seeks").text)[1]
    assert again != read and cleo.post(f"/seeks/{world.offer()}/take", data={"commitment": again}).status_code == 303
    assert again in cleo.get("/games/2/evidence").text
