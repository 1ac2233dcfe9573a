"""Real mail servers on loopback: postfix in front of the service, dovecot with everybody's mailboxes behind it.

Each has a separate folder, configuration and high ports; the system's own configuration is not read.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ports import free_port

PASSWORD = "not-a-secret"

POSTFIX = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
mail_owner = postfix
setgid_group = postdrop
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.games.example
mydestination =
mynetworks = 127.0.0.0/8
relay_domains = games.example
transport_maps = inline:{{ games.example=lmtp:inet:127.0.0.1:{service}, example.org=lmtp:inet:127.0.0.1:{boxes} }}
relay_recipient_maps =
local_recipient_maps =
alias_maps =
alias_database =
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
lmtp_host_lookup = native
smtp_dns_support_level = disabled
lmtp_tls_security_level = none
smtpd_tls_security_level = none
maillog_file = /dev/stdout
maillog_file_prefixes = /var, /dev/stdout
maximal_queue_lifetime = 1d
minimal_backoff_time = 1s
queue_run_delay = 1s
"""

MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
flush unix n - n 1000? 0 flush
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""

DOVECOT = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:{folder}/mail/%Lu
auth_mechanisms = plain login
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%Lu allow_all_users=yes
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service stats {{
  chroot =
}}
"""


@dataclass
class Servers:
    """The addresses of the two servers."""

    smtp: int
    imap: int
    folder: Path

    def queue(self):
        command = ["/usr/sbin/postqueue", "-c", str(self.folder / "postfix"), "-p"]
        return subprocess.run(command, capture_output=True, text=True).stdout

    def mail_locally(self, user, words):
        """Hand a mail for a user of this machine to sendmail, as cron does."""
        command = ["/usr/sbin/sendmail", "-C", str(self.folder / "postfix"), "-i", user]
        subprocess.run(command, input=words, text=True, check=True)

    def log(self):
        return (self.folder / "postfix.log").read_text(errors="replace")


def _must_be_installed():
    missing = [name for name in ("postfix", "dovecot", "postmap") if not shutil.which(name, path="/usr/sbin:/usr/bin")]
    if missing:
        pytest.skip("there is no mail server here (Debian: apt-get install postfix dovecot-imapd dovecot-lmtpd)")
    if os.geteuid() != 0:
        pytest.skip("postfix changes users by itself, so it starts for root alone")


@contextmanager
def servers(service_port, *settings):
    """Start both servers; postfix delivers games.example by LMTP to `service_port`. Skips without them.

    Further Postfix settings, each `name = value`, are set by postconf(1), as an operator would do.
    Their folder has a short name, because that of a socket in it may have 107 characters (unix(7)).
    """
    _must_be_installed()
    short = tempfile.TemporaryDirectory(prefix="mta", ignore_cleanup_errors=True)
    with short as place, _both(Path(place), service_port, settings) as ports:
        yield ports


@contextmanager
def _both(folder, service_port, settings):
    ports = Servers(free_port(), free_port(), folder)
    boxes = free_port()
    _open_up(folder)
    dovecot = _start_dovecot(folder / "dovecot", ports.imap, boxes)
    try:
        postfix = _start_postfix(folder, ports.smtp, service_port, boxes, settings)
        try:
            _wait_for(ports.smtp), _wait_for(ports.imap)
            yield ports
        finally:
            # its master leads a separate process group, which outlives the program that started it
            subprocess.run(["/usr/sbin/postfix", "-c", folder / "postfix", "abort"], capture_output=True)
            _end(postfix)
    finally:
        _end(dovecot)


def _open_up(folder):
    """Let the servers' own users pass through the folders above."""
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.geteuid() and above != Path("/"):
            above.chmod(above.stat().st_mode | 0o755)


def _start_dovecot(folder, imap, lmtp):
    user = pwd.getpwnam("nobody")
    group = __import__("grp").getgrgid(user.pw_gid).gr_name
    for name in ("run", "state", "mail"):
        (folder / name).mkdir(parents=True)
        os.chown(folder / name, user.pw_uid, user.pw_gid)
    file = folder / "dovecot.conf"
    file.write_text(DOVECOT.format(folder=folder, imap=imap, lmtp=lmtp, user="nobody", group=group, password=PASSWORD))
    return _started(["/usr/sbin/dovecot", "-F", "-c", str(file)], folder / "out")


def _start_postfix(folder, port, service, boxes, settings):
    home = folder / "postfix"
    owner = pwd.getpwnam("postfix")
    for name in ("queue", "data"):
        (home / name).mkdir(parents=True)
    os.chown(home / "data", owner.pw_uid, owner.pw_gid)
    (home / "main.cf").write_text(POSTFIX.format(folder=home, service=service, boxes=boxes))
    (home / "master.cf").write_text(MASTER.format(port=port))
    if settings:
        subprocess.run(["/usr/sbin/postconf", "-c", home, "-e", *settings], check=True)
    return _started(["/usr/sbin/postfix", "-c", str(home), "start-fg"], folder / "postfix.log")


def _started(command, log):
    with open(log, "w") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)


def _wait_for(port):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2) as line:
            if line.recv(3):
                return
        time.sleep(0.05)
    raise TimeoutError(f"nobody answers at port {port}")


def _end(process):
    """End a server and all its child processes, which are one process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(15)
