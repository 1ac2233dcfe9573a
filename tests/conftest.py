from __future__ import annotations

import gc
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings

from correspondence import features
from correspondence.core import log_redaction
from correspondence.render import card_sheet, raster
from correspondence.web import films
from tests import patches
from tests.beginnings import WATCHING, Beginning, make_folder
from tests.https_service import post, service, service_certificate
from tests.postgres import postgres_url
from tests.sizes import is_left_out
from tests.tables import fresh_database
from tests.world import World, mail_world

__all__ = ["post", "postgres_url", "service", "service_certificate"]

# Let processes share compiled bytecode, which some machines disable by default.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ROOT = Path(__file__).parent.parent

MEMORY, ROOM = Path("/dev/shm"), 8 << 30
"""A folder in memory for test databases, and the free bytes it needs to be used."""

if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

settings.register_profile("sample", deadline=None, max_examples=25)  # no test fails because a machine is busy
settings.register_profile("thorough", deadline=None, max_examples=100)


patches.watch()
features.load()


def pytest_addoption(parser):
    parser.addoption(
        "--thorough", action="store_true", help="run all cases, also those that repeat what a smaller test holds"
    )


HEAVY = (
    "browser/test_accessibility", "test_soak", "test_sixth_game", "test_commands_of_flask", "browser/test_journeys",
    "attacks/test_seeds", "test_private_acts", "browser/test_every_game_on_pages", "test_unchanged_pages",
    "browser/test_checking_page", "attacks/test_hostile_queries", "attacks/test_twins", "test_outbox", "test_webhooks",
    "mail_failures/test_kills", "mail_failures/test_bombs", "browser/test_photographs", "browser/test_game_page",
    "test_private_files", "test_tries", "test_every_game_by_mail", "test_exercises", "test_pages", "test_teaching_games",
    "test_contract", "test_near_secrets", "test_from_lines", "test_reviews", "test_rules_by_mail", "test_upgrades",
    "test_deployed", "test_rebuilding", "test_retention", "browser/test_planning", "browser/test_replay", "test_wheel",
    "test_history", "attacks/test_race_of_processes", "test_real_mail", "test_plan_pages",
)  # fmt: skip
"""The slowest test files, which run first, so that no worker is left with one at the end."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Use one more worker than cores for `-n auto`, because tests often wait for other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run each file in one worker, so that its fixtures are set up once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


SLOW = {
    "whole browsers": ("browser/",),
    "attacks from all sides, and mail of every kind": ("attacks/", "mail_failures/"),
    "processes, installations and real mail servers": (
        "test_commands_of_flask", "test_wheel", "test_sixth_game", "test_engines_alone",
        "test_stopping", "test_gunicorn", "test_upgrades", "test_rebuilding",
        "test_real_mail", "test_deployed", "test_nginx_and_caddy", "test_races", "test_start.py",
        "test_transport", "test_listening", "test_bench_", "test_fetching", "test_soak",
        "test_webhooks", "test_pushes", "test_web_sessions", "test_due_together", "test_doctor",
    ),
    "whole games, long walks and large searches": (
        "test_every_game_by_mail", "test_near_secrets", "test_own_words", "test_plan", "test_tries",
        "test_records", "test_letters_do_nothing", "test_contract", "test_duel", "test_plateau", "test_proteus",
        "test_seeks", "test_time", "test_outbox", "test_rules_pages", "test_pictures", "test_private", "test_ratings",
        "test_recalling", "test_who_is_a_member", "test_from_lines", "test_near_misses",
        "test_pairing", "test_history", "test_archive",
        "test_wishes", "test_proxies", "test_acquaintance", "test_pages", "test_cheating_by_browser", "test_replytext",
        "test_one_slip", "test_zone_proposals", "test_what_was_written", "test_teaching_lines", "test_rules_by_mail",
        "test_announced", "test_by_ear", "test_by_post", "test_postal", "test_naming", "test_address", "test_recovery",
        "test_letter_shapes", "test_letters_read_well", "test_legal_moves", "test_playing_from_digests", "test_fairness",
        "test_mailbox", "test_letter_names", "test_dice_words", "test_evidence", "test_changed_rows", "test_both_parts",
        "test_monthly_archive", "test_foreign_records", "test_pairing_plans", "test_unchanged_pages",
        "test_retention", "test_lost_leases", "test_robot", "test_replay_scenes", "test_judgements", "test_review", "test_hints",
        "test_exercises", "test_forced_wins", "test_teaching_games", "test_lessons", "test_fortunes", "test_decided_results",
        "test_lines", "test_talk", "test_partner_pages", "test_rating_pages", "test_subjects", "test_operator_acts",
        "test_service_state", "test_merged_accounts", "test_api", "test_valid_html", "test_settings_by_mail",
        "test_many_deadlines", "test_form_guard", "test_compression",
    ),
    "PostgreSQL": ("postgresql",),
}  # fmt: skip
"""Parts of the names of tests that `pytest -m fast` excludes, with the reasons."""


def is_fast(name):
    """Whether `pytest -m fast` includes a test; `name` is its id below `tests/`."""
    return not any(part in name for parts in SLOW.values() for part in parts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Let each worker import the tests from another place on, so that no two compile the same file."""
    at, named = getattr(session.config, "workerinput", None), session.config.args
    if at is None or named != session.config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(files) * int(at["workerid"].removeprefix("gw")) // at["workercount"]
    for file in (*files[first:], *files[:first]):
        with suppress(Exception, pytest.skip.Exception):  # import errors are reported at collection
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish():
    """Freeze imported and collected objects, because collecting garbage among them is slow."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        make_folder()
    settings.load_profile("thorough" if config.option.thorough else "sample")
    config.addinivalue_line("markers", "fast: one of the tests that answer within a minute, all together")
    config.addinivalue_line("markers", "thorough: more cases of what a test of the default suite holds (--thorough)")
    config.addinivalue_line("markers", "soak: the real processes for minutes, while everything fails that can")
    config.addinivalue_line(
        "markers", "deployment: the whole service as docs/deploy.md sets it up, with what it stands on"
    )


def pytest_collection_modifyitems(config, items):
    if not config.option.thorough:
        _leave_out_the_thorough(config, items)
    for item in items:
        if is_fast(item.nodeid.partition("tests/")[2]) and not item.get_closest_marker("thorough"):
            item.add_marker("fast")
    order = {name: place for place, name in enumerate(HEAVY)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("tests/")[2].partition(".py")[0], len(order)))


def _leave_out_the_thorough(config, items):
    named, wanted = config.args, config.option.markexpr
    left = [item for item in items if is_left_out({one.name for one in item.iter_markers()}, wanted, named)]
    if left:
        config.hook.pytest_deselected(items=left)
        out = set(left)
        items[:] = [item for item in items if item not in out]


@pytest.fixture(scope="session")
def is_thorough(request):
    """Whether tests try all cases (`--thorough`) or a sample of them."""
    return request.config.option.thorough


LETTERS_LOOKED_AT = (
    "browser/", "test_every_game_by_mail", "test_letter_pictures", "test_letter_shapes", "test_messages", "test_pictures",
    "test_playing_from_digests", "test_raster", "test_real_mail", "test_rules_by_mail",
)  # fmt: skip
"""Parts of the names of tests that check pictures in letters, or the size of letters."""

SMALL = 0.2
"""Scale at which drawing a board takes a sixth of the time."""


@pytest.fixture(scope="module", autouse=True)
def pictures_of_letters(request):
    """Draw boards in letters and PNG files at a small scale if no test checks them."""
    with pytest.MonkeyPatch.context() as patch:
        if not any(part in request.node.nodeid for part in LETTERS_LOOKED_AT):
            patch.setattr(raster, "BOARD_SCALE", SMALL)
        yield


PAGES_COMPARED = (
    "attacks/test_hostile_queries", "attacks/test_injection", "attacks/test_seeds", "attacks/test_twins", "test_plan_pages",
    "test_private_acts",
)  # fmt: skip
"""Parts of the names of tests that fetch every page to compare or search its text."""


@pytest.fixture(scope="module", autouse=True)
def pictures_of_pages(request):
    """Draw pictures, films and cards at a small scale if all pages are fetched and none is viewed."""
    with pytest.MonkeyPatch.context() as patch:
        if any(part in request.node.nodeid for part in PAGES_COMPARED):
            for module, name in ((films, "WIDTH"), (card_sheet, "PICTURE_WIDTH")):
                patch.setattr(module, name, int(getattr(module, name) * SMALL))
        yield


@pytest.fixture(autouse=True)
def watched_beginnings(request):
    """Give no cached world to a test that observes how steps happen."""
    Beginning.is_watched = not WATCHING.isdisjoint(request.fixturenames)
    yield
    Beginning.is_watched = False


@pytest.fixture(autouse=True)
def usual_umask():
    """Restore the umask, because the users of other test servers must read their files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def logs_as_they_were():
    """Close log handlers that a test left open, so that no later test depends on them."""
    before = tuple(log_redaction.attached)
    yield
    for redaction in set(log_redaction.attached) - set(before):
        redaction.close()


@pytest.fixture
def town(tmp_path):
    town = mail_world(tmp_path)
    yield town
    town.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database(request):
    """DATABASE_URL of each kind of database, with empty tables; "" is SQLite in the instance folder."""
    return fresh_database(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""


@pytest.fixture
def anywhere(any_database, tmp_path):
    """The fixture `town` on each kind of database."""
    town = mail_world(tmp_path, database_url=any_database)
    yield town
    town.close()


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path)
    yield world
    world.close()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """Files of a self-signed certificate for 127.0.0.1, and of its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            folder / "key.pem",
            "-out",
            folder / "cert.pem",
        ],
        check=True,
        capture_output=True,
    )
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def server_context(certificate):
    """The SSL context of a server with that certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    return context
