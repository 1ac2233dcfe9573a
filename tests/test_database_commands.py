"""The commands of an operator: migrate, backup and restore; and the record of a game as it is for an operator."""

from __future__ import annotations

from click.testing import CliRunner

from correspondence.archive.import_export import export
from correspondence.core import db
from correspondence.core.signing import check_signature, signer_of
from correspondence.ops.database_cli import backup_command, migrate_command, restore_command
from engines.verification.checks import check_record
from tests.make_release import play_on
from tests.test_migrations import upgraded
from tests.world import World


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
    assert restored.stdout.startswith("Restored. No letters were waiting to be sent.\nWhat happened after ")
    assert restored.stdout.endswith(" is lost; 0 members are told. The next game is 1001.\n")
    again = run(tmp_path / "new", restore_command, str(tmp_path / "kept.tar.gz"))
    assert again.exit_code == 1 and "exists already" in again.stderr


def test_what_cannot_be_done_is_a_sentence_and_no_traceback(tmp_path):
    nowhere = {"DATABASE_URL": "postgresql+psycopg://club:secret@127.0.0.1:1/club"}
    for command, words, status in [(migrate_command, (), 2), (backup_command, (str(tmp_path / "x"),), 1)]:
        done = run(tmp_path, command, *words, **nowhere)
        assert done.exit_code == status
        assert "Traceback" not in done.stderr
        assert "secret" not in done.stderr
    done = run(tmp_path, migrate_command, MIGRATE="maybe")
    assert (done.exit_code, done.stderr) == (2, "MIGRATE must be yes or no, not “maybe”.\n")


def test_the_record_of_a_running_game_is_whole_for_the_operator_and_redacted_for_a_member(tmp_path):
    world = World(tmp_path)
    world.join("ann", "bob")
    number = world.match("plateau")
    play_on(world, number, 4)
    with db.reading(world.engine) as session:
        whole, hers, strangers = (
            export(session, number, signer_of(world.settings), now=world.time, reader=reader)
            for reader in (None, "ann", "nobody")
        )
    found = check_record(whole, check_signature)
    assert found.first_wrong is None and "Every entry is a legal move." in [one.sentence for one in found.findings]
    assert "?" not in moves_in(whole) and "[Seed" not in whole
    assert 0 < moves_in(hers).count("?") < moves_in(strangers).count("?")
    world.close()


def moves_in(record):
    """The moves of a record, without times and comments."""
    return "\n".join(line.partition(" ; ")[0] for line in record.partition("\n\n")[2].splitlines())
