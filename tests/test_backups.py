"""A backup holds everything that is needed, and what is restored from it goes on where it stopped."""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import threading
from pathlib import Path

import pytest
from sqlmodel import col, func, select

from correspondence.core import db
from correspondence.core.config import Settings, with_defaults
from correspondence.features.webhooks import webhooks
from correspondence.features.webhooks.tables import DeliveryState, WebhookDelivery
from correspondence.models import Letter, LetterState, Player
from correspondence.ops import backups
from correspondence.outbound import events, kinds
from correspondence.outbound.delivery_log import outcome_sentence
from tests.tables import START, empty_database
from tests.world import KEY, MAIL, World, mail_world

RELEASES = Path(__file__).parent / "releases"


@pytest.fixture(params=["sqlite", "postgresql"])
def lived(request, tmp_path):
    """A world with a running game, and the URL of an empty database of its kind for the restored one."""
    urls = ["", ""]
    if request.param == "postgresql":
        urls = [empty_database(request.getfixturevalue("postgres_url")) for _world in range(2)]
    world = mail_world(tmp_path / "old", database_url=urls[0])
    world.join("ann", "bob")
    yield world, urls[1]
    world.close()


def kept(world, folder):
    file = folder / "backup.tar.gz"
    backups.backup(world.settings, file)
    return file


def empty(folder, url="", **settings):
    given = Settings(instance_dir=str(folder / "new"), database_url=url, mail_listen="", **MAIL, **settings)
    return with_defaults(given)


def restored(settings, file, **how):
    return backups.restore(settings, file, now=START, **how)


def reopened(settings):
    return World(Path(settings.instance_dir), delivers=True, **MAIL, database_url=settings.database_url)


def letters(world, state):
    with db.reading(world.engine) as session:
        return session.exec(select(Letter).where(Letter.state == state)).all()


def test_a_letter_from_before_is_answered_after_the_restoration(lived, tmp_path):
    world, url = lived
    number = world.match()
    letter = world.letter("ann")
    settings = empty(tmp_path, url)
    restored(settings, kept(world, tmp_path))
    assert (settings.instance / "secret_key").read_text().strip() == KEY
    again = reopened(settings)
    again.answer(letter, "c3/f2=B")
    assert again.moves(number) == ["c3/f2=B"]
    again.close()


def test_what_waited_to_be_sent_is_not_sent_again_unless_the_operator_says_so(lived, tmp_path):
    world, url = lived
    number, world.delivers = world.match(), False
    world.play(number, "ann", "c3/f2=B")
    waiting = len(letters(world, LetterState.QUEUED))
    settings = empty(tmp_path, url)
    assert restored(settings, kept(world, tmp_path)).waiting == waiting > 0
    again = reopened(settings)
    assert {letter.kind for letter in letters(again, LetterState.QUEUED)} == {kinds.RESTORED.name}
    assert any("restored from a backup" in outcome_sentence(one) for one in letters(again, LetterState.CANCELLED))
    again.close()


def listening(world):
    """bob's webhook, an event that was told and one that waits to be posted to it; returns the highest number."""
    with db.transaction(world.engine) as session:
        bob, url = world.person(session, "bob"), "https://bot.example/x"
        webhooks.register(session, bob, "bot", url, ["your_turn"], now=world.time)
    world.play(world.match(), "ann", "c3/f2=B")
    events.publish(world.engine, now=world.time)
    return last_event(world)


def last_event(world):
    with db.reading(world.engine) as session:
        return world.person(session, "bob").event_number


def waiting_messages(world):
    with db.reading(world.engine) as session:
        return session.exec(select(WebhookDelivery).where(WebhookDelivery.state == DeliveryState.WAITING)).all()


@pytest.mark.parametrize("resends", [False, True])
def test_programs_hear_nothing_twice_and_no_number_again_after_a_restoration(lived, tmp_path, resends):
    world, url = lived
    before = listening(world)
    file = kept(world, tmp_path)
    world.resign(1, "ann")
    events.publish(world.engine, now=world.time)
    lost = last_event(world)
    settings = empty(tmp_path, url)
    restored(settings, file, resends=resends)
    again = reopened(settings)
    assert bool(waiting_messages(again)) is resends
    assert last_event(again) > lost > before > 0
    again.close()


def test_a_backup_of_an_earlier_version_is_restored(tmp_path):
    old = tmp_path / "old"
    old.mkdir()
    (old / "correspondence.db").write_bytes(lzma.decompress((RELEASES / "0.2.0.db.xz").read_bytes()))
    (old / "secret_key").write_text(KEY)
    file = tmp_path / "backup.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for name in ("correspondence.db", "secret_key"):
            archive.add(old / name, arcname=name)
    settings = empty(tmp_path)
    restored(settings, file)
    reopened(settings).close()


