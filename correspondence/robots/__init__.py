"""Robot players: lease turns, search for moves in separate processes, and play them.

Input: rows of games in which a robot is to move, and offers made to robots. Output: moves, answers and occasional
remarks, all through the same use cases as people's. A search sees only what the robot's seat sees.
"""

from __future__ import annotations

from correspondence.robots.thinking import RobotPool

__all__ = ["RobotPool"]
