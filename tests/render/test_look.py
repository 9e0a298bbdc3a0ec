"""How pictures look: light, shadows, mirrors, see-through surfaces, textures, sky, fog, text."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.camera import Camera

DOWN = Camera(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-90)
SUN = '<light pos="0 0 5" dir="0 0 -1" directional="true" diffuse="1 1 1" specular="0 0 0"/>'
DARK = '<visual><headlight active="0"/></visual>'


def picture(world: str, assets: str = "", visual: str = DARK, camera: object = DOWN, **settings: object) -> np.ndarray:
    """A picture (33, 33, 3) of a world, seen from above."""
    xml = f"<mujoco>{visual}<asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>"
    data = phalanx.Model.from_xml_string(xml).make_data().forward()
    return data.render(33, 33, camera=camera, **settings).astype(int)


def floor(rgba: str = ".5 .5 .5 1") -> str:
    return f'<geom type="plane" size="3 3 .1" rgba="{rgba}"/>'


def test_light_that_falls_straight_gives_the_color_of_the_surface() -> None:
    assert (picture(floor(".2 .4 .6 1") + SUN)[5, 5] == (51, 102, 153)).all()


def test_light_that_falls_aslant_is_weaker_by_the_cosine() -> None:
    aslant = SUN.replace('dir="0 0 -1"', 'dir="0 1 -1"')
    assert picture(floor("1 1 1 1") + aslant)[5, 5, 0] == round(255 * np.sqrt(0.5))


def test_a_light_fades_with_distance() -> None:
    lamp = '<light pos="0 0 2" attenuation="0 0 1" cutoff="80" exponent="0" diffuse="1 1 1" specular="0 0 0"/>'
    assert abs(picture(floor("1 1 1 1") + lamp)[16, 16, 0] - 255 / 4) <= 1


def test_a_spot_lights_its_cone_only() -> None:
    lamp = '<light pos="0 0 2" dir="0 0 -1" cutoff="20" exponent="0" specular="0 0 0"/>'
    seen = picture(floor() + lamp)
    assert seen[16, 16, 0] > 50
    assert seen[2, 2, 0] == 0


def test_the_surface_emits_light() -> None:
    assets = '<material name="lamp" emission=".5" rgba="1 1 1 1"/>'
    assert (
        picture('<geom type="box" size="1 1 .1" material="lamp"/>' + SUN.replace("1 1 1", "0 0 0"), assets)[16, 16, 0]
        == 128
    )


def test_a_highlight_is_where_the_sun_is_mirrored() -> None:
    shiny = SUN.replace('specular="0 0 0"', 'specular="1 1 1"')
    assets = '<material name="shiny" specular="1" shininess="1" rgba="0 0 0 1"/>'
    seen = picture('<geom size="1" material="shiny"/>' + shiny, assets)[..., 0]
    assert seen[16, 16] > 200
    assert seen[16, 21] < 20


def test_a_shape_casts_a_shadow_where_it_hides_the_sun() -> None:
    ball = '<geom size=".3" pos="1 0 1"/>'
    aslant = SUN.replace('dir="0 0 -1"', 'dir="-1 0 -1"')
    lit, dark = picture(floor() + ball + aslant, show={"shadows": False}), picture(floor() + ball + aslant)
    assert lit[16, 16, 0] > 60
    assert dark[16, 16, 0] == 0
    np.testing.assert_array_equal(lit[4, 4], dark[4, 4])


def test_decor_casts_no_shadow() -> None:
    marks = phalanx.Marks()
    xml = f"<mujoco>{DARK}<worldbody>{floor()}{SUN.replace('0 0 -1', '-1 0 -1')}</worldbody></mujoco>"
    data = phalanx.Model.from_xml_string(xml).make_data().forward()
    plain = data.render(33, 33, camera=DOWN)
    marks.sphere("ball", (1, 0, 1), radius=0.3)
    drawn = data.render(33, 33, camera=DOWN, marks=marks)
    np.testing.assert_array_equal(drawn[16, 16], plain[16, 16])
    assert not np.array_equal(drawn, plain)


@pytest.mark.parametrize("mirror", ['type="plane" size="3 3 .1"', 'type="box" size="3 3 .1" pos="0 0 -.1"'])
def test_a_floor_reflects_what_stands_on_it(mirror: str) -> None:
    assets = '<material name="mirror" reflectance=".5" rgba="0 0 0 1" specular="0"/>'
    world = f'<geom {mirror} material="mirror"/><geom type="box" size=".5 .5 .5" pos="0 0 .5" rgba="1 1 1 1"/>'
    light = SUN.replace('dir="0 0 -1"', 'dir="0 1 -.2"')
    front = Camera(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-20)
    with_mirror = picture(world + light, assets, camera=front)
    without = picture(world + light, assets, camera=front, show={"reflections": False})
    assert (with_mirror - without).max() > 60
    # half of the light of the front, which is seen above
    assert abs(with_mirror[18, 16, 0] - without[14, 16, 0] / 2) <= 2


def test_colors_of_layers_mix_by_alpha() -> None:
    glass = '<geom type="box" size="1 1 .01" pos="0 0 {}" rgba="{} 0 0 {}"/>'
    world = floor("0 0 1 1") + glass.format(0.5, 1, 0.5) + glass.format(1, 1, 0.25) + SUN
    seen = picture(world, show={"shadows": False})[16, 16]
    # from above: a quarter red, then half of what is left, then the floor
    np.testing.assert_allclose(seen, [255 * (0.25 + 0.75 * 0.5), 0, 255 * 0.75 * 0.5], atol=1)


def test_a_plane_is_see_through_from_behind() -> None:
    up = Camera(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=60)
    headlight = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>'
    world = floor("1 0 0 1") + '<geom size=".5" pos="0 0 1" rgba="0 1 0 1"/>'
    # 0.3 of the plane, as in MuJoCo, and what is left of the sphere behind it
    center = picture(world, visual=headlight, camera=up)[11, 16]
    np.testing.assert_allclose(center, [0.3 * 255, 0.7 * 255, 0], atol=1)


def test_far_tiles_become_gray_instead_of_flickering() -> None:
    assets = (
        '<texture name="t" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="64" height="64"/>'
        '<material name="m" texture="t" texrepeat="40 40" texuniform="true" specular="0"/>'
    )
    headlight = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><map zfar="1000"/></visual>'
    flat = Camera(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=-8)
    seen = picture('<geom type="plane" size="0 0 .1" material="m"/>', assets, headlight, flat)[..., 0]
    assert (abs(seen[12:20] - 127) <= 3).all()


def test_a_flat_picture_lies_on_a_plane_the_right_way_up() -> None:
    """u runs along x and v against y, as in MuJoCo: the upper left of the picture is at -x and +y."""
    assets = '<texture name="t" type="2d" file="quarters.png"/><material name="m" texture="t" specular="0"/>'
    colors = np.zeros((8, 8, 3), np.uint8)
    colors[:4, :4], colors[:4, 4:], colors[4:, :4] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(colors).save(file, "png")
    headlight = '<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>'
    world = '<geom type="plane" size="1 1 .1" material="m"/>'
    xml = f"<mujoco>{headlight}<asset>{assets}</asset><worldbody>{world}</worldbody></mujoco>"
    model = phalanx.Model.from_xml_string(xml, assets={"quarters.png": file.getvalue()})
    seen = model.make_data().forward().render(33, 33, camera=DOWN)
    # from straight above and azimuth 90, x is to the right and y up
    assert seen[11, 11].tolist() == [255, 0, 0]
    assert seen[11, 21].tolist() == [0, 255, 0]
    assert seen[21, 11].tolist() == [0, 0, 255]
    assert seen[21, 21].tolist() == [0, 0, 0]


def test_the_sky_is_seen_where_nothing_else_is() -> None:
    assets = '<texture type="skybox" builtin="flat" rgb1=".2 .4 .6" rgb2="0 0 0" width="16" height="96"/>'
    level = Camera(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=0)
    seen = picture('<geom size=".1"/>', assets, camera=level)
    assert seen[2, 2].tolist() == [51, 102, 153]
    assert picture('<geom size=".1"/>', assets, camera=level, show={"skybox": False})[2, 2].tolist() == [0, 0, 0]


def test_fog_hides_what_is_far() -> None:
    fog = '<map fogstart="1" fogend="2"/><rgba fog="0 1 0 1"/>'
    visual = f'<visual><headlight ambient="1 1 1"/>{fog}</visual><statistic extent="1"/>'
    seen = picture(floor("1 0 0 1"), visual=visual, show={"fog": True})
    assert seen[16, 16].tolist() == [0, 255, 0]


def test_more_samples_give_smooth_edges() -> None:
    world = '<geom type="box" size=".7 .7 .1" euler="0 0 20" rgba="1 1 1 1"/>' + SUN
    assert len(np.unique(picture(world))) == 2
    smooth = picture(world, samples=4)
    assert 5 < len(np.unique(smooth)) <= 17


def test_without_any_light_there_is_some() -> None:
    assert picture(floor("1 1 1 1"))[5, 5, 0] == int(0.3 * 255 + 0.5)


def test_labels_are_written_over_the_picture() -> None:
    world = '<geom name="ball" size=".1" pos="0 0 0" rgba="0 0 0 1"/>'
    plain, labeled = picture(world), picture(world, show={"labels": "geom"})
    assert plain.max() == 0
    assert labeled[14:30, 14:].max() == 255


def test_skins_move_with_their_bones() -> None:
    skin = """<mujoco><statistic extent="1"/>
    <worldbody><body name="b" pos="0 0 .2"><joint type="slide" axis="1 0 0"/><geom size=".01"/></body></worldbody>
    <deformable><skin rgba="1 1 1 1" vertex="-.3 -.3 0 .3 -.3 0 .3 .3 0 -.3 .3 0" face="0 1 2 0 2 3">
    <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable>
    </mujoco>"""
    data = phalanx.Model.from_xml_string(skin).make_data().forward()
    middle = []
    for place in (-0.5, 0.5):
        data.qpos[0] = place
        seen = data.forward().render(33, 33, camera=DOWN, output="segmentation")[..., 1] == phalanx.enums.ObjType.SKIN
        middle.append(np.argwhere(seen)[:, 1].mean())
    assert middle[0] < 14 < 18 < middle[1]
