"""Outgoing letters: rendering, scheduling, merging, MIME, DKIM, the queue, throttling and the suppression list.

Input: the kind of a letter, its recipient and its data. Output: messages to the transport, and a delivery log.
"""
