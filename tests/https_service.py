"""A local HTTPS server that stands in for push services and members' programs.

`tests/conftest.py` gives its fixtures to every test.
"""

from __future__ import annotations

import ssl
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from correspondence.transport import PushPost

HOST = "push.example"


class Service(ThreadingHTTPServer):
    """Received requests and scripted answers; `meanwhile` is called with the connection before each."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.sent, self.where, self.meanwhile = 201, [], {}, lambda _connection: None


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.sent.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.meanwhile(self.connection)
        self.send_response(self.server.status)
        for name, value in self.server.where.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_args):
        """Say nothing."""


@pytest.fixture(scope="module")
def service_certificate(tmp_path_factory):
    """A certificate for the service's name, and the file with it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)]), datetime.now(UTC)
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - timedelta(days=1),
                                now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = tmp_path_factory.mktemp("tls") / "service.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + built.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def service(service_certificate):
    server = Service()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(service_certificate)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def post(service, service_certificate):
    """A connection to the service, as if its name resolved to a public address."""
    context = ssl.create_default_context(cafile=str(service_certificate))
    return PushPost(lambda _host: service.server_address[:2], context)
