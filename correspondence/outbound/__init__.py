"""Outgoing mail: rendering, scheduling, merging, MIME, DKIM, queue and rate limits.

Input: a letter's kind, recipient and data. Output: messages to the transport, and a delivery log.
"""
