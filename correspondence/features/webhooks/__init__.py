"""Webhooks: a member's events are posted to their programs, signed, in order, and again if need be."""
