"""Processes and commands: the command line, the servers, the worker, the demo, the doctor, digests.

In come settings and arguments; out go running processes and what they report.
"""
