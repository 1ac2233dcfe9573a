"""The main pages are photographed, on a desk and on a phone, in the light and in the dark, for people to look at.

The pictures are left in tests/artefacts, which is never committed; whoever changes a page looks at them.
"""

from __future__ import annotations

import pytest

from tests.browser.places import PLIES

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
}
USUAL = {"desktop": "light", "phone": "dark"}
"""The light of each screen's photographs where both lights are not asked for."""
ALL_PICTURES = """Promise.all([...document.images].map((one) => {
  one.loading = "eager";
  return one.decode().catch(() => null);
}))"""

DRESSED = "() => !document.querySelector('form[data-moves]') || document.querySelector('.is-next')"
"""Whether the script of a board on which one moves has shown what can be moved."""


def main_pages(places):
    games = {f"game-{key}": f"/games/{number}" for key, number in places.games.items()}
    tiles = places.games["proteus-tiles"]
    return games | {
        "front": "/", "my-games": "/games", "seeks": "/seeks", "archive": "/archive?game=duel", "help": "/help",
        "history": f"/games/{places.over}", "try": f"/games/{tiles}/{PLIES}/try", "player": "/players/bob",
        "rules": "/rules/duel", "settings": "/settings/time",
    }  # fmt: skip


@pytest.mark.parametrize("screen", SCREENS)
def test_the_main_pages_are_photographed_in_both_lights_and_fit_their_screen(
    places, whole_site, chromium, artefacts, screen, is_thorough
):
    page = whole_site.visit(chromium, "bob", reduced_motion="reduce", **SCREENS[screen])
    for name, path in main_pages(places).items():
        whole_site.world.clock.go(minutes=1)
        page.goto(path)
        page.wait_for_function(DRESSED)
        page.evaluate(ALL_PICTURES)
        assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS[screen]["viewport"]["width"], name
        for scheme in ("light", "dark") if is_thorough else (USUAL[screen],):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=artefacts / f"{name}-{screen}-{scheme}.png", full_page=True)
    assert page.troubles == []
