from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.places import Places
from tests.world import World

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The headless shell, which takes a third of the time of the full browser and renders alike."""
QUIETLY = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"]  # fmt: skip
ARTEFACTS = Path(__file__).resolve().parent.parent / "artefacts"


def pytest_collection_modifyitems(items):
    """Rerun a failed browser test once, because browsers are sometimes late on a busy machine."""
    here = Path(__file__).resolve().parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def running_chromium():
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed, so pages cannot be tried in a browser.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIETLY)
        yield browser
        browser.close()


@pytest.fixture
def whole_chromium(running_chromium):
    """The full browser, for features that the headless shell lacks, such as notifications."""
    if shutil.which("chromium") is None:
        pytest.skip("Only the shell of Chromium is installed, which shows no notifications.")
    browser = running_chromium.browser_type.launch(executable_path=shutil.which("chromium"), args=QUIETLY)
    yield browser
    browser.close()


@pytest.fixture
def chromium(running_chromium):
    """One browser per worker; contexts that a test opens are closed, so that their pages stop polling."""
    yield running_chromium
    for context in running_chromium.contexts:
        context.close()


@pytest.fixture
def site(world):
    for handle in ("ann", "bob"):
        world.join(handle, zone="Europe/Rome", vacation_hours_left=720)
    with world.serving() as address:
        yield Site(world, address)


@pytest.fixture(scope="session")
def places(tmp_path_factory):
    """A world with content on every page, shared by tests, which may change it."""
    world = World(tmp_path_factory.mktemp("places"), rng=3)
    yield Places(world)
    world.close()


@pytest.fixture(scope="session")
def whole_site(places):
    with places.world.serving() as address:
        yield Site(places.world, address)


class Site:
    """The served site and its visitors."""

    def __init__(self, world, address):
        self.world, self.address = world, address

    def visit(self, chromium, handle="", **options):
        """Return a page in a new profile, signed in as `handle`; any error on the page fails the test."""
        context = chromium.new_context(base_url=self.address, **options)
        if handle:
            client = self.world.client(handle)
            client.get("/games")
            value = client.get_cookie("session").value
            context.add_cookies([{"name": "session", "value": value, "url": self.address}])
        page = context.new_page()
        page.troubles = []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.troubles.append(message.text))
        return page


@pytest.fixture
def artefacts():
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS
