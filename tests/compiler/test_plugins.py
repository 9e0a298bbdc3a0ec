"""Plugins in model files: compiled fields, messages, ways in and out, attachments."""

from __future__ import annotations

import functools
import pickle

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.mesh import cache
from phalanx.tables.plugins import PluginType
from tests.compiler.compare import HULL_ORDER, differences, hulls_differ
from tests.conformance.plugin_models import SHAPES, shape_model

EXTENSION = """<extension><plugin plugin="mujoco.pid"/><plugin plugin="mujoco.sensor.touch_grid"/>
<plugin plugin="mujoco.sdf.gear"><instance name="ring"><config key="diameter" value="1.5"/></instance></plugin>
</extension>"""
#: Sections in another order than instances are numbered, shared instances and own ones.
MIXED = f"""<mujoco><sensor><plugin name="grid" plugin="mujoco.sensor.touch_grid" objtype="site" objname="s" cutoff="3"
user="1 2"><config key="size" value="3 4"/><config key="fov" value="20 30"/></plugin></sensor>
<actuator><general joint="j"/><plugin name="pid" joint="j" plugin="mujoco.pid" dyntype="filter" actdim="2" dynprm=".3"
actrange="-1 1" actearly="true" gear="2"><config key="kp" value="7"/><config key="slewmax" value="7"/></plugin>
</actuator>
<worldbody><body><joint name="j"/><geom type="sdf" mesh="m1"><plugin plugin="mujoco.sdf.gear">
<config key="diameter" value="1.1"/></plugin></geom><site name="s"/></body>
<body><geom type="sdf" mesh="m2"><plugin instance="ring"/></geom></body></worldbody>
<asset><mesh name="m1"><plugin plugin="mujoco.sdf.gear"><config key="diameter" value="1.2"/></plugin></mesh>
<mesh name="m2"><plugin instance="ring"/></mesh></asset>{EXTENSION}</mujoco>"""
ROWS = (
    "plugin_attr", "plugin_attradr", "plugin_stateadr", "plugin_statenum", "plugin_type", "plugin_config",
    "geom_plugin", "actuator_plugin", "sensor_plugin", "body_plugin", "sensor_dim", "actuator_actnum",
)  # fmt: skip


@functools.cache
def mixed() -> phalanx.Model:
    return phalanx.Model.from_xml_string(MIXED)


def same_rows(a: phalanx.Model, b: phalanx.Model) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ROWS) and np.array_equal(
        a.structure["plugin"], b.structure["plugin"]
    )


@pytest.mark.parametrize(
    "kind", [k if k == PluginType.GEAR else pytest.param(k, marks=pytest.mark.conformance) for k in SHAPES]
)
def test_the_mesh_of_a_shape_is_that_of_mujoco(kind):
    xml = shape_model(kind)
    ours, theirs = phalanx.Model.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    skip = HULL_ORDER
    if np.isnan(theirs.mesh_normal).any():
        # a vertex without triangles that have an area has no normal, neither here nor there
        np.testing.assert_allclose(ours.mesh_normal, theirs.mesh_normal, atol=1e-6)
        skip = (*skip, "mesh_normal")
    assert differences(ours, theirs, skip) == {}
    assert hulls_differ(ours, theirs) == []


def test_fields_of_all_kinds_are_those_of_mujoco():
    theirs = mujoco.MjModel.from_xml_string(MIXED)
    assert differences(mixed(), theirs, HULL_ORDER) == {}
    assert same_rows(mixed(), phalanx.Model.from_mujoco(theirs))


def test_a_mesh_is_made_once():
    cache.clear_memory()
    first = phalanx.Model.from_xml_string(MIXED.replace("m1", "mesh1"))
    again = phalanx.Model.from_xml_string(MIXED.replace("m1", "mesh1") + " ")
    assert np.array_equal(first.mesh_vert, again.mesh_vert)


def test_every_way_out_leads_back(tmp_path):
    model = mixed()
    written = phalanx.Model.from_xml_string(model.to_xml())
    assert same_rows(model, written) and np.array_equal(model.mesh_vert, written.mesh_vert)
    assert differences(written, mujoco.MjModel.from_xml_string(model.to_xml()), HULL_ORDER) == {}
    for suffix in ("npz", "mjb"):
        model.save(tmp_path / f"model.{suffix}")
        assert same_rows(model, phalanx.Model.load(tmp_path / f"model.{suffix}"))
    assert same_rows(model, pickle.loads(pickle.dumps(model)))
    assert same_rows(model, phalanx.Model.from_mujoco(model.to_mujoco()))
    spec = phalanx.Spec.from_string(MIXED)
    assert same_rows(model, phalanx.Model.from_xml_string(spec.to_xml()))


