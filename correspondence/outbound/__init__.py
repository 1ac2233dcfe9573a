"""Outgoing letters: rendering, scheduling, merging, MIME, DKIM, the queue, throttling and the suppression list.

In come the kind of a letter, its recipient and its data; out go messages to the transport, and a delivery log.
"""
