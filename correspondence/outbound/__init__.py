"""Letters: written, scheduled, merged, composed, signed, queued, throttled and suppressed.

In come a kind, a reader and the facts; out go messages to the transport, and a log of what became of each.
"""
