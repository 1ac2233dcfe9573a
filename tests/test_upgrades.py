"""A database is brought up to date whatever released version made it, by one process at a time, or refused in words."""

from __future__ import annotations

import lzma
import multiprocessing
import subprocess
from hashlib import sha256

import pytest
from sqlalchemy import make_url, text
from sqlmodel import col, select

from correspondence import create_app
from correspondence.archive.import_export import export
from correspondence.core import db, schema
from correspondence.core.config import Settings
from correspondence.core.signing import check_signature, signer_of
from correspondence.core.tokens import spell
from correspondence.fairness import ends
from correspondence.models import Match, Player
from correspondence.models.loading import position_of
from correspondence.web.current import runtime_of
from engines.verification.checks import ClaimState, check_record
from tests.make_release import RELEASES, play_on
from tests.sizes import more
from tests.tables import empty_database
from tests.test_migrations import upgraded
from tests.world import KEY, mail_world

FORK = multiprocessing.get_context("fork")

FROZEN = {
    "0001_all_tables": "62c94bf4ad5be51269ebf996ca41588c8c6a2a85bbd9ef17c44794e6bc027d3e",
    "0002_names_of_columns": "ecc88f99faf044f95e70748b9e867624e24d43416b3e1b7889d3c53b313f8650",
    "0003_post": "23a68688a6a19b928f3b986c11b435daf5368476e8d0263f1f15baa9b10ad10a",
    "0004_main_address": "a1c954d8d2762bb59d4a5ef41ac850fe48d8e24ceac8826b95adf6b5bab15795",
    "0005_receipts": "eafdb8b2125a19454b520bceeadd93ff42b39505c2a4820444fc195ea83e0580",
    "0006_board_form": "d0643138f0ed2dbed4403ef6a7ab1045f6f692c3ff8603ad95a243efc54b0568",
    "0007_fairness": "a930ca54907796dc9508ead09c84f18893f5aef55bef4a756b86a2b7907423e2",
    "0008_names_in_letters": "f536dcfbae6fc9f0a66b46551bf411cddd0c30dcfc1d9a833711f4a2ad5f0657",
    "0009_recovery_hashes": "d0afb4d2029dc61802f36bbca4dddce336eac7114a2f5755009aaf3cfc7fd2b6",
    "0010_archive_months": "f489e9933928c811a781dd5999437f579bf8583c243d2f437d839db2530b536e",
    "0011_awaited_letters": "b1a0d313cafb301257635a2aa31d8e38b7ba9bc67b31be7e018dbb9f5d3f80da",
    "0012_indexes_of_sweeps": "6b4fa4c4d6fee7c3707a450afa9fc010d89a5929ec267c2a1b024fcb4f190fb7",
    "0013_push_subscriptions": "631c5830ce92314b58625f8902fc48bc726f01d4302c6f45f5a35a30ec49ae53",
    "0014_robots": "7215e69d99b0342c3e793b6e2ccd2a3924a79edb934d9be7c10f2744e47810be",
    "0015_reviews": "c1280c0b29bc05d527d1d3844b105ba7347ece0bd3dd8c9f0bf9df7bfa6f02ad",
    "0016_sweep_leases": "b23f0c05a07a5947be1b19b32a4ddd9cbb801ebe4e933a5524a25375f235624d",
    "0017_robot_pace": "b8832523d20fae3fe3ba0bc9f7d979e8cbb01998ac64f88f945c321afeaaa06c",
    "0018_lost_leases": "5d5925814e1d96159a42ad3ac95f400724e87eb2d78d2a8bc83d02b010c41cb4",
    "0019_retention": "ce470b15991572d3a0934caf556f1bf8ce7454a75591b4285a28f01b1a9f6196",
    "0020_operators": "2e26bc8464fbbb8b4f2c7170e94c353c11c4f83d8f78bd71771cb17b0e60b344",
    "0021_api_tokens": "2da3e0fa4cb917bb8b7298146a2804a14e6ded850770040e5a547adce81c1ce8",
    "0022_operator_acts": "3d290e9e281128689a4867a0ec6e9600a572462b112386e1615b23c46f3ab95d",
    "0023_hidden_words": "190d92fc4b85f34f568013fb9143db957f85834387f9855bf947ac6e0d4e7d69",
    "0024_exercises": "927eeaa8e885e46b31c25b43ebf7a27ee9f7ad486280fa0c2e62ac2c1da435e2",
    "0025_corrections": "6f8d89af4b5d103d20dc41845e5255326fbb939f3babff70eccf388b2de8c2c4",
    "0026_events": "d01fa594231732972ebc322b1ff89bdd224fc7cbacca6b99184556f8560f2119",
    "0027_programs": "03931473992e05f49778d218210742c37bf116ebadde9720b5337f7d757ede44",
    "0028_lessons": "4a2ed45f4b4b13846d9218ca5fa21974ad1d4a9e219cd8ebb223d945c81f45e2",
    "0029_service_state": "e89c0b5bd3a6f1d0fedcf55eeddf2900e7c5d446c4176fc0a3763a119e31d8e9",
    "0030_merged_accounts": "5a6f860a9deb336a7f3c87b8ef1dd2add3d46617c762fd0c9b721374f2393831",
    "0031_weekly_exercises": "304813f281d85d73e4e4e66248fa5326b19bf75f14a44c0287c061daf4caf927",
    "0032_wanted_letters": "6771edd51b349fd050aa6fb6bf08e52c791d8b60431d96cfcf2d568675b8b409",
    "0033_webhooks_of_programs": "5eb8dcfe031d2f16974ed4dc1250dad13138ddcbcbc918bd54167f793b53292c",
    "0034_indexes_of_players": "c0a2bf0236f67e7243ca3da929a405243a2f5324e454c4ee94b08d88abd1072d",
}
"""The migrations that were released: whoever has run one never runs it again, so it never changes."""


