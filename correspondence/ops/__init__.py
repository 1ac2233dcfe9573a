"""Processes and commands: command line, server, background worker, demo, set-up check, digests.

Input: settings and arguments. Output: running processes and their reports.
"""
