"""The offline checking page, from a disk and without a network: its findings are those of `flask verify`."""

from __future__ import annotations

import json
import random
import re
from datetime import timedelta
from email.policy import SMTP

import pytest

from correspondence.accounts.accounts import person_by_handle
from correspondence.core.db import transaction
from correspondence.core.signing import check_signature
from correspondence.fairness.check_page import check_page
from correspondence.matchmaking import challenges
from engines.verification.checks import check_record
from tests.browser.axe import ALL, axe_finds, load_axe
from tests.games import OUR_CASES
from tests.test_records import play_on, record

CLAIMS = ("commitment", "lots", "seals", "chain", "signature", "end", "key")
"""What page and program both judge."""

OUR_KEY = "O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik="
"""The public key of every world of a test."""

OUR_KEYS = ("correspondence-keys.json", json.dumps({"keys": [{"key": OUR_KEY}]}).encode())

ROWS = """() => [...document.querySelectorAll("#found tbody tr")]
  .map((row) => [row.dataset.claim, row.dataset.state, row.cells[1].textContent])"""


class Checker:
    """The page as a saved file, and what it finds."""

    def __init__(self, page, file):
        self.page, self.requests = page, []
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(file.as_uri())

    def check(self, text="", *files, keys=OUR_KEYS):
        """Paste a text, choose files given as (name, bytes) and a list of keys, and check: rows of claim, state, sentence."""
        files = [*files, keys] if keys else files
        self.page.evaluate("(text) => { document.getElementById('pasted').value = text }", text)
        given = [{"name": name, "mimeType": "application/octet-stream", "buffer": raw} for name, raw in files]
        self.page.set_input_files("#files", given)
        self.page.evaluate("() => { document.getElementById('verdict').replaceChildren() }")
        self.page.click("#check")
        self.page.wait_for_selector("#verdict .verdict")
        return [tuple(row) for row in self.page.evaluate(ROWS)]

    def states(self, text):
        return {claim: state for claim, state, _sentence in self.check(text)}

    @property
    def verdict(self):
        return self.page.locator("#verdict .verdict").get_attribute("data-state")


@pytest.fixture
def checker(chromium, tmp_path):
    file = tmp_path / "check.html"
    file.write_bytes(check_page())
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.troubles.append(message.text))
    made = Checker(page, file)
    yield made
    assert page.troubles == [] and all(url == file.as_uri() for url in made.requests)
    context.close()


def verified(text):
    return {finding.claim: finding.state.value for finding in check_record(text, check_signature, [OUR_KEY]).findings}


def begun(world, case):
    """A match for whose dice both players have contributed words."""
    now, rng = world.clock(), world.runtime.rng
    with transaction(world.runtime.engine) as session:
        ann, bob = (person_by_handle(session, handle) for handle in ("ann", "bob"))
        words = 'a “walk” in the "rain" \\ perché'
        seek = challenges.challenge(session, ann, "bob", case.key, case.options, seat=0, words=words, now=now, rng=rng)
        return challenges.accept(session, bob, seek.id, words="tra il dire e il fare", now=now, rng=rng).id


def played(world, case, plies):
    if case.key == "duel-puzzle":
        with transaction(world.runtime.engine) as session:
            ann = person_by_handle(session, "ann")
            rng = world.runtime.rng
            number = challenges.start_alone(session, ann, case.key, case.options, now=world.clock(), rng=rng).id
    else:
        number = begun(world, case)
    play_on(world, number, plies)
    return number


def finished(world, case, plies=40):
    number = played(world, case, plies)
    running = record(world, number)
    if '[Result "*"]' in running:
        world.resign(number, "ann")
    return running, record(world, number)


@pytest.fixture
def people(world):
    world.join("ann"), world.join("bob")
    return world


def usual_cases():
    """Each game as it is, and a third of those with options."""
    return [case for place, case in enumerate(OUR_CASES) if not case.options or place % 3 == 0]


