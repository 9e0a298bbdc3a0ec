"""Which geom, class, pair or option the parameters of a contact come from."""

import numpy as np
import pytest

import phalanx
from phalanx.world.contact_origin import PARAMETERS, pair_of, parameters_of

SCENE = """<mujoco>
  {option}
  <default>
    <geom friction=".8"/>
    <default class="sole"><geom solref=".01 1" solmix="3"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" margin=".01" {floor}/>
    <body pos="0 0 .099"><freejoint/><geom name="foot" class="sole" size=".1" friction=".5 .02" margin=".02"/></body>
  </worldbody>
  {pair}
</mujoco>"""


def explained(option: str = "", floor: str = "", pair: str = ""):
    spec = phalanx.Spec.from_string(SCENE.format(option=option, floor=floor, pair=pair))
    data = spec.compile().make_data().forward()
    return data, data.explain_contact(0, spec)


def test_geoms_of_one_priority_are_mixed():
    _, origin = explained()
    assert origin.geoms == ("geom 'floor'", "geom 'foot'")
    friction = origin["friction"]
    assert friction.value.tolist() == [0.8, 0.8, 0.02, 0.0001, 0.0001]
    assert friction.rule == "the larger one of each coefficient"
    assert [source.written for source in friction.sources] == ["from default class 'main'", "written on geom 'foot'"]
    solref = origin["solref"]
    assert [source.share for source in solref.sources] == [0.25, 0.75]
    assert solref.sources[1].written == "from default class 'sole'"
    mixed = sum(source.share * np.array(source.value) for source in solref.sources)
    np.testing.assert_allclose(solref.value, mixed, rtol=1e-15)
    assert origin["margin"].value == pytest.approx(0.03)
    assert origin["condim"].sources[0].written == "MJCF's default"
    assert "share 0.75, from default class 'sole'" in repr(origin)


def test_the_geom_of_higher_priority_decides_alone():
    _, origin = explained(floor='priority="1"')
    assert origin["friction"].rule == "geom 'floor' alone, which has the higher priority"
    assert origin["margin"].rule == "sum of both"


def test_a_stiffness_wins_over_a_time_constant():
    _, origin = explained(floor='solref="-1000 -10"')
    assert "the smaller of the two" in origin["solref"].rule
    assert origin["solref"].value.tolist() == [-1000.0, -10.0]


def test_a_pair_replaces_what_its_geoms_say():
    pair = '<contact><pair name="p" geom1="foot" geom2="floor" friction=".3" condim="4"/></contact>'
    data, origin = explained(pair=pair)
    assert origin.pair == "pair 'p'"
    assert origin["condim"].value == 4
    assert origin["friction"].rule == "pair 'p', whatever its geoms say"
    assert origin["friction"].sources[0].written == "written on pair 'p'"
    assert pair_of(data.model, 1, 0) == pair_of(data.model, 0, 1) == 0


def test_options_override_everything():
    _, origin = explained('<option o_friction=".1 .1 0 0 0"><flag override="enable"/></option>')
    assert origin["friction"].rule == "option o_friction, which overrides all contacts"
    assert origin["condim"].rule == "the larger of the two"


@pytest.mark.parametrize("floor", ["", 'priority="1"', 'solref="-100 -5"', 'solmix="0"', 'friction="2 1 1"'])
def test_parameters_of_two_geoms_are_those_of_their_contact(floor):
    data, _ = explained(floor=floor)
    found = parameters_of(data.model, 0, 1)
    for name, value in found.items():
        np.testing.assert_array_equal(value, getattr(data, f"contact_{name}")[0])


def test_without_a_spec_no_classes_are_named():
    data, _ = explained()
    origin = data.explain_contact(-1)
    assert all(not source.written for parameter in origin.values() for source in parameter.sources)
    assert set(origin) == set(PARAMETERS)
    with pytest.raises(phalanx.FieldError, match="contact 5 does not exist: there are 1"):
        data.explain_contact(5)
    with pytest.raises(phalanx.FieldError, match="did you mean 'friction'"):
        origin["fricton"]
