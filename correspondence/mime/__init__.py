"""Mail parsing: reply text, author, and detection of bounces and automatic mail. Pure.

Input: the bytes of a message. Output: its text, its author, and the kind of message.
"""