def test_the_findings_about_games_of_every_kind_are_those_of_the_program(people, checker, is_thorough):
    for case in OUR_CASES if is_thorough else usual_cases():
        for text in finished(people, case, 16 if case.options else 40):  # options show within a few moves
            found, wanted = checker.states(text), verified(text)
            assert {claim: found[claim] for claim in CLAIMS} == {claim: wanted[claim] for claim in CLAIMS}, case
            assert checker.verdict == ("open" if "open" in wanted.values() else "holds"), case


def test_what_the_program_finds_wrong_after_the_change_of_one_byte_the_page_finds_wrong(people, checker, is_thorough):
    rng = random.Random(11)
    for case in (OUR_CASES[16], OUR_CASES[-1], OUR_CASES[21]):
        _running, text = finished(people, case, 24)
        for at in rng.sample(range(len(text)), 40 if is_thorough else 15):
            other = rng.choice([one for one in "0az]:; =\n" if one != text[at]])
            changed = text[:at] + other + text[at + 1 :]
            found, wanted = checker.states(changed), verified(changed)
            if wanted["reads"] == "wrong":
                continue  # the program knows all options of all games, and the end of each line
            for claim in CLAIMS:
                assert found.get(claim, "wrong") == "wrong" or wanted[claim] != "wrong", (case, at, other, claim)
            if wanted["replay"] == "holds":
                assert {one: found.get(one) for one in CLAIMS} == {one: wanted[one] for one in CLAIMS} or (
                    found["reads"] == "wrong"
                ), (case, at, other)


def test_byte_order_mark_and_windows_line_ends_are_no_fault(people, checker):
    text = list(finished(people, OUR_CASES[0]))[-1]
    windows = "\ufeff" + text.replace("\n", "\r\n")
    known = checker.check(text)
    assert checker.verdict == "holds" and checker.check(windows) == known
    assert checker.check("", ("game.record", windows.encode())) == known


def test_a_wrong_record_is_named_with_its_line_and_in_the_readers_language(people, checker):
    _running, text = finished(people, OUR_CASES[2])
    changed = re.sub(r'\[Seed "..', '[Seed "00', text)
    rows = checker.check(changed)
    line = next(n for n, one in enumerate(changed.splitlines(), 1) if one.startswith("[Commitment"))
    assert ("commitment", "wrong", f"line {line}: The seed does not match the commitment.") in rows
    assert checker.verdict == "wrong"
    checker.page.click("button[data-language=it]")
    checker.page.wait_for_selector("#verdict .verdict")
    assert "Il seme non corrisponde all’impegno." in checker.page.inner_text("#found")
    assert checker.page.locator("html").get_attribute("lang") == "it"


@pytest.mark.parametrize("text", [
    "\0", "[", "[Game", '[Game "duel"]\n' * 70, "From x\n", "x: y", "{}", '{"keys": [null, 3]}', "1. *: {N}\n" * 30_000,
    '[Game "<img src=x onerror=alert(1)>"]\n[Version "1"]\n[Options ""]\n[Result "*"]\n[Reason ""]\n[Terms ""]',
    "\ud800", "[Game \"duel\"]\n" + "x" * 5_000_000, '{"keys": ' + "[" * 50_000,
])  # fmt: skip
def test_hostile_texts_get_a_sentence(checker, text):
    rows = checker.check(text)
    assert checker.verdict in ("wrong", "open")
    assert rows and all(sentence.endswith((".", "”.")) for _claim, _state, sentence in rows)


def test_names_that_hold_markup_stay_text(people, checker):
    _running, text = finished(people, OUR_CASES[19])
    attack = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>"
    checker.check(text.replace("games.example", attack).replace("/games/", f"/{attack}/games/"))
    checker.check("", (f"{attack}.record", b"\xff\xfe"))
    assert "taken" not in checker.page.title() and checker.page.locator("#found img, #found script").count() == 0


