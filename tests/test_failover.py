"""A standby that lagged takes over: nothing starts before a new epoch, and no number is given twice then."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from correspondence.core import db
from correspondence.ops import fingerprints
from correspondence.ops.database_cli import epoch_command
from tests.post import text_of
from tests.standby import pair
from tests.test_epochs import asked_for_link
from tests.test_web_sessions import is_in
from tests.world import KEY, MAIL, World


@pytest.fixture
def servers():
    with pair() as both:
        yield both


def test_after_a_failover_nobody_becomes_somebody_else(servers, tmp_path):
    world = World(tmp_path, delivers=True, database_url=servers.url("primary"), **MAIL)
    world.join("ann", "bob")
    number = world.match()
    fingerprints.check(world.engine, world.settings)
    servers.catch_up()
    servers.fall_behind()
    world.play(number, "ann", "c3/f2=B")
    lost_link, lost_game = asked_for_link(world, "ann"), world.match()
    world.close()
    servers.fail_over()

    running = db.make_engine(servers.url("standby"))
    fingerprints.refuse_promoted(running)
    with pytest.raises(OperationalError, match="flask epoch new"), running.connect():
        pass
    with pytest.raises(fingerprints.DifferentHost, match="flask epoch new"):
        fingerprints.check(started := db.make_engine(servers.url("standby")), world.settings)
    started.dispose()

    given = {"INSTANCE_DIR": str(tmp_path), "SECRET_KEY": KEY, "DATABASE_URL": servers.url("standby"),
             "BASE_URL": MAIL["base_url"], "MAIL_DOMAIN": MAIL["mail_domain"]}  # fmt: skip
    done = CliRunner().invoke(epoch_command, ["new"], env=given)
    sentence = re.search(r"2 members are told\. The next game is (\d{4,})\.", done.stdout)
    assert done.exit_code == 0 and sentence

    with running.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    running.dispose()
    again = World(tmp_path, delivers=True, database_url=servers.url("standby"), **MAIL)
    again.time = world.time
    fingerprints.check(again.engine, again.settings)
    again.deliver()
    assert "Kept up to move 0" in text_of(again.letter("ann")) and again.moves(number) == []
    asked_for_link(again, "bob")
    browser = again.client()
    assert browser.post(lost_link).status_code == 404 and not is_in(browser)
    assert again.client("ann").get(f"/games/{lost_game}").status_code == 404 and again.match() == int(sentence[1])
    again.close()
