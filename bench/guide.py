"""From a fresh Debian to a clean doctor: `python -m bench.guide [ROOT] [--repository URL]`, as root.

Without ROOT only the commands of the guide (docs/deploy.md, steps 1 to 6) are counted. With ROOT, an empty folder, debootstrap
makes a Debian there (one that it made before is taken as it is), and the commands are typed one after the other, in a network
of its own from step 3 on. A folder has no systemd and no DNS: `systemctl` is a script that starts what the units say, and
nobody asks the DNS about the domain. Said are commands and minutes of each step, and what the doctor finds.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent.parent
GUIDE = HERE / "docs" / "deploy.md"
LAST_STEP = 6
DOMAIN = "club.localhost"
WITH_NETWORK = 2
"""The last step whose commands fetch something from the internet."""

PREPARED = ("apt-get update -q", "apt-get install -yq adduser iproute2 procps init-system-helpers")
"""What a Debian made by debootstrap lacks of one that was installed."""

_SYSTEMCTL = r"""#!/bin/bash
# Stands in for systemd, which a folder does not have.
start() { # a unit: its settings, folder and command
    file=/etc/systemd/system/$1
    grep -q '^ExecStart=' "$file" || return 0
    command=$(sed -n 's/^ExecStart=//p' "$file"); settings=$(sed -n 's/^Environment=//p' "$file")
    case $(sed -n 's/^Type=//p' "$file") in
        oneshot) (cd /etc/correspondence && runuser -u correspondence -- env $settings $command) ;;
        *) (cd /etc/correspondence && setsid runuser -u correspondence -- env $settings $command \
            >>/var/log/units.log 2>&1 </dev/null &) ;;
    esac
}
case "$*" in
    *"restart postfix"*) postfix stop 2>/dev/null; postfix start ;;
    *"reload postfix"*) postfix reload ;;
    *"correspondence.target"*) start correspondence-migrate.service && start correspondence-web.service
        start correspondence-listen.service; start correspondence-worker@.service; sleep 30 ;;
esac
exit 0
"""
_SCRIPTS = {
    "systemctl": _SYSTEMCTL, "hostnamectl": "#!/bin/sh\n", "timedatectl": "#!/bin/sh\necho yes\n",
    "/usr/sbin/policy-rc.d": "#!/bin/sh\nexit 101\n",
}  # fmt: skip
_CERTIFICATES = Path("/etc/pip-certificates.crt")
"""Where pip finds the certificates of this machine's PIP_CERT; those of the Debian are replaced as it is set up."""

_BEFORE_STEP_3 = (
    "ip link set lo up; install -d -o postgres /run/postgresql; "
    "for version in /etc/postgresql/*; do pg_ctlcluster ${version##*/} main start; done"
)


def commands() -> dict[int, list[str]]:
    """The commands of each step of the guide that a club's server needs, continued lines joined."""
    text = GUIDE.read_text().partition("\n# Reference")[0]
    parts = re.split(r"^## (\d+)\. .*$", text, flags=re.M)
    found = {}
    for number, part in zip(parts[1::2], parts[2::2], strict=True):
        blocks = re.findall(r"^```sh\n(.*?)^```", part.partition("\n### ")[0], re.M | re.S)
        lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
        found[int(number)] = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    found[2] = [
        line for line in found[2] if "deploy-files" not in line and "file:///" not in line
    ]  # the way with a wheel
    found[2] = list(dict.fromkeys(found[2]))
    return {number: lines for number, lines in found.items() if number <= LAST_STEP}


