"""Statements: assignments, branches, loops, returns. Where paths join, variables are unified (`scope.py`).

A statement that is wrong is reported, and compiling goes on: what it would have assigned is broken, and what follows
from that is not reported again. So all mistakes of a function are found at once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from phalanx.algebra.jit import LoopSource
from phalanx.algebra.number import independent, lane_set
from phalanx.native import fields, views
from phalanx.native.convert import convert, truth
from phalanx.native.diagnosis import Fault, FaultsInside, Place, Problem
from phalanx.native.expressions import Expressions
from phalanx.native.loop_sources import loops_of
from phalanx.native.scope import Edge, Variables
from phalanx.native.types import BOOLEAN, BROKEN, INTEGER, Known
from phalanx.native.values import BROKEN_VALUE, VOID, TupleValue, Value

#: What kernels cannot have -> what to do instead.
REFUSED: dict[type[ast.AST], str] = {
    ast.Raise: "raise; kernels raise nothing: write a number that says so into a field",
    ast.Try: "try; nothing raises in a kernel",
    ast.Assert: "assert; kernels raise nothing",
    ast.With: "with; kernels compute with numbers only",
    ast.Global: "global; what a kernel keeps belongs into a field",
    ast.Nonlocal: "nonlocal; what a kernel keeps belongs into a field",
    ast.Import: "an import; import at the top of the file",
    ast.ImportFrom: "an import; import at the top of the file",
    ast.FunctionDef: "a function inside; define it outside and call it",
    ast.AsyncFunctionDef: "a function inside; define it outside and call it",
    ast.ClassDef: "a class; kernels compute with numbers only",
    ast.Delete: "del; nothing can be deleted",
    ast.Match: "match; write if and elif",
}


@dataclass
class Loop:
    """A loop that is being written: the labels that break and continue jump to, and the edges that do."""

    again: str
    end: str
    back: list[Edge] = field(default_factory=list)
    out: list[Edge] = field(default_factory=list)


class Statements(Expressions):
    """The part of the function compiler that executes statements.

    Attributes:
        problems: mistakes found so far.
        is_broken: is there any mistake, or something that follows from one?
        returns: where the function returns what.
    """

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self.problems: list[Problem] = []
        self.is_broken = False
        self.returns: list[tuple[list[Any], Value, Place]] = []
        self._loops: list[Loop] = []

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Execute statements until one of them leaves."""
        for statement in statements:
            if not self.code.is_reachable:
                return
            self.execute(statement)

    def execute(self, statement: ast.stmt) -> None:
        """Compile one statement; a fault is noted, and compiling goes on behind the statement."""
        self.line = statement.lineno
        try:
            method = _STATEMENTS.get(type(statement))
            if method is None:
                kind = type(statement)
                raise Fault(REFUSED.get(kind, f"{kind.__name__} is not part of the kernel language"))
            method(self, statement)
        except (Fault, FaultsInside) as fault:
            self._report(fault, statement)
            self._break(statement)

    def _report(self, fault: Fault | FaultsInside, node: ast.stmt | ast.expr) -> None:
        """Note what is wrong, and make the code after it reachable, so that more problems are found."""
        if isinstance(fault, FaultsInside):
            self.problems += [problem.called_from(self.place()) for problem in fault.problems]
        elif fault.reason:
            self.line = getattr(fault.node, "lineno", node.lineno)
            self.problems.append(Problem(fault.reason, (self.place(),)))
        self.is_broken = True
        if not self.code.is_reachable:
            self.code.start(self.code.label())

    def _break(self, statement: ast.stmt) -> None:
        """What a statement that is wrong would have assigned or returned is broken."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.scope.assign(node.id, BROKEN_VALUE)
        if isinstance(statement, ast.Return):
            self.finish(BROKEN_VALUE)

    # --- simple statements

    def expression(self, statement: ast.Expr) -> None:
        """An expression for its effect; docstrings and other constants have none."""
        if not isinstance(statement.value, ast.Constant):
            self.evaluate(statement.value)

    def nothing(self, statement: ast.Pass) -> None:
        """`pass`."""
        pass

    def assign(self, statement: ast.Assign) -> None:
        """`a = b = value`."""
        if len(statement.targets) == 1 and self._sets_world(statement.targets[0], statement.value):
            return
        value = self.evaluate(statement.value)
        for target in statement.targets:
            self.put(target, value)

    def _sets_world(self, target: ast.expr, value: ast.expr) -> bool:
        """`field[i] = lane_set(field[i], world, x)`, with the same words on both sides: one number is written."""
        if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Call) or len(value.args) != 3:
            return False
        if not isinstance(value.func, ast.Name) or ast.unparse(value.args[0]) != ast.unparse(target):
            return False
        function, base = self.evaluate(value.func), self.evaluate(target.value)
        if not isinstance(function.type, Known) or function.known is not lane_set or not fields.has_worlds(base):
            return False
        world, number = self.evaluate(value.args[1]), self.evaluate(value.args[2])
        fields.set_world(self, base, self.evaluate(target.slice), world, number)
        return True

    def annotated_assign(self, statement: ast.AnnAssign) -> None:
        """`a: type = value`; the annotation has no meaning."""
        if statement.value is not None:
            self.put(statement.target, self.evaluate(statement.value))

    def put(self, target: ast.expr, value: Value) -> None:
        """Assign to a variable, the parts of a tuple, an element of a field, or a scalar of a view."""
        if isinstance(target, ast.Name):
            self.scope.assign(target.id, value)
        elif isinstance(target, ast.Tuple) and value.type is BROKEN:
            for each in target.elts:
                self.put(each, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value, TupleValue) or len(value.parts) != len(target.elts):
                count = len(target.elts)
                raise Fault(f"{value.type:a} cannot be taken apart into {count}")
            for each, part in zip(target.elts, value.parts, strict=True):
                self.put(each, part)
        elif isinstance(target, ast.Subscript):
            fields.set_item(self, self.evaluate(target.value), self.evaluate(target.slice), value)
        elif isinstance(target, ast.Attribute):
            views.set_attribute(self, self.evaluate(target.value), target.attr, value)
        else:
            raise Fault("this cannot be assigned to")

    def change(self, statement: ast.AugAssign) -> None:
        """`target += value`."""
        target, op = statement.target, type(statement.op)
        if isinstance(target, ast.Name):
            old = self.variable(target.id)
            self.scope.assign(target.id, self.operate(op, old, self.evaluate(statement.value)))
        elif isinstance(target, ast.Subscript):
            base, position = self.evaluate(target.value), self.evaluate(target.slice)
            old = fields.get_item(self, base, position)
            fields.set_item(self, base, position, self.operate(op, old, self.evaluate(statement.value)))
        else:
            base = self.evaluate(target.value)
            old = views.get_attribute(self, base, target.attr)
            views.set_attribute(self, base, target.attr, self.operate(op, old, self.evaluate(statement.value)))

    def give_back(self, statement: ast.Return) -> None:
        """`return`."""
        self.finish(VOID if statement.value is None else self.evaluate(statement.value))

    def finish(self, value: Value) -> None:
        """Return; the type of the result is known when all returns are."""
        self.returns.append((self.code.reserve(), value, self.place()))
        self.code.is_reachable = False

    # --- branches

    def _decision(self, node: ast.expr) -> Value:
        """The condition of a branch or a loop; if it is wrong, it is unknown, so that both sides are compiled."""
        try:
            return truth(self.code, self.evaluate(node))
        except (Fault, FaultsInside) as fault:
            self._report(fault, node)
            return Value(BOOLEAN, ("poison",))

    def branch(self, statement: ast.If) -> None:
        """`if`; a side that cannot be reached is not compiled."""
        condition = self._decision(statement.test)
        if condition.is_known:  # decided when compiling: the other side is not even looked at
            self.block(statement.body if condition.known else statement.orelse)
            return
        yes, no, end = self.code.label(), self.code.label(), self.code.label()
        self.code.branch(condition.operand, yes, no)
        before, edges = self.scope.variables, []
        for label, side in ((yes, statement.body), (no, statement.orelse)):
            self.scope.variables = dict(before)
            self.code.start(label)
            self.block(side)
            if self.code.is_reachable:
                edges.append(self.scope.leave())
                self.code.jump(end)
        self._arrive(end, edges)

    def _arrive(self, label: str, edges: list[Edge]) -> None:
        """Go on where edges join; without any, what follows is unreachable."""
        if edges:
            self.code.start(label)
            self.scope.join(edges)

    # --- loops

    def repeat_while(self, statement: ast.While) -> None:
        """`while`."""

        def head(body: str, exit: str) -> bool:
            condition = self._decision(statement.test)
            if not condition.is_known:
                self.code.branch(condition.operand, body, exit)
                return True
            self.code.jump(body if condition.known else exit)
            return not condition.known

        self._loop(statement, head, lambda: None, lambda: None)

    def repeat_for(self, statement: ast.For) -> None:
        """`for`: over a range a counting loop, over a loop source the loops of that source, over a tuple unrolled."""
        call = statement.iter
        known = self.evaluate(call.func).known if isinstance(call, ast.Call) else None
        if isinstance(known, LoopSource):
            assert isinstance(call, ast.Call)
            self.block(loops_of(self.program.source_of(known), statement, call))
            return
        if known is range or known is independent:
            assert isinstance(call, ast.Call)
            self._count(statement, call, known is independent)
        else:
            self._unrolled(statement)

    def _count(self, statement: ast.For, call: ast.Call, is_independent: bool) -> None:
        """`for i in range(start, stop, step)`: the index is the loop's own, whatever the body does to its variable."""
        bounds = [self._bound_of_range(argument) for argument in call.args]
        if not 1 <= len(bounds) <= 3 or call.keywords:
            raise Fault("range takes a stop, or start and stop, or start, stop and step")
        start = bounds[0].operand if len(bounds) > 1 else "0"
        stop = bounds[min(1, len(bounds) - 1)].operand
        step = bounds[2] if len(bounds) > 2 else None
        if step is not None and not step.is_known:
            raise Fault("the step of range must be a constant")
        # whether the loop goes up or down decides its test, so the step is known when compiling
        stride = 1 if step is None else int(step.known)
        if stride == 0:
            raise Fault("the step of range must not be zero")
        # an index of its own, apart from the variable: LLVM knows such loops, and the body may assign the variable
        state: dict[str, str] = {}

        def head(body: str, exit: str) -> bool:
            index, state["next"] = self.code.loop_index(start, state["entry"], state["again"])
            state["index"] = index
            going = self.code.emit(f"icmp {'slt' if stride > 0 else 'sgt'} i64 {index}, {stop}")
            self.code.branch(going, body, exit)
            return True

        outer, (access, again) = self.code.access_mark, self.program.loop_marks() if is_independent else ("", "")
        self.code.access_mark = access
        self._loop(
            statement,
            head,
            lambda: self.put(statement.target, Value(INTEGER, (state["index"],))),
            lambda: self.code.do(f"{state['next']} = add nsw i64 {state['index']}, {stride}"),
            state,
            again,
        )
        self.code.access_mark = outer

    def _bound_of_range(self, node: ast.expr) -> Value:
        """A bound of a counting loop; if it is wrong, it might be any integer."""
        try:
            value = self.evaluate(node)
            if value.type is INTEGER or value.type is BOOLEAN:
                return convert(self.code, value, INTEGER)
            raise Fault(f"range counts with integers, not with {value.type:a}")
        except (Fault, FaultsInside) as fault:
            self._report(fault, node)
            return Value(INTEGER, ("poison",), 1)

    def _loop(
        self,
        statement: ast.For | ast.While,
        head: Callable[[str, str], bool],
        begin: Callable[[], None],
        advance: Callable[[], None],
        state: dict[str, str] | None = None,
        mark: str = "",
    ) -> None:
        """Write a loop. If its body widens the type of a variable, write it again with the wider type.

        Args:
            statement: the loop.
            head: writes the test, a branch to the body or the exit; returns whether the exit can be reached.
            begin: what comes before the body in each round.
            advance: what comes after it.
            state: gets the labels of the block before the loop ("entry") and of the next round ("again").
            mark: of the jump to the next round.
        """
        before, start = self.scope.variables, self.code.position()
        found = len(self.returns), len(self.problems)
        earlier: list[Problem] = []
        widened: dict[str, Any] = {}
        while True:
            self.scope.variables = dict(before)
            self.scope.widen(widened)
            top, body, leave = self.code.label(), self.code.label(), self.code.label()
            loop = Loop(again=self.code.label(), end=self.code.label())
            at_head = dict(self.scope.variables)
            if state is not None:
                state.update(entry=self.code.block, again=loop.again)
            self.code.jump(top)
            self.code.start(top)
            can_end = head(body, leave)
            self._round(statement, loop, body, begin)
            wider = self.scope.widened(at_head, loop.back)
            if not wider:
                break
            widened |= wider
            self.code.rewind(start)
            earlier += self.problems[found[1] :]
            del self.returns[found[0] :], self.problems[found[1] :]
        # what was wrong with the narrower types is wrong, even if the wider ones hide it
        told = {problem.places for problem in self.problems[found[1] :]}
        self.problems += [problem for problem in earlier if problem.places not in told]
        after = self.scope.close_loop(at_head, loop.back)
        self.code.start(loop.again)
        advance()
        self.code.jump(top, mark)
        self._end(statement, loop, leave, after, can_end)

    def _round(self, statement: ast.For | ast.While, loop: Loop, body: str, begin: Callable[[], None]) -> None:
        """The body of a loop."""
        self.code.start(body)
        begin()
        self._loops.append(loop)
        self.block(statement.body)
        self._loops.pop()
        if self.code.is_reachable:
            loop.back.append(self.scope.leave())
            self.code.jump(loop.again)

    def _end(self, statement: ast.For | ast.While, loop: Loop, leave: str, after: Variables, can_end: bool) -> None:
        """Behind a loop: its else block if it ended by itself, joined by the edges that broke out of it."""
        if can_end:
            self.code.start(leave)
            self.scope.variables = dict(after)
            self.block(statement.orelse)
            if self.code.is_reachable:
                loop.out.append(self.scope.leave())
                self.code.jump(loop.end)
        self._arrive(loop.end, loop.out)

    def _unrolled(self, statement: ast.For) -> None:
        """A loop over a tuple: its body is written once for each element."""
        loop = Loop(again="", end=self.code.label())
        for value in self._elements_of(statement.iter):
            if not self.code.is_reachable:
                break
            loop.again, loop.back = self.code.label(), []
            self.put(statement.target, value)
            self._loops.append(loop)
            self.block(statement.body)
            self._loops.pop()
            if self.code.is_reachable:
                loop.back.append(self.scope.leave())
                self.code.jump(loop.again)
            self._arrive(loop.again, loop.back)
        if self.code.is_reachable:
            self.block(statement.orelse)
        if self.code.is_reachable:
            loop.out.append(self.scope.leave())
            self.code.jump(loop.end)
        self._arrive(loop.end, loop.out)

    def _elements_of(self, node: ast.expr) -> Sequence[Value]:
        """What a loop runs over; if that is wrong, one round with a broken value, to find problems of the body."""
        try:
            return self.sequence(node)
        except (Fault, FaultsInside) as fault:
            self._report(fault, node)
            return (BROKEN_VALUE,)

    def leave_loop(self, statement: ast.Break) -> None:
        """`break`."""
        loop = self._loops[-1]
        loop.out.append(self.scope.leave())
        self.code.jump(loop.end)

    def next_round(self, statement: ast.Continue) -> None:
        """`continue`."""
        loop = self._loops[-1]
        loop.back.append(self.scope.leave())
        self.code.jump(loop.again)


_STATEMENTS: dict[type[ast.AST], Callable[[Statements, Any], None]] = {
    ast.Expr: Statements.expression,
    ast.Pass: Statements.nothing,
    ast.Assign: Statements.assign,
    ast.AnnAssign: Statements.annotated_assign,
    ast.AugAssign: Statements.change,
    ast.Return: Statements.give_back,
    ast.If: Statements.branch,
    ast.While: Statements.repeat_while,
    ast.For: Statements.repeat_for,
    ast.Break: Statements.leave_loop,
    ast.Continue: Statements.next_round,
}
