"""Runs `flask …` with heartbeats that follow fast upon each other: `python -m tests.quick_beats listen`.

`QUICKNESS` says how many times as fast; with 1 all is as in the service.
"""

from __future__ import annotations

import os
import sys

from correspondence.clocks import outages


def quicken(quickness: int) -> None:
    """Let signs of life be expected so many times as often, and servers of mail be given up so many times as soon."""
    outages.BEAT, outages.LOST = outages.BEAT / quickness, outages.LOST / quickness
    from correspondence.transport import idling, imap  # what they give by default is known only now

    for function in (idling.Watch.__init__, imap.fetch_imap):
        times = function.__kwdefaults__
        times.update({name: times[name] / quickness for name in {"ask", "without", "timeout"} & set(times)})


if __name__ == "__main__":
    quicken(int(os.environ.get("QUICKNESS", "1")))
    from flask.cli import main

    sys.argv[0] = "flask"
    main()
