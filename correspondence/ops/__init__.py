"""Processes and commands: command line, server, background worker, demo, set-up check, digests.

In come settings and arguments; out go running processes and their reports.
"""
