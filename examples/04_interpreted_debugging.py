"""Interpreted: kernels are plain Python. A debugger can stop in them; here a profiler lists the stages of one step."""

import os
import sys
from types import FrameType

os.environ["PHALANX_INTERPRETED"] = "1"

import phalanx
from phalanx.algebra.vector import cross

XML = """
<mujoco model="pendulum">
  <worldbody>
    <body name="bob"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 -1"/></body>
  </worldbody>
</mujoco>
"""


class StageLister:
    """A profiler that notes every function of the pipeline that takes (m, d), with its depth."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.depth = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if code.co_varnames[: code.co_argcount] == ("m", "d") and "phalanx" in code.co_filename:
            if event == "call":
                self.stages.append("  " * self.depth + code.co_name)
            self.depth += {"call": 1, "return": -1}.get(event, 0)


def main() -> None:
    print("a kernel by hand:", cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))

    model = phalanx.Model.from_xml_string(XML)
    data = model.make_data()
    lister = StageLister()
    sys.setprofile(lister)
    data.step()
    sys.setprofile(None)
    print("\n".join(lister.stages))

    # a step of Euler's method: the new velocity moves the position
    assert "kinematics" in [stage.strip() for stage in lister.stages]
    assert data.qpos[0] == model.opt.timestep * data.qvel[0] != 0


if __name__ == "__main__":
    main()
