"""API clients for tests, each with a member's token."""

from __future__ import annotations

from correspondence.accounts import accounts, api_tokens
from correspondence.core.db import reading, transaction
from correspondence.models import ApiScope


def token_of(world, handle, scope=ApiScope.PLAY, name="a program"):
    """Make a new token for a member, without a page."""
    with transaction(world.runtime.engine) as session:
        person = accounts.person_by_handle(session, handle)
        return api_tokens.make(session, person, name, scope, now=world.clock())


def bearer(world, handle, path="/api/"):
    """Return the authorization header for an API path, reusing a valid token; empty for pages."""
    if not handle or not path.startswith("/api/"):
        return {}
    known = world.__dict__.setdefault("bearers", {})
    with reading(world.runtime.engine) as session:
        row = api_tokens.find(session, known.get(handle, ""))
    if row is None or api_tokens.is_ended(row, now=world.clock()):
        known[handle] = token_of(world, handle)
    return {"Authorization": f"Bearer {known[handle]}"}


class Program:
    """An API client with a member's token; without a handle it has no token."""

    def __init__(self, world, handle="", scope=ApiScope.PLAY, **headers):
        self.client = world.app.test_client()
        self.headers = dict(headers)
        if handle:
            self.headers["Authorization"] = f"Bearer {token_of(world, handle, scope)}"

    def get(self, path, **headers):
        return self.client.get(f"/api/v1{path}", headers={**self.headers, **headers})

    def post(self, path, body=None, **headers):
        given = {} if body is None else {"json": body}
        return self.client.post(f"/api/v1{path}", headers={**self.headers, **headers}, **given)

    def put(self, path, body, **headers):
        return self.client.put(f"/api/v1{path}", json=body, headers={**self.headers, **headers})

    def delete(self, path, **headers):
        return self.client.delete(f"/api/v1{path}", headers={**self.headers, **headers})
