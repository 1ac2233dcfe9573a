"""The commands about the whole database, as an operator types them."""

from __future__ import annotations

from click.testing import CliRunner

from correspondence.ops.database_cli import backup_command, migrate_command, restore_command
from tests.test_migrations import upgraded


def run(folder, command, *words, **settings):
    return CliRunner().invoke(command, words, env={"INSTANCE_DIR": str(folder), **settings})


def test_migrating_says_where_the_tables_are_now(tmp_path):
    upgraded(tmp_path, "0011").dispose()
    url = {"DATABASE_URL": f"sqlite:///{tmp_path}/x.db"}
    first = run(tmp_path, migrate_command, **url)
    again = run(tmp_path, migrate_command, **url)
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert again.stdout == first.stdout.replace(".", ", as they were.")


def test_a_backup_that_is_restored_says_what_waited(tmp_path):
    run(tmp_path / "old", migrate_command)
    assert run(tmp_path / "old", backup_command, str(tmp_path / "kept.tar.gz")).exit_code == 0
    restored = run(tmp_path / "new", restore_command, str(tmp_path / "kept.tar.gz"))
    assert restored.stdout == "Restored. No letter waited to be sent.\n"
    again = run(tmp_path / "new", restore_command, str(tmp_path / "kept.tar.gz"))
    assert again.exit_code == 1 and "exists already" in again.stderr


def test_what_cannot_be_done_is_a_sentence_and_no_traceback(tmp_path):
    nowhere = {"DATABASE_URL": "postgresql+psycopg://club:secret@127.0.0.1:1/club"}
    for command, words, status in [(migrate_command, (), 2), (backup_command, (str(tmp_path / "x"),), 1)]:
        done = run(tmp_path, command, *words, **nowhere)
        assert done.exit_code == status and "Traceback" not in done.stderr and "secret" not in done.stderr
    done = run(tmp_path, migrate_command, MIGRATE="maybe")
    assert (done.exit_code, done.stderr) == (2, "MIGRATE must be yes or no, not “maybe”.\n")
