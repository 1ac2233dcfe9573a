"""The Admin page on a phone: what mail servers answer, and what members write, has words of any length."""

from __future__ import annotations

import pytest

from correspondence.accounts import operators
from correspondence.community import reports
from correspondence.core import db
from correspondence.models import Scope, Suppression
from tests.browser.widths import OPENED

LONG = "y" * 120


@pytest.fixture
def desk(site):
    """A site whose desk, which ann sees, shows a long word of a mail server and one of bob."""
    with db.transaction(site.world.engine) as session:
        operators.appoint(session, "ann")
        bob = site.world.person(session, "bob")
        reports.report(session, bob, "ann", f"rude: {LONG}", match_id=None, operator="", now=site.world.time)
        why = f"550 5.1.1 no such mailbox {LONG}"
        session.add(Suppression(mail_key="bob@example.org", scope=Scope.ALL, reason=why, since=site.world.time))
    return site


@pytest.mark.parametrize("path", ["/desk", "/desk/lists/stopped", "/desk/lists/reports"])
def test_no_long_word_makes_it_wider_than_the_screen(desk, chromium, path):
    page = desk.visit(chromium, "ann", viewport={"width": 360, "height": 800})
    page.goto(path)
    assert page.get_by_text(LONG).count() and page.evaluate(OPENED) <= 360
