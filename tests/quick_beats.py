"""Run `flask …` with faster heartbeats: `python -m tests.quick_beats listen`.

`QUICKNESS` is the factor; 1 is the speed of the real service.
"""

from __future__ import annotations

import os
import sys

from correspondence.clocks import outages


def quicken(quickness: int) -> None:
    """Divide the intervals of heartbeats and the timeouts of mail servers by this factor."""
    outages.BEAT, outages.LOST = outages.BEAT / quickness, outages.LOST / quickness
    from correspondence.transport import idling, imap  # defaults are known only after import

    for function in (idling.Watch.__init__, imap.fetch_imap):
        times = function.__kwdefaults__
        times.update({name: times[name] / quickness for name in {"ask", "without", "timeout"} & set(times)})


if __name__ == "__main__":
    quicken(int(os.environ.get("QUICKNESS", "1")))
    from flask.cli import main

    sys.argv[0] = "flask"
    main()