def test_a_file_that_is_too_large_is_refused(checker):
    checker.page.evaluate("""() => {
      const file = new File(["x"], "great.mbox");
      Object.defineProperty(file, "size", { value: 100_000_001 });
      Object.defineProperty(document.getElementById("files"), "files", { value: [file] });
    }""")
    checker.page.click("#check")
    checker.page.wait_for_selector("#verdict .verdict")
    assert "great.mbox was not read" in checker.page.inner_text("#found")


# -- mailboxes ---------------------------------------------------------------------------


def mailbox(letters, policy=None):
    raw = [letter.as_bytes(policy=policy) if policy else letter.as_bytes() for letter in letters]
    return b"".join(b"From MAILER-DAEMON Sat Nov 21 09:00:00 2026\n" + re.sub(rb"(?m)^(>*From )", rb">\1", one) + b"\n"
                    for one in raw)  # fmt: skip


@pytest.fixture
def by_mail(town):
    """A game of Plateau by mail to its end, and its record as the last answer has it."""
    town.join("ann", "bob", receipts=True)
    town.agree("ann", "challenge bob plateau 3 days")
    town.answer(town.letter("bob"), "accept")
    first, second = (
        ("ann", "bob") if "To play, reply" in town.letter("ann").get_body(("plain",)).get_content() else ("bob", "ann")
    )
    for name, move in ((first, "+b1 xx,rb"), (second, "+b4 xx,rb"), (first, "b1-b2"), (second, "b4-b3")):
        town.wait(minutes=30)
        town.answer(town.letter(name), move)
    town.time += timedelta(hours=1)
    town.answer(town.letter("bob"), "resign")
    town.answer(town.letter("bob"), "yes")
    town.time += timedelta(hours=1)
    letters = list(town.received)
    town.answer(town.letter("ann"), "record 1")
    text = town.letter("ann").get_body(("plain",)).get_content().replace("\r\n", "\n")
    return town, letters, re.search(r"(?s)\[Game .*?(?=\n\nRecord with)", text)[0]


def test_letters_of_a_mailbox_agree_with_the_record(by_mail, checker):
    _town, letters, text = by_mail
    for policy in (None, SMTP.clone(max_line_length=998)):
        rows = checker.check(text, ("ann.mbox", mailbox(letters, policy)))
        assert checker.verdict == "holds", [row for row in rows if row[1] == "wrong"]
        assert {claim for claim, _state, _sentence in rows} >= {
            "letter signatures", "letter ends", "letter digits", "letter heads", "letter seals", "letter commitments",
        }  # fmt: skip


def test_the_record_that_a_letter_carries_is_found_and_checked(by_mail, checker):
    town, _letters, _text = by_mail
    rows = checker.check("", ("all.mbox", mailbox(town.received)))
    assert [row for row in rows if row[1] == "wrong"] == []
    assert checker.verdict == "holds" and "chain" in {claim for claim, _state, _sentence in rows}


def test_without_a_record_keys_alone_prove_the_heads(by_mail, checker):
    _town, letters, _text = by_mail
    rows = {claim: state for claim, state, _sentence in checker.check("", ("a.mbox", mailbox(letters)), keys=None)}
    assert rows["letter signatures"] == "open" and rows["letter digits"] == "holds"
    rows = {c: s for c, s, _x in checker.check("", ("a.mbox", mailbox(letters)))}
    assert rows["letter signatures"] == "holds" and rows["letter heads"] == "open"


