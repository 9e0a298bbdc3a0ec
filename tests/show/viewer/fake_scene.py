"""A scene of viser that only remembers: which nodes there are, and what was sent to them."""

from __future__ import annotations

from typing import Any


class FakeNode:
    """A node with the values that it was given."""

    def __init__(self, scene: FakeScene, name: str, kind: str, values: dict[str, Any]):
        self.__dict__.update(values, scene=scene, name=name, kind=kind, visible=True, sent=0)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["sent"] += 1
        self.__dict__[name] = value

    def remove(self) -> None:
        del self.scene.nodes[self.name]

    def on_click(self, function: Any) -> None:
        self.__dict__["click"] = function

    def on_drag(self, button: str, modifier: str | None = None) -> Any:
        return lambda function: self.__dict__.setdefault("drags", {}).update({modifier: function})


class FakeScene:
    """Remembers nodes by name; a name that is used again replaces the node."""

    def __init__(self) -> None:
        self.nodes: dict[str, FakeNode] = {}
        self.made = 0

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("add_"):
            return lambda *arguments, **options: None

        def add(node: str, *arguments: Any, **options: Any) -> FakeNode:
            self.made += 1
            self.nodes[node] = FakeNode(self, node, name.removeprefix("add_"), {"arguments": arguments, **options})
            return self.nodes[node]

        return add
