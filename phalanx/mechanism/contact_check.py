"""Are the contacts of a simulation too stiff for its time step?"""

from __future__ import annotations

from phalanx.mechanism.contact_settings import ContactSettings
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import ContactStiffnessWarning, warn_user
from phalanx.memory.exclusive import check_idle
from phalanx.tables.enums import DisableBit
from phalanx.world.contact_origin import parameters_of
from phalanx.world.data import Data


@arguments_checked
def check_contacts(data: Data) -> list[str]:
    """What the time step of the model makes of the contacts that there are; call after forward.

    A contact that is too stiff for the time step makes its bodies shake. A time constant below two steps is raised by
    the option `refsafe`: the contact is softer than it is written. Each is warned of (`ContactStiffnessWarning`).

    Returns:
        One sentence for each pair of geoms.
    """
    check_idle(data)
    model, found = data.model, {}
    timestep, is_safe = float(model.opt.timestep), not model.opt.disableflags & DisableBit.REFSAFE
    geoms = data.contact_geom.reshape(-1, 2)
    # those of flexes have dofs of many bodies
    for ids in dict.fromkeys(map(tuple, geoms[(geoms >= 0).all(axis=1)].tolist())):
        # many contacts of two geoms have the same parameters: each pair is looked at once
        time = float(parameters_of(model, *ids)["solref"][0])
        problem = ""
        if not model.body_invweight0[model.geom_bodyid[list(ids)], 0].any():
            continue
        if is_safe and 0.0 < time < 2.0 * timestep:
            problem = (
                f"its time constant of {time:g} s acts as one of {2.0 * timestep:g} s, two time steps (refsafe): it is "
                "softer than written; take a smaller time step"
            )
        problem = problem or ContactSettings.of_geoms(model, *ids).too_stiff(timestep)
        if problem:
            found[ids] = (
                f"contact of {model.names.label('geom', ids[0])} and {model.names.label('geom', ids[1])}: {problem}"
            )
    for message in found.values():
        warn_user(message, ContactStiffnessWarning)
    return list(found.values())