@pytest.mark.parametrize(("claim", "change"), [
    ("letter signatures", lambda raw: re.sub(rb"(?<=sig=3D)(.)", lambda f: b"B" if f[1] == b"A" else b"A", raw, count=1)),
    ("letter heads", lambda raw: re.sub(rb"(?<=ply=)1(?=;)", b"2", raw, count=1)),
    ("letter digits", lambda raw: re.sub(rb"check mark [0-9a-f]{8}", b"check mark 00000000", raw)),
    ("letter seals", lambda raw: re.sub(rb"(?m)^1=3D[0-9a-f]{4}", b"1=3D0000", raw)),
    ("letter commitments", lambda raw: re.sub(rb"(?m)^[0-9a-f]{4}(?=[0-9a-f]{60}\r?$)", b"0000", raw)),
    ("letter signatures", lambda raw: re.sub(rb"ply=(\d+)", rb"ply=-\1", raw, count=1)),
    ("letter ends", lambda raw: re.sub(rb"(?<=text=3DZW5kLTEK)(.)", b"x", raw, count=1)),
])  # fmt: skip
def test_a_letter_that_was_changed_is_named(by_mail, checker, claim, change):
    _town, letters, text = by_mail
    whole = mailbox(letters)
    changed = change(whole)
    assert changed != whole
    rows = checker.check(text, ("a.mbox", changed))
    named = [sentence for one, state, sentence in rows if (one, state) == (claim, "wrong")]
    assert checker.verdict == "wrong" and any("2026" in sentence for sentence in named), rows


def test_a_finished_record_without_its_end_or_known_key_does_not_hold(people, checker):
    _running, text = finished(people, OUR_CASES[2])
    without = re.sub(r'(?m)^\[(Ended|EndKey|End) ".*"\]\n', "", text)
    rows = checker.check(without)
    assert ("end", "wrong", "This record is not proven complete: the end is not signed.") in rows
    rows = checker.check(text, keys=None)
    assert checker.verdict == "open" and any("an unknown key" in row[2] for row in rows)
    checker.check(text)
    assert checker.verdict == "holds"


def test_a_letter_whose_signed_end_is_unlike_the_record_is_named(by_mail, checker):
    _town, letters, text = by_mail
    rows = checker.check(text.replace('[Result "', '[Result "1/2-1/2"]\n[Was "'), ("a.mbox", mailbox(letters)))
    named = [sentence for claim, state, sentence in rows if (claim, state) == ("letter ends", "wrong")]
    assert named and all("Its signed ending is not that of the record." in sentence for sentence in named)


def test_a_mailbox_of_many_letters_is_checked_whole(by_mail, checker):
    _town, letters, text = by_mail
    one = mailbox(letters)
    times = 6_000_000 // len(one)
    rows = checker.check(text, ("a.mbox", one * times))
    assert checker.verdict == "holds", [row for row in rows if row[1] != "holds"]
    assert any(sentence.startswith(f"Messages: {times * len(letters)};") for _claim, _state, sentence in rows)


def test_another_servers_signature_is_not_taken_for_ours(by_mail, checker):
    _town, letters, text = by_mail
    other = text.replace(re.search(r'\[Key "([^"]+)"', text)[1], "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    rows = checker.check(other, ("a.mbox", mailbox(letters)))
    assert ("signature", "wrong") in {(claim, state) for claim, state, _sentence in rows}
    assert checker.verdict == "wrong"


def test_the_page_is_served_as_the_same_file_to_everybody(site, chromium):
    page = site.visit(chromium, "ann")
    answer = page.goto("/help/check.html")
    assert answer.body() == check_page() and "script-src 'sha256-" in answer.headers["content-security-policy"]
    page.fill("#pasted", "[Game")
    page.click("#check")
    page.wait_for_selector("#verdict .verdict")
    assert page.troubles == []


def test_findings_are_accessible_in_both_lights_and_fit_a_phone(by_mail, checker):
    _town, letters, text = by_mail
    checker.check(text.replace("[Seed", "[Sead"), ("a.mbox", mailbox(letters).replace(b"check mark", b"mark")))
    load_axe(checker.page)
    for look in ALL:
        assert axe_finds(checker.page, look, set()) == []
    checker.page.set_viewport_size({"width": 320, "height": 640})
    assert checker.page.evaluate("document.documentElement.scrollWidth") <= 320
