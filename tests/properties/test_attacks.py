"""The attacks with calls and files of newer input: quiet; and what they found once is not found again."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phalanx
from tools import attack_models
from tools.attacks import flex
from tools.attacks.run import MODEL


@pytest.mark.conformance
@pytest.mark.parametrize("area", ["task", "question", "web", "device"])
def test_calls_give_our_errors_only(area: str) -> None:
    found = importlib.import_module(f"tools.attacks.{area}").attack(31, 60.0)
    assert found == []


def test_damaged_deformables_give_our_errors_only() -> None:
    """Those that are refused; models that are accepted are stepped in the sweep."""
    for number in range(60):
        case = flex.case_of(number)
        assert flex.finding(case, use=flex.read) == ""


@pytest.mark.conformance
def test_damaged_deformables_are_stepped() -> None:
    assert flex.attack(31, 60.0) == []


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(MODEL.format(integrator="Euler"))


def test_a_field_without_elements_may_differ_between_worlds(model: phalanx.Model) -> None:
    batch = phalanx.BatchSim(model, 2, vary={"eq_data": np.ones((2, *model.eq_data.shape))})
    assert batch.vary["eq_data"].shape == (2, 0, 12)


def test_the_cell_whose_strain_is_held_is_the_same_in_all_worlds() -> None:
    held = attack_models.model("one strain")
    data = np.repeat(held.eq_data[None], 2, axis=0)
    phalanx.BatchSim(held, 2, vary={"eq_data": data})
    data[1, 0, 0] = 0.0
    with pytest.raises(phalanx.ModelError, match=r"world 1: eq_data\[0, 0\] is the place of a cell"):
        phalanx.BatchSim(held, 2, vary={"eq_data": data})
    with pytest.raises(phalanx.ModelError, match="eq_data"):
        held.replace(eq_data=held.eq_data + 5.0)


def test_what_is_held_by_name_answers_whatever_it_is_asked(model: phalanx.Model) -> None:
    data, batch = model.make_data().step(), phalanx.BatchSim(model, 2)
    rolled = phalanx.rollout(model, None, np.zeros((1, 2, model.nu)), outputs=("qpos",))
    for held in (data.snapshot(), batch.snapshot(), rolled, phalanx.models()):
        for odd in (np.zeros(3), [1], {}, None, 3, "nothing"):
            assert odd not in held
            assert held.get(odd) is None
            with pytest.raises(phalanx.UnknownNameError, match="there is no"):
                held[odd]
        again = pickle.loads(pickle.dumps(held))
        assert dict(again).keys() == dict(held).keys()
        assert held == dict(held)
        assert held != {**held, next(iter(held)): np.full(3, 7.0)}
    with pytest.raises(phalanx.FieldError, match="chosen by their index or by a column"):
        data.contacts()[np.array(["arm", "crate"])]
    assert np.zeros(3) not in phalanx.Marks()


def test_recordings_can_be_compared() -> None:
    one = phalanx.Recording(np.zeros(2), np.zeros(2), np.zeros((3, 1)), np.zeros((3, 1)))
    assert one == one
    assert one != phalanx.Recording(np.zeros(2), np.zeros(2), np.zeros((3, 1)), np.zeros((3, 1)))


@pytest.mark.parametrize("start", [None, 3, (1, 0, 0), np.zeros(3), np.array("x")])
def test_a_plan_needs_a_world_and_goals(model: phalanx.Model, start: Any) -> None:
    with pytest.raises(phalanx.FieldError, match="begins with a Data"):
        phalanx.ilqr(start, [])
    with pytest.raises(phalanx.FieldError, match="Goal"):
        phalanx.ilqr(model.make_data(), start)


@pytest.mark.parametrize("path", [None, 3, b"a", "b\0.phx", "x" * 300 + ".phx", "/proc/a.phx"], ids=repr)
def test_names_of_files_that_are_none(model: phalanx.Model, path: Any, tmp_path: Path) -> None:
    with pytest.raises(phalanx.ModelError):
        phalanx.export_image(model, tmp_path / path if isinstance(path, str) else path)
    with pytest.raises(phalanx.ModelError):
        phalanx.replay_html(model, None, path)
    with pytest.raises(phalanx.ModelError):
        phalanx.export_web(model, path)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("names", [2.5, print, slice(2), np.int8(2), np.array("x"), [1]])
def test_layers_and_plots_are_names(model: phalanx.Model, names: Any, tmp_path: Path) -> None:
    for option in ("layers", "plots"):
        with pytest.raises(phalanx.FieldError, match=option):
            phalanx.export_web(model, tmp_path / "a.html", **{option: names})
    with pytest.raises(phalanx.FieldError, match="show takes a Show"):
        phalanx.export_web(model, tmp_path / "a.html", show=names)
    with pytest.raises(phalanx.FieldError, match=r"begins with a phalanx\.Camera"):
        phalanx.export_web(model, tmp_path / "a.html", camera=names)


ODD = (np.zeros(3), np.array("x"), [1, 2], {}, 2.5, None, 3)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_questions_name_what_does_not_fit(model: phalanx.Model, odd: Any) -> None:
    data = model.make_data().step()
    for question in (
        lambda: data.transition(lanes=odd),
        lambda: data.parameter_derivatives("body_mass", lanes=odd),
        lambda: phalanx.ik(model, 0, (0, 0, 1), lanes=odd),
    ):
        with pytest.raises(phalanx.FieldError, match="lanes is 1, 2, 4, 8, 16"):
            question()
    with pytest.raises(phalanx.FieldError, match=r"wrt has|parameters are fields"):
        data.parameter_derivatives({3: None} if isinstance(odd, dict) else odd)
    renderer = phalanx.Renderer(model, 8, 6)
    with pytest.raises(phalanx.FieldError, match="a picture is of a Data"):
        renderer.render(odd)
    if odd is not None:
        with pytest.raises(phalanx.FieldError, match=r"marks is a phalanx\.Marks"):
            renderer.render(data, marks=odd)
        with pytest.raises(phalanx.FieldError, match=r"perturb is a phalanx\.Perturbation"):
            renderer.render(data, perturb=odd)


@pytest.mark.parametrize("joints", [np.array("x"), 3, print, [None]], ids=repr)
def test_joints_are_a_list_of_names(model: phalanx.Model, joints: Any) -> None:
    with pytest.raises(phalanx.UnknownNameError, match="a joint is given by its name or its id"):
        phalanx.ik(model, 0, (0, 0, 1), joints=joints)


@pytest.mark.parametrize("pose", [0.5, np.array(1.0), print], ids=repr)
def test_several_sites_have_several_poses(model: phalanx.Model, pose: Any) -> None:
    for options in ({"pose": pose}, {"pose": [(0, 0, 1), (0, 0, 1)], "weights": pose}):
        with pytest.raises(phalanx.PhalanxError):
            phalanx.ik(model, [0, 0], **options)


def test_bending_that_outweighs_all_mass_is_refused() -> None:
    text = attack_models.TEXTS["shell"].replace('thickness=".01"', 'thickness="1e20"')
    with pytest.raises(phalanx.ModelError, match="too large for its mass"):
        phalanx.Model.from_xml_string(text)


def test_inverse_kinematics_needs_a_pose(model: phalanx.Model) -> None:
    with pytest.raises(phalanx.FieldError, match="no pose"):
        phalanx.ik(model, 0, np.zeros((0, 3)))
