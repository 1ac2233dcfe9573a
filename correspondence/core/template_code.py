"""How the templates of pages and letters are compiled: to code that does at once what Jinja's does by way of others."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

_FEW = 3
"""So many values and texts side by side are handed up as one."""


class DirectCode(CodeGenerator):
    """Templates as Python code that calls functions of the application and asks for attributes at once, and writes markup,
    numbers and plain texts as they are.

    Jinja asks at each call whether the function wants the context, looks for attributes by a function of its own, and
    makes markup of markup. A page calls a hundred functions and asks for hundreds of attributes, and most of what it
    writes is markup. The environment has `is_plain` for it.
    """

    def writeline(self, x: str, node: nodes.Node | None = None, extra: int = 0) -> None:
        """Join what a block or another template writes where it ends, instead of handing it up piece by piece."""
        before, _yields, source = x.partition("yield from ")
        super().writeline(x if before or not source else f"yield concat({source})", node, extra)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """Write what stands side by side as one piece."""
        if frame.buffer is not None or frame.require_output_check or len(node.nodes) < _FEW:
            super().visit_Output(node, frame)
            return
        joined = frame.copy()
        joined.buffer = "piece"
        self.writeline("piece = []")
        super().visit_Output(node, joined)
        self.writeline("yield concat(piece)")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """Call a function of the application at once."""
        if forward_caller or node.dyn_args or node.dyn_kwargs or not self._is_function(node.node):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for given in (*node.args, *node.kwargs):
            self.visit(given, frame)
            self.write(", ")
        self.write(")")

    def _is_function(self, node: nodes.Expr) -> bool:
        """Whether this is the name of a function that all templates have, and that takes nothing but what it is given."""
        found = self.environment.globals.get(node.name) if isinstance(node, nodes.Name) else None
        return isinstance(found, FunctionType) and not hasattr(found, "jinja_pass_arg")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """Ask for an attribute at once; only where there is none, as Jinja does."""
        self.write("(found if (found := getattr((owner := ")
        self.visit(node.node, frame)
        self.write(f"), {node.attr!r}, missing)) is not missing else environment.getattr(owner, {node.attr!r}))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape:
            self.write("(shown if (kind := type(shown := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape:
            self.write(")) is Markup or kind is str and environment.is_plain(shown)")
            self.write(" else str(shown) if kind is int else escape(shown))")
        else:
            super()._output_child_post(node, frame, finalize)
