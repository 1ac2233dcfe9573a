"""Mail servers' reports: delivery failures and complaints."""

from __future__ import annotations

from email.utils import make_msgid


def dsn(*recipients, to="b.key@games.example"):
    """Return a delivery report (RFC 3464); each recipient is (action, status, diagnosis)."""
    blocks = [
        f"Final-Recipient: rfc822; ann@example.org\nAction: {action}\nStatus: {status}\n"
        f"Diagnostic-Code: smtp; {words}\n"
        for action, status, words in recipients
    ]
    return _report(to, "delivery-status", "\n".join(["Reporting-MTA: dns; mx.example.org\n", *blocks]))


def complaint(kind="abuse", sender="", to="abuse@games.example"):
    """Return a complaint (RFC 5965) about a letter from `sender`."""
    fields = f"Feedback-Type: {kind}\nUser-Agent: Example/1.0\nVersion: 1\nOriginal-Mail-From: <{sender}>\n"
    return _report(to, "feedback-report", fields)


def _report(to, kind, fields):
    return (
        f"From: MAILER-DAEMON@mx.example.org\nTo: {to}\nSubject: Returned mail\n"
        f"Message-ID: {make_msgid(domain='mx.example.org')}\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="b1"\n\n'
        "--b1\nContent-Type: text/plain\n\nresign\n\n"
        f"--b1\nContent-Type: message/{kind}\n\n{fields}\n"
        "--b1\nContent-Type: message/rfc822\n\nSubject: yours\n\nc3/f2=B\n\n--b1--\n"
    ).encode()
