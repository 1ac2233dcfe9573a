"""Fuzz the whole way in with atheris (`pip install atheris`).

Usage: `python -m bench.fuzz_inbound [CORPUS] [-OPTION=VALUE …]`.

Any exception, and any mail that ends without a reason, is a finding; the input that caused it is kept as `crash-…`.
Options are libFuzzer's, such as `-max_total_time=1800`. It begins with the corpus of the tests.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["correspondence", "email"]):
    from tests.mail_failures.inbound import CORPUS, Intake


def main() -> None:
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        intake = Intake(Path(folder))
        given = [word for word in sys.argv[1:] if not word.startswith("-")]
        options = [word for word in sys.argv[1:] if word.startswith("-")]
        atheris.Setup([sys.argv[0], *given, str(CORPUS), "-max_len=4096", *options], lambda octets: intake.take(octets))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