def test_what_waited_is_sent_where_the_operator_says_so(tmp_path):
    world = World(tmp_path / "old", **MAIL)
    world.join("ann", "bob")
    waiting = len(letters(world, LetterState.QUEUED))
    settings = empty(tmp_path)
    assert restored(settings, kept(world, tmp_path), resends=True).waiting == waiting > 0
    again = reopened(settings)
    assert len([one for one in letters(again, LetterState.QUEUED) if one.kind != "restored"]) == waiting
    for one in (world, again):
        one.close()


def test_a_backup_made_while_people_write_is_whole(tmp_path):
    world = World(tmp_path / "old", **MAIL)
    world.join("ann", "bob")
    world.match()
    stop = threading.Event()

    def play():
        while not stop.is_set():
            world.resign(world.match("duel"), "ann")

    writer = threading.Thread(target=play)
    writer.start()
    try:
        files = [kept(world, tmp_path) for _backup in range(5)]
    finally:
        stop.set()
        writer.join()
    settings = empty(tmp_path)
    restored(settings, files[-1])
    again = reopened(settings)
    with db.reading(again.engine) as session:
        assert session.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert session.connection().exec_driver_sql("PRAGMA foreign_key_check").all() == []
        sides = session.exec(select(func.count()).select_from(Player).group_by(col(Player.match_id))).all()
        assert set(sides) == {2}
    for one in (world, again):
        one.close()


def test_a_backup_belongs_to_its_owner_alone_and_an_old_one_stays_until_the_new_one_is_whole(tmp_path):
    world = World(tmp_path / "old")
    file = kept(world, tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(backups.BackupError, match="cannot be written"):
        backups.backup(world.settings, Path("/dev/null/backup"))
    before = file.read_bytes()
    os.rename(tmp_path / "old" / "correspondence.db", tmp_path / "away.db")
    with pytest.raises(backups.BackupError, match="There is no database"):
        backups.backup(world.settings, file)
    assert file.read_bytes() == before and list(tmp_path.glob("*.part")) == []
    world.close()


def test_nothing_is_restored_over_an_installation_that_lives(tmp_path):
    world = World(tmp_path / "old")
    file = kept(world, tmp_path)
    with pytest.raises(backups.BackupError, match="already holds signing_key"):
        restored(world.settings, file)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "correspondence.db").write_text("precious")
    with pytest.raises(backups.BackupError, match="exists already"):
        restored(empty(tmp_path), file)
    assert (tmp_path / "new" / "correspondence.db").read_text() == "precious"
    world.close()


def test_another_key_in_the_settings_or_another_kind_of_database_is_named(tmp_path):
    world = World(tmp_path / "old")
    file = kept(world, tmp_path)
    with pytest.raises(backups.BackupError, match="SECRET_KEY is set to another key"):
        restored(empty(tmp_path, secret_key="another"), file)
    with pytest.raises(backups.BackupError, match="holds correspondence.db, but DATABASE_URL needs correspondence.sql"):
        restored(empty(tmp_path, "postgresql+psycopg://x@/x"), file)
    world.close()


def test_a_file_that_is_no_backup_is_refused_and_nothing_in_it_leaves_its_folder(tmp_path):
    for text in (b"", b"nonsense", b"PK\x03\x04"):
        (tmp_path / "file").write_bytes(text)
        with pytest.raises(backups.BackupError, match="is not a backup of this service"):
            restored(empty(tmp_path), tmp_path / "file")
    with tarfile.open(tmp_path / "file", "w:gz") as archive:
        archive.add(__file__, arcname="../../outside")
        archive.add(__file__, arcname="/tmp/outside")
    with pytest.raises(backups.BackupError, match="holds no secret_key"):
        restored(empty(tmp_path), tmp_path / "file")
    assert list(tmp_path.rglob("outside")) == []
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["secret_key"]


def test_a_backup_is_restored_by_the_python_of_debian_12_which_has_no_filters_for_archives(tmp_path, monkeypatch):
    def extract_all(self, path=".", members=None, *, numeric_owner=False):
        """As it is in Python 3.11.2."""

    world = mail_world(tmp_path / "old")
    file, settings = kept(world, tmp_path), empty(tmp_path)
    monkeypatch.setattr(tarfile.TarFile, "extractall", extract_all)
    restored(settings, file)
    assert (settings.instance / "secret_key").read_text().strip() == KEY
    world.close()
