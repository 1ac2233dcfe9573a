"""A small corpus of mails that a fuzzer began with, or found; each is read without trouble at its address."""

from __future__ import annotations

import pytest

from tests.mail_failures.inbound import CORPUS, Intake


@pytest.fixture(scope="module")
def intake(tmp_path_factory):
    intake = Intake(tmp_path_factory.mktemp("intake"))
    yield intake
    intake.town.close()


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*.eml")), ids=lambda file: file.stem)
def test_a_kept_mail_ends_with_a_reason(intake, file):
    assert intake.take(file.read_bytes())


def test_the_corpus_is_there():
    assert len(list(CORPUS.glob("*.eml"))) > 40
