"""Mail parsing: text without quotations, author, and recognition of bounces and automatic mail. Pure.

Input: the bytes of a message. Output: its text, its author, and the kind of message.
"""
