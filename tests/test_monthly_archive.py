"""The archive of each month: who is in it and under which licence, the same bytes each time, and what a forger can do."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from click.testing import CliRunner
from flask.cli import ScriptInfo

from correspondence.accounts.accounts import person_by_handle
from correspondence.archive import monthly
from correspondence.archive.monthly_file import CC0, MonthError, check_month
from correspondence.community import erasure
from correspondence.core.db import reading, transaction
from correspondence.core.signing import make_new_key, signer_of
from correspondence.models import ArchiveMonth, Seed
from correspondence.ops.cli import verify_command
from correspondence.ops.worker import sweep_archive
from tests.post import html_of, text_of
from tests.test_records import play_on


def allow(world, **answers):
    with transaction(world.runtime.engine) as session:
        for handle, answer in answers.items():
            monthly.allow(session, person_by_handle(session, handle), answer)


def december(world, day=2):
    world.clock.now = datetime(2026, 12, day, 12, tzinfo=UTC)
    return world


def sweep(world):
    while sweep_archive(world.runtime):
        pass


def fetched(world, month="2026-11"):
    answer = world.client().get(f"/archive/{month}.zip")
    assert answer.status_code == 200
    return answer.data


def files_of(raw):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def listed(raw):
    return {row["game"]: row["licence"] for row in json.loads(files_of(raw)["manifest.json"])["games"]}


@pytest.fixture
def club(world):
    """Two games over in November, one that runs on with a secret, and one over in December."""
    world.begin("november", "", lambda: three_games(world))
    return world


def three_games(world):
    world.join("ann", "bob", "cleo")
    for game in ("duel", "plateau", "plateau"):
        play_on(world, world.match(game), 4)
    world.resign(1, "bob"), world.resign(2, "ann")


def test_a_month_is_made_a_day_after_its_end_and_once(club):
    club.clock.now = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert sweep_archive(club.runtime) == 0 and club.client().get("/archive/2026-11.zip").status_code == 404
    assert sweep_archive(december(club).runtime) == 1 and sweep_archive(club.runtime) == 0
    assert set(listed(fetched(club))) == {1, 2}


def test_nothing_of_a_running_game_is_in_it(club):
    sweep(december(club))
    with reading(club.runtime.engine) as session:
        secret = session.get_one(Seed, 3).secret.hex()
    everything = "".join(files_of(fetched(club)).values())
    assert secret not in everything and "games/3" not in everything


def test_attempts_at_a_deal_of_the_day_are_left_out(club):
    number = int(club.client("ann").post("/puzzles/today").location.rsplit("/", 1)[1])
    club.resign(number, "ann")
    sweep(december(club))
    assert number not in listed(fetched(club))


def test_both_players_must_allow_cc0_and_the_record_says_so(club):
    allow(club, ann="cc0")
    sweep(december(club))
    assert listed(fetched(club)) == {1: None, 2: None}
    again = make_again(club, ann="cc0", bob="cc0")
    assert listed(again) == {1: CC0, 2: CC0}
    assert f'[Licence "{CC0}"]' in files_of(again)["games/1.record"]
    assert listed(make_again(club, bob="no")) == {1: None, 2: None}


def make_again(world, **answers):
    allow(world, **answers)
    with transaction(world.runtime.engine) as session:
        session.delete(session.get_one(ArchiveMonth, "2026-11"))
    sweep(world)
    return fetched(world)


def test_the_same_games_give_the_same_bytes(club):
    sweep(december(club))
    first = fetched(club)
    club.clock.go(days=3)
    assert make_again(club) == first


def test_what_people_said_is_left_out(club):
    sweep(december(club))
    records = [text for name, text in files_of(fetched(club)).items() if name.endswith(".record")]
    assert records and all("so\\nbe it" not in text and "hm" not in text for text in records)


def test_the_file_answers_ranges_conditions_and_head(club):
    sweep(december(club))
    client, whole = club.client(), fetched(club)
    head = client.head("/archive/2026-11.zip")
    assert head.headers["Content-Length"] == str(len(whole)) and head.data == b""
    assert head.headers["Accept-Ranges"] == "bytes" and "max-age" in head.headers["Cache-Control"]
    part = client.get("/archive/2026-11.zip", headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.data) == (206, whole[10:20])
    tag = head.headers["ETag"]
    assert tag.strip('"') == sha256(whole).hexdigest()
    assert client.get("/archive/2026-11.zip", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/archive/2026-11.zip", headers={"Range": "bytes=99999999-"}).status_code == 416
    assert json.loads(client.get("/archive/2026-11.json").data)["month"] == "2026-11"


def test_everybody_finds_the_list_of_months(club):
    assert "No month in which a game ended is over" in club.client().get("/archive/files").text
    sweep(december(club))
    page = club.client().get("/archive/files").text
    assert "/archive/2026-11.zip" in page and sha256(fetched(club)).hexdigest() in page
    assert "/archive/files" in club.client().get("/archive").text


@pytest.mark.parametrize("month", ["2027-01", "2026-13", "2026-12", "0000-00", "..%2f..%2fsigning_key", "2026-11%0d%0aX: y",
                                   "2026-11.zip%00", "２０２６-11", "a" * 3000, "2026-11/..", "%2e%2e"])  # fmt: skip
def test_no_other_month_leads_anywhere(club, month):
    sweep(december(club))
    for end in (".zip", ".json"):
        answer = club.client().get(f"/archive/{month}{end}")
        assert answer.status_code in (404, 308, 414) and "X" not in answer.headers


# -- what members allow ------------------------------------------------------------------


def test_a_member_answers_on_a_page_and_is_no_longer_asked(club):
    ann = club.client("ann")
    assert "each member is asked once" in ann.get("/games/1").text.lower()
    assert ann.post("/settings/archive", data={"answer": "cc0"}).status_code == 303
    assert 'value="cc0" required checked' in ann.get("/settings/archive").text
    assert "asked once" not in ann.get("/games/1").text and "asked once" not in club.client("cleo").get("/games/1").text
    refused = ann.post("/settings/archive", data={"answer": "<b>"})
    assert refused.status_code == 422 and "Write cc0" in refused.text
    assert club.client().get("/settings/archive").status_code in (302, 303, 401, 403)


def test_the_letter_at_the_end_of_the_first_game_asks_once(town):
    town.join("ann", "bob")
    for _game in range(2):
        number = town.match("duel")
        town.play(number, "ann", "5@b3")
        town.play(number, "bob", "5@c3")
        town.answer(town.letter("bob"), "resign")
        town.answer(town.letter("bob"), "yes")
        assert town.stand(number).ended_at
    asking = [one for one in town.letters("ann") if "settings archive cc0" in text_of(one)]
    assert len(asking) == 1 and "/settings/archive" in html_of(asking[0])
    town.answer(asking[0], "settings archive cc0")
    with reading(town.engine) as session:
        assert town.person(session, "ann").archive_licence == "cc0"


def test_who_leaves_is_named_no_longer_and_gives_nothing_more(club):
    allow(club, ann="cc0", bob="cc0")
    sweep(december(club))
    assert "bob" in files_of(fetched(club))["games/1.record"]
    with transaction(club.runtime.engine) as session:
        erasure.forget(session, person_by_handle(session, "bob"), now=club.clock())
    assert club.client().get("/archive/2026-11.zip").status_code == 404
    sweep(club)
    raw = fetched(club)
    assert all("bob" not in text for text in files_of(raw).values()) and listed(raw) == {1: None, 2: None}
    assert check_month(io.BytesIO(raw)).wrong == ()


# -- checking a file ---------------------------------------------------------------------


def verify(world, raw, folder):
    file = folder / "month.zip"
    file.write_bytes(raw)
    done = CliRunner().invoke(verify_command, [str(file)], obj=ScriptInfo(create_app=lambda: world.app))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def rezipped(files, **options):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def test_a_whole_file_verifies_by_the_command(club, tmp_path):
    allow(club, ann="cc0", bob="cc0")
    sweep(december(club))
    status, output = verify(club, fetched(club), tmp_path)
    assert status == 0
    assert "2 games, 2 of them CC0" in output
    assert signer_of(club.runtime.settings).public_key in output


def test_a_file_signed_before_the_key_changed_still_verifies(club):
    sweep(december(club))
    raw = fetched(club)
    make_new_key(signer_of(club.runtime.settings))
    assert check_month(io.BytesIO(raw)).wrong == ()


@pytest.mark.parametrize(("change", "sentence"), [
    (lambda files: files | {"manifest.json": files["manifest.json"].replace("null", '"CC0-1.0"')}, "signature does not match"),
    (lambda files: files | {"games/1.record": files["games/1.record"].replace("resignation", "time")}, "the SHA-256"),
    (lambda files: {name: text for name, text in files.items() if name != "games/2.record"}, "but not in the archive"),
    (lambda files: files | {"games/9.record": "x"}, "not in the manifest"),
    (lambda files: files | {"manifest.sig": '{"key": 1, "signature": []}'}, "signature does not match"),
])  # fmt: skip
def test_a_forged_file_is_named(club, tmp_path, change, sentence):
    sweep(december(club))
    status, output = verify(club, rezipped(change(files_of(fetched(club)))), tmp_path)
    assert status == 1
    assert sentence in output
    assert "Not verified." in output


def test_a_manifest_signed_for_another_month_or_site_does_not_fit(club):
    sweep(december(club))
    files = files_of(fetched(club))
    for old, new in (('"2026-11"', '"2026-10"'), ("http://", "https://evil.example/")):
        forged = files | {"manifest.json": files["manifest.json"].replace(old, new, 1)}
        assert "The signature does not match the manifest." in check_month(io.BytesIO(rezipped(forged))).wrong


@pytest.mark.parametrize("files", [
    {"../../etc/passwd": "x"}, {"games/../1.record": "x"}, {"/games/1.record": "x"}, {"games/01.record": "x"},
    {"manifest.json": "[" * 100_000}, {"manifest.json": "7"}, {"manifest.json": "{}", "manifest.sig": "{}"},
    {"manifest.json": '{"format": "archive-1", "games": [7]}', "manifest.sig": "{}"},
    {"README.txt": "x"}, {},
])  # fmt: skip
def test_a_hostile_file_is_refused_in_a_sentence(files):
    with pytest.raises(MonthError) as refused:
        check_month(io.BytesIO(rezipped(files)))
    assert str(refused.value).endswith(".")


def test_a_zip_bomb_is_refused_before_it_unfolds(club):
    bomb = rezipped({"manifest.json": "0" * 120_000_000, "manifest.sig": "{}"})
    assert len(bomb) < 200_000
    with pytest.raises(MonthError, match="larger than any file of its kind"):
        check_month(io.BytesIO(bomb))


def test_a_file_that_would_become_too_large_is_refused_unread():
    raw = rezipped({"manifest.json": "{}", "manifest.sig": "{}"})
    entry = raw.index(b"PK\x01\x02") + 24
    great = raw[:entry] + (0xFFFFFF00).to_bytes(4, "little") + raw[entry + 4 :]
    with pytest.raises(MonthError, match="unpacked, it is larger than any"):
        check_month(io.BytesIO(great))


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", b"PK\x03\x04" + b"\0" * 500, b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_zip_is_refused_in_a_sentence(raw):
    with pytest.raises(MonthError, match=r"\.$"):
        check_month(io.BytesIO(raw))


def test_the_check_needs_no_server_but_the_words_of_the_readme(club):
    sweep(december(club))
    files = files_of(fetched(club))
    digest = sha256(files["manifest.json"].encode()).hexdigest()
    readme = files["README.txt"]
    assert re.search(r"archive-1\n\S+\n2026-11\nthe SHA-256 of manifest.json in hex", readme) and len(digest) == 64