# -- released databases ----------------------------------------------------------------


@pytest.fixture(params=sorted(RELEASES.glob("*.xz")), ids=lambda file: file.name.removesuffix(".xz"))
def club(request, tmp_path):
    """The world of a release, in which this version goes on."""
    kept, url = lzma.decompress(request.param.read_bytes()), ""
    if request.param.name.endswith(".db.xz"):
        (tmp_path / "correspondence.db").write_bytes(kept)
        (tmp_path / "signing_key").write_text(f"{'A' * 43}=\n")
    else:
        url = empty_database(request.getfixturevalue("postgres_url"))
        address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        subprocess.run(
            ["psql", "--quiet", "--set=ON_ERROR_STOP=1", address], input=kept, check=True, capture_output=True
        )
    world = mail_world(tmp_path, database_url=url)
    schema.prepare(world.engine)
    ends.sign_earlier(world.engine, now=world.time)
    world.clock.go(days=1)
    yield world
    world.close()


def matches_of(world, *, over):
    with db.reading(world.engine) as session:
        found = session.exec(select(Match).order_by(col(Match.id))).all()
        return [match.id for match in found if (match.ended_at is not None) == over]


def test_the_tables_of_every_release_become_those_of_today(club):
    assert schema.revision_of(club.engine) == schema.newest_revision()
    assert schema.differences(club.engine) == []


def test_what_was_finished_in_a_release_still_verifies(club):
    finished = matches_of(club, over=True)
    assert len(finished) >= 4
    for number in finished:
        with db.reading(club.engine) as session:
            record = export(session, number, signer_of(club.settings), now=club.time)
        found = check_record(record, check_signature)
        assert found.state == ClaimState.HOLDS, [
            one.sentence for one in found.findings if one.state != ClaimState.HOLDS
        ]
        assert found.is_proven_whole and found.record.tags["Amended"].endswith(" signed later")


def test_what_was_begun_in_a_release_is_played_on(club):
    for number in matches_of(club, over=False):
        before = len(club.moves(number))
        play_on(club, number, 1)
        assert len(club.moves(number)) == before + 1


def test_a_letter_of_a_release_can_still_be_answered(club):
    number = matches_of(club, over=False)[0]
    with db.reading(club.engine) as session:
        position = position_of(session.get_one(Match, number))
        seat = position.to_act[0]
        player = session.exec(select(Player).where(Player.match_id == number, Player.seat == seat)).one()
        move = position.write(seat, next(position.legal_moves(seat)))
        address = f"r.{spell(KEY, player.token_id)}@games.example"
        name = next(name for name in ("ann", "bob") if club.player(session, number, name).seat == seat)
    before = len(club.moves(number))
    club.mail(f"{name}@example.org", address, move)
    assert len(club.moves(number)) == before + 1


# -- migrations ------------------------------------------------------------------------


def test_a_migration_that_was_released_never_changes():
    files = {file.stem: file.read_bytes() for file in (schema.MIGRATIONS / "versions").glob("[0-9]*.py")}
    changed = [name for name, digest in FROZEN.items() if sha256(files.get(name, b"")).hexdigest() != digest]
    assert changed == [], "make a new migration instead"


def start(folder, url, barrier, answers):
    barrier.wait(60)
    try:
        app = create_app(Settings(instance_dir=folder, database_url=url, mail_listen=""))
        answers.put(runtime_of(app).settings.instance_dir)
    except BaseException as error:
        answers.put(repr(error))


@pytest.mark.parametrize(("kind", "count"), [("sqlite", 2), ("postgresql", 2), more("postgresql", 4)])
def test_processes_that_start_at_once_on_an_empty_database_all_serve(kind, count, request, tmp_path):
    url = empty_database(request.getfixturevalue("postgres_url")) if kind == "postgresql" else ""
    barrier, answers = FORK.Barrier(count), FORK.Queue()
    starters = [FORK.Process(target=start, args=(str(tmp_path), url, barrier, answers)) for _number in range(count)]
    for starter in starters:
        starter.start()
    assert [answers.get(timeout=120) for _starter in starters] == [str(tmp_path)] * count
    for starter in starters:
        starter.join(60)


def test_an_old_database_is_left_alone_where_a_start_may_not_migrate(tmp_path):
    engine = upgraded(tmp_path, "0011")
    with pytest.raises(schema.SchemaError, match="of revision 0011, and this version needs 00.*run: flask migrate"):
        schema.prepare(engine, migrates=False)
    assert schema.revision_of(engine) == "0011"
    engine.dispose()


UNFIT = {
    "of a newer version": (
        "UPDATE alembic_version SET version_num = '0999'", "revision 0999, which this version does not know"
    ),
    "that lacks what its revision promises": (
        "ALTER TABLE outage RENAME COLUMN ends_at TO ended_at", "it lacks outage.ends_at"
    ),
}  # fmt: skip


@pytest.mark.parametrize("which", UNFIT)
def test_an_unfit_database_is_refused_in_a_sentence(tmp_path, which):
    change, sentence = UNFIT[which]
    engine = upgraded(tmp_path, "head")
    with engine.begin() as connection:
        connection.execute(text(change))
    with pytest.raises(schema.SchemaError, match=sentence):
        schema.prepare(engine)
    engine.dispose()


def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path):
    engine = db.make_engine("postgresql+psycopg://club:secret@127.0.0.1:1/club")
    with pytest.raises(schema.SchemaError, match="DATABASE_URL does not answer") as refused:
        schema.prepare(engine)
    assert "secret" not in str(refused.value)