def make(root: Path, repository: str) -> None:
    """Make a Debian in the folder, with the source and the scripts that stand in for systemd."""
    if not (root / "usr/bin/dpkg").exists():
        subprocess.run(
            ["debootstrap", "--variant=minbase", "bookworm", str(root)], check=True, stdout=subprocess.DEVNULL
        )
    subprocess.run(["git", "clone", "-q", "--bare", repository, str(root / "srv/source.git")], check=True)
    for name, script in _SCRIPTS.items():
        file = root / (name.lstrip("/") if name.startswith("/") else f"usr/local/bin/{name}")
        file.write_text(script)
        file.chmod(0o755)
    for file in (Path("/etc/resolv.conf"), Path("/etc/pip.conf")):
        if file.exists():
            shutil.copy(file, root / file.relative_to("/"))
    if "PIP_CERT" in os.environ:
        shutil.copy(os.environ["PIP_CERT"], root / _CERTIFICATES.relative_to("/"))


def script_of(steps: dict[int, list[str]], first: int, last: int) -> str:
    """A script that types these steps and says, in seconds since 1970, when each began and ended."""
    lines = [
        "set -e", "export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8", "cd /", f"DOMAIN={DOMAIN}",
        "OPERATOR=olga@example.org", "REPOSITORY=/srv/source.git",
    ]  # fmt: skip
    for number in range(first, last + 1):
        lines += [f"echo STEP {number} $(date +%s.%N)", *steps[number], f"echo DONE {number} $(date +%s.%N)"]
    return "\n".join(lines) + "\n"


def typed(root: Path, script: str, *, is_apart: bool) -> str:
    """Run a script in the folder, with a network and processes of its own if it `is_apart`; returns what it printed."""
    (root / "root/steps.sh").write_text(script)
    apart = ["--net"] if is_apart else []
    inside = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" bash /root/steps.sh'
    command = ["unshare", "--pid", "--fork", "--mount", *apart, "sh", "-c", inside, str(root)]
    given = {name: text for name, text in os.environ.items() if name.startswith("PIP_")}
    given |= {"PIP_CERT": str(_CERTIFICATES)} if "PIP_CERT" in given else {}
    given["PATH"] = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
    done = subprocess.run(command, env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def minutes_of(output: str) -> dict[int, float]:
    """Minutes that each step took, by what its script said."""
    times: dict[tuple[str, int], float] = {}
    for what, number, at in re.findall(r"^(STEP|DONE) (\d+) ([\d.]+)$", output, re.M):
        times[what, int(number)] = float(at)
    return {number: (at - times["STEP", number]) / 60 for (what, number), at in times.items() if what == "DONE"}


def main() -> None:
    """Count, or set up and count, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.guide", description="From a fresh Debian to a clean doctor.")
    parser.add_argument("root", nargs="?", type=Path, help="an empty folder for a Debian; only counted without it")
    parser.add_argument("--repository", default=str(HERE), help="where the source is cloned from")
    options = parser.parse_args()
    steps, minutes, output = commands(), dict[int, float](), ""
    began = time.monotonic()
    if options.root is not None:
        make(options.root, options.repository)
        output = typed(options.root, "\n".join(PREPARED) + "\n", is_apart=False)
        output += typed(options.root, script_of(steps, 1, WITH_NETWORK), is_apart=False)
        rest = script_of(steps, WITH_NETWORK + 1, LAST_STEP)
        output += typed(options.root, f"{_BEFORE_STEP_3}\n{rest}", is_apart=True)
        minutes = minutes_of(output)
        (options.root / "root/output.txt").write_text(output)
    table = Table("step", "commands", "minutes")
    for number, lines in steps.items():
        table.add_row(str(number), str(len(lines)), f"{minutes[number]:.1f}" if number in minutes else "")
    table.add_row("all", str(sum(map(len, steps.values()))), f"{sum(minutes.values()):.1f}" if minutes else "")
    console = Console(width=100)
    console.print(table)
    if output:
        console.print(
            f"{(time.monotonic() - began) / 60:.1f} minutes with the making of the Debian; all output: root/output.txt"
        )
        console.print(output.rpartition("STEP 6")[2][-3000:], markup=False)


if __name__ == "__main__":
    main()