def test_attached_instances_get_the_prefix():
    child = b"""<mujoco model="c"><extension><plugin plugin="mujoco.pid"><instance name="a">
    <config key="kp" value="3"/></instance><instance name="unused"/></plugin></extension>
    <worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><plugin joint="j" instance="a"/></actuator></mujoco>"""
    xml = """<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="b" prefix="x_"/>
    <body pos="1 0 0"><attach model="c" body="b" prefix="y_"/></body></worldbody></mujoco>"""
    ours, theirs = (make.from_xml_string(xml, {"c.xml": child}) for make in (phalanx.Model, mujoco.MjModel))
    assert differences(ours, theirs) == {}
    assert ours.names.names["plugin"] == ("x_a", "y_a")


ARM = '<worldbody><body name="b"><joint name="j"/><geom size="1"/>{}</body></worldbody>'
GRID = '<plugin plugin="mujoco.sensor.touch_grid" objtype="{}" objname="b">{}</plugin>'
SIZES = '<config key="size" value="7 7"/><config key="fov" value="10 10"/>'


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<extension><plugin plugin="foo.bar"/></extension>', "plugin='foo.bar' is not known; there are mujoco.pid"),
        (ARM + '<actuator><plugin joint="j" plugin="mujoco.sdf.bolt"/></actuator>', "not declared in the extension"),
        (ARM + '<actuator><plugin joint="j"/></actuator>', "neither plugin nor instance is given"),
        (
            ARM + '<actuator><plugin joint="j" plugin="mujoco.pid"><config key="kq" value="1"/></plugin></actuator>',
            "mujoco.pid has no key 'kq'",
        ),
        (
            ARM + '<actuator><plugin joint="j" plugin="mujoco.pid"><config key="kp" value="x"/></plugin></actuator>',
            "kp is 'x', not a number",
        ),
        (
            ARM + '<actuator><plugin joint="j" plugin="mujoco.pid"><config key="ki" value="1"/></plugin></actuator>',
            'mujoco.pid has 1 activations here: give it actdim="1"',
        ),
        (
            ARM + '<actuator><plugin joint="j" plugin="mujoco.pid"><config key="kp" value="1"/>'
            '<config key="kp" value="2"/></plugin></actuator>',
            "key 'kp' is given twice",
        ),
        (ARM + '<actuator><plugin joint="j" instance="ring"/></actuator>', "is for signed distance fields"),
        (
            ARM + '<actuator><plugin joint="j" instance="ring"><config key="teeth" value="9"/></plugin></actuator>',
            "the configuration is that of instance 'ring'",
        ),
        (
            '<worldbody><geom size="1"><plugin plugin="mujoco.pid" instance="ring"/></geom></worldbody>',
            "instance 'ring' is one of mujoco.sdf.gear, not of mujoco.pid",
        ),
        (ARM.format('<plugin plugin="mujoco.pid"/>'), "mujoco.pid is for actuators, not for bodies"),
        ('<asset><mesh name="m" scale="2 2 2"><plugin instance="ring"/></mesh></asset>', "cannot be scaled"),
        ('<asset><mesh name="m" builtin="sphere" params="1"><plugin instance="ring"/></mesh></asset>', "both builtin"),
        ('<asset><mesh name="m"><plugin instance="king"/></mesh></asset>', "there is no such plugin"),
        (ARM + f"<sensor>{GRID.format('body', SIZES)}</sensor>", "is attached to a site"),
        (ARM + f"<sensor>{GRID.format('body', '')}</sensor>", "size is missing"),
    ],
)  # fmt: skip
def test_mistakes_are_named(inside, message):
    with pytest.raises(phalanx.MjcfError) as error:
        phalanx.Model.from_xml_string(f"<mujoco>{EXTENSION}{inside.replace('{}', '')}</mujoco>")
    assert message in str(error.value)


def test_plugins_are_part_of_the_structure():
    for name in ("plugin_attr", "plugin_config", "geom_plugin", "plugin_type"):
        with pytest.raises(phalanx.FieldError):
            mixed().replace(**{name: 0})


def test_damaged_plugins_are_refused(tmp_path):
    model = phalanx.Model.from_xml_string(f"""<mujoco>{EXTENSION}{ARM.format('<site name="b"/>')}
    <sensor>{GRID.format("site", SIZES)}</sensor></mujoco>""")
    for name, place, value in (("sensor_plugin", 0, 9), ("plugin_attradr", 1, 10**6), ("sensor_dim", 0, 4)):
        model.save(tmp_path / "model.npz")
        with np.load(tmp_path / "model.npz") as file:
            arrays = dict(file)
        arrays[name][place] = value
        np.savez(tmp_path / "damaged.npz", **arrays)
        with pytest.raises(phalanx.ModelError):
            phalanx.Model.load(tmp_path / "damaged.npz")


def test_an_unknown_plugin_is_announced():
    mjmodel = mujoco.MjModel.from_xml_string(MIXED)
    mjmodel.plugin[2] = 17
    model = phalanx.Model.from_mujoco(mjmodel)
    assert model.plugin_type[2] == -1
    with pytest.warns(phalanx.UnsupportedFeatureWarning, match="MuJoCo's plugin 17.*none of mujoco.pid"):
        model.make_data()
