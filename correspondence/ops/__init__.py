"""Processes and commands: command line, server, worker, demo, set-up check, digests.

Input: settings and arguments. Output: running processes and their reports.
"""
