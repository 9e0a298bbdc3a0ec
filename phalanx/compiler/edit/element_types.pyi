"""Elements of a Spec. Written by `python -m tools.write_stubs` from the tables; do not edit."""

# ruff: noqa: E501 : lines are as long as the types in them
# fmt: off

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack, overload

import numpy as np

from phalanx.compiler.edit.typed_element import TypedElement
from phalanx.compiler.text.element import Element

Name = TypeVar("Name")

NumberLike = float | str | None
NumbersLike = float | Sequence[float] | np.ndarray | str | None
IntegerLike = int | str | None
IntegersLike = int | Sequence[int] | np.ndarray | str | None
FlagLike = bool | str | None
TextLike = str | None
WordsLike = str | Sequence[str] | None
ReferenceLike = str | Element | None

class Number:
    """A number, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> float | None: ...
    def __set__(self, owner: Any, value: NumberLike) -> None: ...

class Numbers:
    """Several numbers, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[float, ...] | None: ...
    def __set__(self, owner: Any, value: NumbersLike) -> None: ...

class Integer:
    """A whole number, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> int | None: ...
    def __set__(self, owner: Any, value: IntegerLike) -> None: ...

class Integers:
    """Several whole numbers, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[int, ...] | None: ...
    def __set__(self, owner: Any, value: IntegersLike) -> None: ...

class Flag:
    """True or false, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> bool | None: ...
    def __set__(self, owner: Any, value: FlagLike) -> None: ...

class Text:
    """A text, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> str | None: ...
    def __set__(self, owner: Any, value: TextLike) -> None: ...

class Words:
    """Several words, None if they are not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> tuple[str, ...] | None: ...
    def __set__(self, owner: Any, value: WordsLike) -> None: ...

class Reference:
    """The name of another element, None if it is not written. Such an element can be assigned as well."""

    def __get__(self, owner: Any, kind: Any = ...) -> str | None: ...
    def __set__(self, owner: Any, value: ReferenceLike) -> None: ...

class Word(Generic[Name]):
    """One of some words, None if it is not written."""

    def __get__(self, owner: Any, kind: Any = ...) -> Name | None: ...
    def __set__(self, owner: Any, value: Name | None) -> None: ...

class CompilerAttributes(TypedDict, total=False):
    autolimits: FlagLike
    boundmass: NumberLike
    boundinertia: NumberLike
    settotalmass: NumberLike
    balanceinertia: FlagLike
    strippath: FlagLike
    coordinate: Literal["local", "global"] | None
    angle: Literal["radian", "degree"] | None
    fitaabb: FlagLike
    eulerseq: TextLike
    meshdir: TextLike
    texturedir: TextLike
    discardvisual: FlagLike
    usethread: FlagLike
    fusestatic: FlagLike
    inertiafromgeom: Literal["false", "true", "auto"] | None
    inertiagrouprange: IntegersLike
    saveinertial: FlagLike
    savecompiled: FlagLike
    savecanonical: FlagLike
    assetdir: TextLike
    alignfree: FlagLike
    conflict: Literal["warning", "merge", "error"] | None
    passthrough: Literal["none", "textures"] | None

class CompilerLengthrangeAttributes(TypedDict, total=False):
    mode: Literal["none", "muscle", "muscleuser", "all"] | None
    useexisting: FlagLike
    uselimit: FlagLike
    accel: NumberLike
    maxforce: NumberLike
    timeconst: NumberLike
    timestep: NumberLike
    inttotal: NumberLike
    interval: NumberLike
    tolrange: NumberLike

class OptionAttributes(TypedDict, total=False):
    timestep: NumberLike
    impratio: NumberLike
    tolerance: NumberLike
    ls_tolerance: NumberLike
    noslip_tolerance: NumberLike
    ccd_tolerance: NumberLike
    sleep_tolerance: NumberLike
    gravity: NumbersLike
    wind: NumbersLike
    magnetic: NumbersLike
    density: NumberLike
    viscosity: NumberLike
    o_margin: NumberLike
    o_solref: NumbersLike
    o_solimp: NumbersLike
    o_friction: NumbersLike
    integrator: Literal["Euler", "RK4", "implicit", "implicitfast", "discrete"] | None
    cone: Literal["pyramidal", "elliptic"] | None
    jacobian: Literal["dense", "sparse", "auto"] | None
    solver: Literal["PGS", "CG", "Newton"] | None
    iterations: IntegerLike
    ls_iterations: IntegerLike
    noslip_iterations: IntegerLike
    ccd_iterations: IntegerLike
    sdf_iterations: IntegerLike
    sdf_initpoints: IntegerLike
    actuatorgroupdisable: IntegersLike

class OptionFlagAttributes(TypedDict, total=False):
    constraint: Literal["disable", "enable"] | None
    equality: Literal["disable", "enable"] | None
    frictionloss: Literal["disable", "enable"] | None
    limit: Literal["disable", "enable"] | None
    contact: Literal["disable", "enable"] | None
    spring: Literal["disable", "enable"] | None
    damper: Literal["disable", "enable"] | None
    gravity: Literal["disable", "enable"] | None
    clampctrl: Literal["disable", "enable"] | None
    warmstart: Literal["disable", "enable"] | None
    filterparent: Literal["disable", "enable"] | None
    actuation: Literal["disable", "enable"] | None
    refsafe: Literal["disable", "enable"] | None
    sensor: Literal["disable", "enable"] | None
    midphase: Literal["disable", "enable"] | None
    eulerdamp: Literal["disable", "enable"] | None
    autoreset: Literal["disable", "enable"] | None
    nativeccd: Literal["disable", "enable"] | None
    island: Literal["disable", "enable"] | None
    multiccd: Literal["disable", "enable"] | None
    override: Literal["disable", "enable"] | None
    energy: Literal["disable", "enable"] | None
    fwdinv: Literal["disable", "enable"] | None
    invdiscrete: Literal["disable", "enable"] | None
    sleep: Literal["disable", "enable"] | None
    diagexact: Literal["disable", "enable"] | None
    ipc: Literal["disable", "enable"] | None
    speculative: Literal["disable", "enable"] | None

class SizeAttributes(TypedDict, total=False):
    memory: TextLike
    njmax: IntegerLike
    nconmax: IntegerLike
    nstack: IntegerLike
    nuserdata: IntegerLike
    nkey: IntegerLike
    nuser_body: IntegerLike
    nuser_jnt: IntegerLike
    nuser_geom: IntegerLike
    nuser_site: IntegerLike
    nuser_cam: IntegerLike
    nuser_tendon: IntegerLike
    nuser_actuator: IntegerLike
    nuser_sensor: IntegerLike

class StatisticAttributes(TypedDict, total=False):
    meaninertia: NumberLike
    meanmass: NumberLike
    meansize: NumberLike
    extent: NumberLike
    center: NumbersLike

class VisualAttributes(TypedDict, total=False):
    pass

class VisualGlobalAttributes(TypedDict, total=False):
    cameraid: IntegerLike
    orthographic: FlagLike
    fovy: NumberLike
    ipd: NumberLike
    azimuth: NumberLike
    elevation: NumberLike
    linewidth: NumberLike
    glow: NumberLike
    offwidth: IntegerLike
    offheight: IntegerLike
    realtime: NumberLike
    ellipsoidinertia: FlagLike
    bvactive: FlagLike

class VisualQualityAttributes(TypedDict, total=False):
    shadowsize: IntegerLike
    offsamples: IntegerLike
    numslices: IntegerLike
    numstacks: IntegerLike
    numquads: IntegerLike

class VisualHeadlightAttributes(TypedDict, total=False):
    ambient: NumbersLike
    diffuse: NumbersLike
    specular: NumbersLike
    active: Literal["false", "true", "auto", "0", "1", "2"] | None

class VisualMapAttributes(TypedDict, total=False):
    stiffness: NumberLike
    stiffnessrot: NumberLike
    force: NumberLike
    torque: NumberLike
    alpha: NumberLike
    fogstart: NumberLike
    fogend: NumberLike
    znear: NumberLike
    zfar: NumberLike
    haze: NumberLike
    shadowclip: NumberLike
    shadowscale: NumberLike
    actuatortendon: NumberLike

class VisualScaleAttributes(TypedDict, total=False):
    forcewidth: NumberLike
    contactwidth: NumberLike
    contactheight: NumberLike
    connect: NumberLike
    com: NumberLike
    camera: NumberLike
    light: NumberLike
    selectpoint: NumberLike
    jointlength: NumberLike
    jointwidth: NumberLike
    actuatorlength: NumberLike
    actuatorwidth: NumberLike
    framelength: NumberLike
    framewidth: NumberLike
    constraint: NumberLike
    slidercrank: NumberLike
    frustum: NumberLike

class VisualRgbaAttributes(TypedDict, total=False):
    fog: NumbersLike
    haze: NumbersLike
    force: NumbersLike
    inertia: NumbersLike
    joint: NumbersLike
    actuator: NumbersLike
    actuatornegative: NumbersLike
    actuatorpositive: NumbersLike
    com: NumbersLike
    camera: NumbersLike
    light: NumbersLike
    selectpoint: NumbersLike
    connect: NumbersLike
    contactpoint: NumbersLike
    contactforce: NumbersLike
    contactfriction: NumbersLike
    contacttorque: NumbersLike
    contactgap: NumbersLike
    rangefinder: NumbersLike
    constraint: NumbersLike
    slidercrank: NumbersLike
    crankbroken: NumbersLike
    frustum: NumbersLike
    bv: NumbersLike
    bvactive: NumbersLike

class ExtensionAttributes(TypedDict, total=False):
    pass

class ExtensionPluginAttributes(TypedDict, total=False):
    plugin: TextLike

class ExtensionPluginInstanceAttributes(TypedDict, total=False):
    name: TextLike

class ConfigAttributes(TypedDict, total=False):
    key: TextLike
    value: TextLike

class PluginAttributes(TypedDict, total=False):
    plugin: TextLike
    instance: ReferenceLike

class AssetAttributes(TypedDict, total=False):
    pass

class AssetMeshAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    content_type: TextLike
    file: TextLike
    vertex: NumbersLike
    normal: NumbersLike
    texcoord: NumbersLike
    face: IntegersLike
    refpos: NumbersLike
    refquat: NumbersLike
    scale: NumbersLike
    smoothnormal: FlagLike
    maxhullvert: IntegerLike
    inertia: Literal["convex", "exact", "legacy", "shell"] | None
    builtin: Literal["none", "sphere", "hemisphere", "cone", "supertorus", "supersphere", "wedge", "plate", "grid", "box", "cylinder", "ellipsoid", "square", "disc"] | None
    params: NumbersLike
    material: ReferenceLike

class AssetHfieldAttributes(TypedDict, total=False):
    name: TextLike
    content_type: TextLike
    file: TextLike
    nrow: IntegerLike
    ncol: IntegerLike
    size: NumbersLike
    elevation: NumbersLike

class AssetSkinAttributes(TypedDict, total=False):
    name: TextLike
    file: TextLike
    material: ReferenceLike
    rgba: NumbersLike
    inflate: NumberLike
    vertex: NumbersLike
    texcoord: NumbersLike
    face: IntegersLike
    group: IntegerLike

class AssetSkinBoneAttributes(TypedDict, total=False):
    body: ReferenceLike
    bindpos: NumbersLike
    bindquat: NumbersLike
    vertid: IntegersLike
    vertweight: NumbersLike

class AssetTextureAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    type: Literal["2d", "cube", "skybox"] | None
    colorspace: Literal["auto", "linear", "sRGB"] | None
    content_type: TextLike
    file: TextLike
    gridsize: IntegersLike
    gridlayout: TextLike
    fileright: TextLike
    fileleft: TextLike
    fileup: TextLike
    filedown: TextLike
    filefront: TextLike
    fileback: TextLike
    builtin: Literal["none", "gradient", "checker", "flat"] | None
    rgb1: NumbersLike
    rgb2: NumbersLike
    mark: Literal["none", "edge", "cross", "random"] | None
    markrgb: NumbersLike
    random: NumberLike
    width: IntegerLike
    height: IntegerLike
    hflip: FlagLike
    vflip: FlagLike
    nchannel: IntegerLike
    embed: FlagLike

class AssetMaterialAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    texture: ReferenceLike
    texrepeat: NumbersLike
    texuniform: FlagLike
    emission: NumberLike
    specular: NumberLike
    shininess: NumberLike
    reflectance: NumberLike
    metallic: NumberLike
    roughness: NumberLike
    rgba: NumbersLike

class AssetMaterialLayerAttributes(TypedDict, total=False):
    texture: ReferenceLike
    role: Literal["rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "rgba", "orm"] | None

class AssetModelAttributes(TypedDict, total=False):
    name: TextLike
    file: TextLike
    content_type: TextLike

class WorldbodyAttributes(TypedDict, total=False):
    pass

class BodyAttributes(TypedDict, total=False):
    name: TextLike
    childclass: ReferenceLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    mocap: FlagLike
    gravcomp: NumberLike
    sleep: Literal["auto", "never", "allowed", "init"] | None
    simple: Literal["false", "auto"] | None
    fuse: Literal["false", "auto"] | None
    user: NumbersLike

class FrameAttributes(TypedDict, total=False):
    name: TextLike
    childclass: ReferenceLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    scale: NumbersLike
    scaling: Literal["similar", "geometry"] | None
    massscale: NumberLike

class ReplicateAttributes(TypedDict, total=False):
    childclass: ReferenceLike
    count: IntegerLike
    sep: TextLike
    offset: NumbersLike
    euler: NumbersLike

class AttachAttributes(TypedDict, total=False):
    model: ReferenceLike
    body: TextLike
    frame: TextLike
    prefix: TextLike

class InertialAttributes(TypedDict, total=False):
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    mass: NumberLike
    diaginertia: NumbersLike
    fullinertia: NumbersLike

class JointAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    type: Literal["free", "ball", "slide", "hinge"] | None
    group: IntegerLike
    pos: NumbersLike
    axis: NumbersLike
    springdamper: NumbersLike
    limited: Literal["false", "true", "auto"] | None
    actuatorfrclimited: Literal["false", "true", "auto"] | None
    solreflimit: NumbersLike
    solimplimit: NumbersLike
    solreffriction: NumbersLike
    solimpfriction: NumbersLike
    stiffness: NumbersLike
    range: NumbersLike
    actuatorfrcrange: NumbersLike
    actuatorgravcomp: FlagLike
    margin: NumberLike
    ref: NumberLike
    springref: NumberLike
    springyield: NumberLike
    armature: NumberLike
    damping: NumbersLike
    frictionloss: NumberLike
    user: NumbersLike

class FreejointAttributes(TypedDict, total=False):
    name: TextLike
    group: IntegerLike
    align: Literal["false", "true", "auto"] | None

class GeomAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    type: Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"] | None
    contype: IntegerLike
    conaffinity: IntegerLike
    condim: IntegerLike
    group: IntegerLike
    priority: IntegerLike
    size: NumbersLike
    material: ReferenceLike
    friction: NumbersLike
    mass: NumberLike
    density: NumberLike
    shellinertia: FlagLike
    solmix: NumberLike
    solref: NumbersLike
    solimp: NumbersLike
    margin: NumberLike
    gap: NumberLike
    surfacevel: NumbersLike
    adhesion: NumberLike
    fromto: NumbersLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    hfield: ReferenceLike
    mesh: ReferenceLike
    fitscale: NumberLike
    rgba: NumbersLike
    castshadow: FlagLike
    fluidshape: Literal["none", "ellipsoid"] | None
    fluidcoef: NumbersLike
    user: NumbersLike

class SiteAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    type: Literal["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"] | None
    group: IntegerLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    material: ReferenceLike
    mesh: ReferenceLike
    size: NumbersLike
    fromto: NumbersLike
    rgba: NumbersLike
    user: NumbersLike

class CameraAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    projection: Literal["perspective", "orthographic"] | None
    fovy: NumberLike
    ipd: NumberLike
    resolution: IntegersLike
    output: WordsLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    mode: Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"] | None
    target: ReferenceLike
    focal: NumbersLike
    focalpixel: NumbersLike
    principal: NumbersLike
    principalpixel: NumbersLike
    sensorsize: NumbersLike
    user: NumbersLike

class LightAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    directional: FlagLike
    type: Literal["spot", "directional", "point", "image"] | None
    castshadow: FlagLike
    active: FlagLike
    pos: NumbersLike
    dir: NumbersLike
    bulbradius: NumberLike
    intensity: NumberLike
    range: NumberLike
    attenuation: NumbersLike
    cutoff: NumberLike
    softness: NumberLike
    exponent: NumberLike
    ambient: NumbersLike
    diffuse: NumbersLike
    specular: NumbersLike
    mode: Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"] | None
    target: ReferenceLike
    texture: ReferenceLike

class DeformableAttributes(TypedDict, total=False):
    pass

class FlexcompAttributes(TypedDict, total=False):
    name: TextLike
    type: Literal["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "gmsh", "direct"] | None
    group: IntegerLike
    dim: IntegerLike
    radius: NumberLike
    material: WordsLike
    rgba: NumbersLike
    flatskin: FlagLike
    dof: Literal["full", "radial", "trilinear", "quadratic", "2d"] | None
    count: IntegersLike
    cellcount: IntegersLike
    spacing: NumbersLike
    rigid: FlagLike
    mass: NumberLike
    inertiabox: NumberLike
    scale: NumbersLike
    file: TextLike
    mesh: ReferenceLike
    point: NumbersLike
    element: IntegersLike
    texcoord: NumbersLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    origin: NumbersLike

class FlexcompEdgeAttributes(TypedDict, total=False):
    equality: Literal["false", "true", "strain"] | None
    solref: NumbersLike
    solimp: NumbersLike
    stiffness: NumberLike
    damping: NumberLike

class FlexcompElasticityAttributes(TypedDict, total=False):
    young: NumberLike
    poisson: NumberLike
    shear: NumberLike
    damping: NumberLike
    thickness: NumberLike
    yield_: NumbersLike
    elastic2d: Literal["none", "bend", "stretch", "both"] | None
    section: Literal["circle", "box"] | None
    sectionsize: NumbersLike

class FlexcompContactAttributes(TypedDict, total=False):
    contype: IntegerLike
    conaffinity: IntegerLike
    condim: IntegerLike
    priority: IntegerLike
    friction: NumbersLike
    solmix: NumberLike
    solref: NumbersLike
    solimp: NumbersLike
    margin: NumberLike
    gap: NumberLike
    selfcollide: Literal["none", "narrow", "bvh", "sap", "auto"] | None
    activelayers: IntegerLike
    passive: FlagLike

class FlexcompPinAttributes(TypedDict, total=False):
    id: IntegersLike
    range: IntegersLike
    grid: IntegersLike
    gridrange: IntegersLike

class DeformableFlexAttributes(TypedDict, total=False):
    name: TextLike
    group: IntegerLike
    dim: IntegerLike
    radius: NumberLike
    material: WordsLike
    rgba: NumbersLike
    flatskin: FlagLike
    body: WordsLike
    vertex: NumbersLike
    element: IntegersLike
    texcoord: NumbersLike
    elemtexcoord: IntegersLike
    node: WordsLike
    nodecoord: NumbersLike
    cellcount: IntegersLike
    dof: Literal["full", "radial", "trilinear", "quadratic", "2d"] | None

class DeformableFlexEdgeAttributes(TypedDict, total=False):
    stiffness: NumberLike
    damping: NumberLike

class ContactAttributes(TypedDict, total=False):
    pass

class ContactPairAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    geom1: ReferenceLike
    geom2: ReferenceLike
    condim: IntegerLike
    friction: NumbersLike
    solref: NumbersLike
    solreffriction: NumbersLike
    solimp: NumbersLike
    gap: NumberLike
    margin: NumberLike
    adhesion: NumberLike

class ContactExcludeAttributes(TypedDict, total=False):
    name: TextLike
    body1: ReferenceLike
    body2: ReferenceLike

class EqualityAttributes(TypedDict, total=False):
    pass

class EqualityConnectAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    body1: ReferenceLike
    body2: ReferenceLike
    anchor: NumbersLike
    site1: ReferenceLike
    site2: ReferenceLike

class EqualityWeldAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    body1: ReferenceLike
    body2: ReferenceLike
    relpose: NumbersLike
    anchor: NumbersLike
    site1: ReferenceLike
    site2: ReferenceLike
    torquescale: NumberLike

class EqualityJointAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    joint1: ReferenceLike
    joint2: ReferenceLike
    polycoef: NumbersLike

class EqualityTendonAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    tendon1: ReferenceLike
    tendon2: ReferenceLike
    polycoef: NumbersLike

class EqualityFlexAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    flex: ReferenceLike

class EqualityFlexstrainAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike
    flex: ReferenceLike
    cell: IntegersLike

class TendonAttributes(TypedDict, total=False):
    pass

class TendonSpatialAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    limited: Literal["false", "true", "auto"] | None
    actuatorfrclimited: Literal["false", "true", "auto"] | None
    range: NumbersLike
    actuatorfrcrange: NumbersLike
    solreflimit: NumbersLike
    solimplimit: NumbersLike
    solreffriction: NumbersLike
    solimpfriction: NumbersLike
    frictionloss: NumberLike
    springlength: NumbersLike
    springyield: NumberLike
    width: NumberLike
    material: ReferenceLike
    margin: NumberLike
    stiffness: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    rgba: NumbersLike
    user: NumbersLike

class TendonSpatialSiteAttributes(TypedDict, total=False):
    site: ReferenceLike

class TendonSpatialGeomAttributes(TypedDict, total=False):
    geom: ReferenceLike
    sidesite: ReferenceLike

class TendonSpatialPulleyAttributes(TypedDict, total=False):
    divisor: NumberLike

class TendonFixedAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    limited: Literal["false", "true", "auto"] | None
    actuatorfrclimited: Literal["false", "true", "auto"] | None
    range: NumbersLike
    actuatorfrcrange: NumbersLike
    solreflimit: NumbersLike
    solimplimit: NumbersLike
    solreffriction: NumbersLike
    solimpfriction: NumbersLike
    frictionloss: NumberLike
    springlength: NumbersLike
    springyield: NumberLike
    margin: NumberLike
    stiffness: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    user: NumbersLike

class TendonFixedJointAttributes(TypedDict, total=False):
    joint: ReferenceLike
    coef: NumberLike

class KeyframeAttributes(TypedDict, total=False):
    pass

class KeyframeKeyAttributes(TypedDict, total=False):
    name: TextLike
    time: NumberLike
    qpos: NumbersLike
    qvel: NumbersLike
    act: NumbersLike
    mpos: NumbersLike
    mquat: NumbersLike
    ctrl: NumbersLike
    plastic: NumbersLike

class CustomAttributes(TypedDict, total=False):
    pass

class CustomNumericAttributes(TypedDict, total=False):
    name: TextLike
    size: IntegerLike
    data: NumbersLike

class CustomTextAttributes(TypedDict, total=False):
    name: TextLike
    data: TextLike

class CustomTupleAttributes(TypedDict, total=False):
    name: TextLike

class CustomTupleElementAttributes(TypedDict, total=False):
    objtype: TextLike
    objname: ReferenceLike
    prm: NumberLike

class ActuatorAttributes(TypedDict, total=False):
    pass

class ActuatorGeneralAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    actlimited: Literal["false", "true", "auto"] | None
    actrange: NumbersLike
    body: ReferenceLike
    actdim: IntegerLike
    input: TextLike
    velrange: NumbersLike
    ffrange: NumbersLike
    inheritrange: NumberLike
    dyntype: Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"] | None
    gaintype: Literal["fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user", "hill"] | None
    biastype: Literal["none", "affine", "muscle", "dcmotor", "so3", "user"] | None
    dynprm: NumbersLike
    gainprm: NumbersLike
    biasprm: NumbersLike
    actearly: FlagLike

class ActuatorMotorAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike

class ActuatorPositionAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    inheritrange: NumberLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    timeconst: NumberLike

class ActuatorVelocityAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    kv: NumberLike

class ActuatorIntvelocityAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    actlimited: Literal["false", "true", "auto"] | None
    actrange: NumbersLike
    inheritrange: NumberLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike

class ActuatorOrientationAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    joint: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    input: TextLike

class ActuatorPidAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    inheritrange: NumberLike
    velrange: NumbersLike
    ffrange: NumbersLike
    posrange: NumbersLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    ki: NumberLike
    imax: NumberLike
    slewmax: NumberLike
    input: TextLike

class ActuatorDamperAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    kv: NumberLike

class ActuatorCylinderAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    timeconst: NumberLike
    area: NumberLike
    diameter: NumberLike
    bias: NumbersLike

class ActuatorMuscleAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    timeconst: NumbersLike
    tausmooth: NumberLike
    range: NumbersLike
    force: NumberLike
    scale: NumberLike
    lmin: NumberLike
    lmax: NumberLike
    vmax: NumberLike
    fpmax: NumberLike
    fvmax: NumberLike

class ActuatorAdhesionAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    body: ReferenceLike
    gain: NumberLike

class ActuatorDcmotorAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    refsite: ReferenceLike
    motorconst: NumbersLike
    resistance: NumberLike
    nominal: NumbersLike
    saturation: NumbersLike
    inductance: NumbersLike
    cogging: NumbersLike
    controller: NumbersLike
    thermal: NumbersLike
    lugre: NumbersLike
    input: TextLike

class ActuatorPluginAttributes(TypedDict, total=False):
    name: TextLike
    class_: ReferenceLike
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    lengthrange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    joint: ReferenceLike
    jointinparent: ReferenceLike
    tendon: ReferenceLike
    slidersite: ReferenceLike
    cranksite: ReferenceLike
    site: ReferenceLike
    actlimited: Literal["false", "true", "auto"] | None
    actrange: NumbersLike
    plugin: TextLike
    instance: ReferenceLike
    actdim: IntegerLike
    dyntype: Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"] | None
    dynprm: NumbersLike
    actearly: FlagLike

class SensorAttributes(TypedDict, total=False):
    pass

class SensorTouchAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorAccelerometerAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorVelocimeterAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorGyroAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorForceAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorTorqueAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorMagnetometerAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike

class SensorJointposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorJointvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorTendonposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorTendonvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorActuatorposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    actuator: ReferenceLike

class SensorActuatorvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    actuator: ReferenceLike

class SensorActuatorfrcAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    actuator: ReferenceLike

class SensorJointactuatorfrcAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorTendonactuatorfrcAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorBallquatAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorBallangvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorJointlimitposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorJointlimitvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorJointlimitfrcAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    joint: ReferenceLike

class SensorTendonlimitposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorTendonlimitvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorTendonlimitfrcAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    tendon: ReferenceLike

class SensorSubtreecomAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    body: ReferenceLike

class SensorSubtreelinvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    body: ReferenceLike

class SensorSubtreeangmomAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    body: ReferenceLike

class SensorFrameposAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFramequatAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFramexaxisAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFrameyaxisAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFramezaxisAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFramelinvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFrameangvelAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    reftype: Literal["body", "xbody", "geom", "site", "camera"] | None
    refname: ReferenceLike

class SensorFramelinaccAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike

class SensorFrameangaccAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike

class SensorCamprojectionAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike
    camera: ReferenceLike

class SensorRangefinderAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike
    camera: ReferenceLike
    data: WordsLike

class SensorInsidesiteAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    site: ReferenceLike
    objtype: Literal["body", "xbody", "geom", "site", "camera"] | None
    objname: ReferenceLike
    enclosed: FlagLike

class SensorDistanceAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    geom1: ReferenceLike
    geom2: ReferenceLike
    body1: ReferenceLike
    body2: ReferenceLike

class SensorNormalAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    geom1: ReferenceLike
    geom2: ReferenceLike
    body1: ReferenceLike
    body2: ReferenceLike

class SensorFromtoAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    geom1: ReferenceLike
    geom2: ReferenceLike
    body1: ReferenceLike
    body2: ReferenceLike

class SensorContactAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    geom1: ReferenceLike
    geom2: ReferenceLike
    body1: ReferenceLike
    body2: ReferenceLike
    subtree1: ReferenceLike
    subtree2: ReferenceLike
    site: ReferenceLike
    num: IntegerLike
    data: WordsLike
    reduce: Literal["none", "mindist", "maxforce", "netforce"] | None

class SensorE_potentialAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike

class SensorE_kineticAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike

class SensorClockAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike

class SensorTactileAttributes(TypedDict, total=False):
    name: TextLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    interval: NumbersLike
    cutoff: NumberLike
    user: NumbersLike
    geom: ReferenceLike
    mesh: ReferenceLike

class SensorPluginAttributes(TypedDict, total=False):
    name: TextLike
    cutoff: NumberLike
    user: NumbersLike
    plugin: TextLike
    instance: ReferenceLike
    objtype: TextLike
    objname: ReferenceLike
    reftype: TextLike
    refname: ReferenceLike

class SensorUserAttributes(TypedDict, total=False):
    name: TextLike
    cutoff: NumberLike
    noise: NumberLike
    user: NumbersLike
    objtype: TextLike
    objname: ReferenceLike
    datatype: Literal["real", "positive", "axis", "quaternion"] | None
    needstage: Literal["none", "pos", "vel", "acc"] | None
    dim: IntegerLike

class MujocoAttributes(TypedDict, total=False):
    model: TextLike

class DefaultAttributes(TypedDict, total=False):
    class_: TextLike

class IncludeAttributes(TypedDict, total=False):
    file: TextLike

class DefaultMeshAttributes(TypedDict, total=False):
    scale: NumbersLike
    maxhullvert: IntegerLike
    inertia: Literal["convex", "exact", "legacy", "shell"] | None

class DefaultTextureAttributes(TypedDict, total=False):
    type: Literal["2d", "cube", "skybox"] | None
    colorspace: Literal["auto", "linear", "sRGB"] | None
    gridsize: IntegersLike
    gridlayout: TextLike
    builtin: Literal["none", "gradient", "checker", "flat"] | None
    rgb1: NumbersLike
    rgb2: NumbersLike
    mark: Literal["none", "edge", "cross", "random"] | None
    markrgb: NumbersLike
    random: NumberLike
    width: IntegerLike
    height: IntegerLike
    hflip: FlagLike
    vflip: FlagLike
    nchannel: IntegerLike
    embed: FlagLike

class DefaultMaterialAttributes(TypedDict, total=False):
    texture: ReferenceLike
    texrepeat: NumbersLike
    texuniform: FlagLike
    emission: NumberLike
    specular: NumberLike
    shininess: NumberLike
    reflectance: NumberLike
    metallic: NumberLike
    roughness: NumberLike
    rgba: NumbersLike

class DefaultJointAttributes(TypedDict, total=False):
    type: Literal["free", "ball", "slide", "hinge"] | None
    group: IntegerLike
    pos: NumbersLike
    axis: NumbersLike
    springdamper: NumbersLike
    limited: Literal["false", "true", "auto"] | None
    actuatorfrclimited: Literal["false", "true", "auto"] | None
    solreflimit: NumbersLike
    solimplimit: NumbersLike
    solreffriction: NumbersLike
    solimpfriction: NumbersLike
    stiffness: NumbersLike
    range: NumbersLike
    actuatorfrcrange: NumbersLike
    actuatorgravcomp: FlagLike
    margin: NumberLike
    ref: NumberLike
    springref: NumberLike
    springyield: NumberLike
    armature: NumberLike
    damping: NumbersLike
    frictionloss: NumberLike
    user: NumbersLike

class DefaultGeomAttributes(TypedDict, total=False):
    type: Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"] | None
    contype: IntegerLike
    conaffinity: IntegerLike
    condim: IntegerLike
    group: IntegerLike
    priority: IntegerLike
    size: NumbersLike
    material: ReferenceLike
    friction: NumbersLike
    mass: NumberLike
    density: NumberLike
    shellinertia: FlagLike
    solmix: NumberLike
    solref: NumbersLike
    solimp: NumbersLike
    margin: NumberLike
    gap: NumberLike
    surfacevel: NumbersLike
    adhesion: NumberLike
    fromto: NumbersLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    hfield: ReferenceLike
    mesh: ReferenceLike
    fitscale: NumberLike
    rgba: NumbersLike
    castshadow: FlagLike
    fluidshape: Literal["none", "ellipsoid"] | None
    fluidcoef: NumbersLike
    user: NumbersLike

class DefaultSiteAttributes(TypedDict, total=False):
    type: Literal["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"] | None
    group: IntegerLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    material: ReferenceLike
    mesh: ReferenceLike
    size: NumbersLike
    fromto: NumbersLike
    rgba: NumbersLike
    user: NumbersLike

class DefaultCameraAttributes(TypedDict, total=False):
    projection: Literal["perspective", "orthographic"] | None
    fovy: NumberLike
    ipd: NumberLike
    resolution: IntegersLike
    output: WordsLike
    pos: NumbersLike
    quat: NumbersLike
    axisangle: NumbersLike
    xyaxes: NumbersLike
    zaxis: NumbersLike
    euler: NumbersLike
    mode: Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"] | None
    focal: NumbersLike
    focalpixel: NumbersLike
    principal: NumbersLike
    principalpixel: NumbersLike
    sensorsize: NumbersLike
    user: NumbersLike

class DefaultLightAttributes(TypedDict, total=False):
    directional: FlagLike
    type: Literal["spot", "directional", "point", "image"] | None
    castshadow: FlagLike
    active: FlagLike
    pos: NumbersLike
    dir: NumbersLike
    bulbradius: NumberLike
    intensity: NumberLike
    range: NumberLike
    attenuation: NumbersLike
    cutoff: NumberLike
    softness: NumberLike
    exponent: NumberLike
    ambient: NumbersLike
    diffuse: NumbersLike
    specular: NumbersLike
    mode: Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"] | None

class DefaultPairAttributes(TypedDict, total=False):
    condim: IntegerLike
    friction: NumbersLike
    solref: NumbersLike
    solreffriction: NumbersLike
    solimp: NumbersLike
    gap: NumberLike
    margin: NumberLike
    adhesion: NumberLike

class DefaultGeneralAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    actlimited: Literal["false", "true", "auto"] | None
    actrange: NumbersLike
    actdim: IntegerLike
    input: TextLike
    velrange: NumbersLike
    ffrange: NumbersLike
    inheritrange: NumberLike
    dyntype: Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"] | None
    gaintype: Literal["fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user", "hill"] | None
    biastype: Literal["none", "affine", "muscle", "dcmotor", "so3", "user"] | None
    dynprm: NumbersLike
    gainprm: NumbersLike
    biasprm: NumbersLike
    actearly: FlagLike

class DefaultMotorAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike

class DefaultPositionAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    inheritrange: NumberLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    timeconst: NumberLike

class DefaultVelocityAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    kv: NumberLike

class DefaultIntvelocityAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    actlimited: Literal["false", "true", "auto"] | None
    actrange: NumbersLike
    inheritrange: NumberLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike

class DefaultOrientationAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    input: TextLike

class DefaultPidAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    inheritrange: NumberLike
    velrange: NumbersLike
    ffrange: NumbersLike
    posrange: NumbersLike
    kp: NumberLike
    kv: NumberLike
    dampratio: NumberLike
    ki: NumberLike
    imax: NumberLike
    slewmax: NumberLike
    input: TextLike

class DefaultDamperAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    kv: NumberLike

class DefaultCylinderAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    timeconst: NumberLike
    area: NumberLike
    diameter: NumberLike
    bias: NumbersLike

class DefaultMuscleAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    timeconst: NumbersLike
    range: NumbersLike
    force: NumberLike
    scale: NumberLike
    lmin: NumberLike
    lmax: NumberLike
    vmax: NumberLike
    fpmax: NumberLike
    fvmax: NumberLike

class DefaultAdhesionAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    forcelimited: Literal["false", "true", "auto"] | None
    forcerange: NumbersLike
    gain: NumberLike

class DefaultDcmotorAttributes(TypedDict, total=False):
    group: IntegerLike
    nsample: IntegerLike
    interp: Literal["zoh", "linear", "cubic"] | None
    delay: NumberLike
    ctrlrange: NumbersLike
    user: NumbersLike
    ctrllimited: Literal["false", "true", "auto"] | None
    gear: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    cranklength: NumberLike
    motorconst: NumbersLike
    resistance: NumberLike
    nominal: NumbersLike
    saturation: NumbersLike
    inductance: NumbersLike
    cogging: NumbersLike
    controller: NumbersLike
    thermal: NumbersLike
    lugre: NumbersLike
    input: TextLike

class DefaultEqualityAttributes(TypedDict, total=False):
    active: FlagLike
    solref: NumbersLike
    solimp: NumbersLike

class DefaultTendonAttributes(TypedDict, total=False):
    group: IntegerLike
    limited: Literal["false", "true", "auto"] | None
    actuatorfrclimited: Literal["false", "true", "auto"] | None
    range: NumbersLike
    actuatorfrcrange: NumbersLike
    solreflimit: NumbersLike
    solimplimit: NumbersLike
    solreffriction: NumbersLike
    solimpfriction: NumbersLike
    frictionloss: NumberLike
    springlength: NumbersLike
    springyield: NumberLike
    width: NumberLike
    material: ReferenceLike
    margin: NumberLike
    stiffness: NumbersLike
    damping: NumbersLike
    armature: NumberLike
    rgba: NumbersLike
    user: NumbersLike

class Compiler(TypedElement):
    """how the XML becomes a model"""

    autolimits: Flag
    """a range that is written is enforced (default 1)"""
    boundmass: Number
    """lower bound of the mass of bodies (default 0)"""
    boundinertia: Number
    """lower bound of the moments of inertia of bodies (default 0)"""
    settotalmass: Number
    """masses are scaled to this sum if it is positive (default -1)"""
    balanceinertia: Flag
    """replace impossible moments of inertia by their mean (default 0)"""
    strippath: Flag
    """drop folders from file names (default 0)"""
    coordinate: Word[Literal["local", "global"]]
    """only local coordinates are understood (default local)"""
    angle: Word[Literal["radian", "degree"]]
    """unit of angles (default degree)"""
    fitaabb: Flag
    """primitives are fitted to boxes of meshes instead of their inertia (default 0)"""
    eulerseq: Text
    """axes of euler angles in order; capital letters are fixed axes (default xyz)"""
    meshdir: Text
    """folder of mesh and height field files"""
    texturedir: Text
    """folder of texture files"""
    discardvisual: Flag
    """drop what only serves pictures (default 0)"""
    usethread: Flag
    """compile with several threads; no effect here (default 1)"""
    fusestatic: Flag
    """merge bodies without joints into their parents (default 0)"""
    inertiafromgeom: Word[Literal["false", "true", "auto"]]
    """whether bodies take their inertia from their geoms (default auto)"""
    inertiagrouprange: Integers
    """groups of geoms that have mass (2 values, default 0 5)"""
    saveinertial: Flag
    """write inertials when saving; no effect here (default 0)"""
    savecompiled: Flag
    """write compiled values when saving; no effect here (default 1)"""
    savecanonical: Flag
    """write canonical values when saving; no effect here (default 1)"""
    assetdir: Text
    """folder of all asset files"""
    alignfree: Flag
    """free bodies without children take their inertial frame as body frame (default 0)"""
    conflict: Word[Literal["warning", "merge", "error"]]
    """what to do when attached models disagree (default warning)"""
    passthrough: Word[Literal["none", "textures"]]
    """assets that are not decoded (default none)"""
    @property
    def lengthrange(self) -> CompilerLengthrange:
        """how length ranges of actuators are found"""
    def add_lengthrange(self, **attributes: Unpack[CompilerLengthrangeAttributes]) -> CompilerLengthrange:
        """A new lengthrange inside: how length ranges of actuators are found."""

class CompilerLengthrange(TypedElement):
    """how length ranges of actuators are found"""

    mode: Word[Literal["none", "muscle", "muscleuser", "all"]]
    """which actuators (default muscle)"""
    useexisting: Flag
    """keep ranges that are written (default 1)"""
    uselimit: Flag
    """take the limits of joints and tendons (default 0)"""
    accel: Number
    """acceleration that the pull aims at (default 20)"""
    maxforce: Number
    """largest force of the pull, 0 for no bound (default 0)"""
    timeconst: Number
    """time in which velocities fade (default 1)"""
    timestep: Number
    """time step of the search (default 0.01)"""
    inttotal: Number
    """duration of the search (default 10)"""
    interval: Number
    """duration at the end over which the length is watched (default 2)"""
    tolrange: Number
    """largest change of length over the interval, relative to the range (default 0.05)"""

class Option(TypedElement):
    """options of the physics"""

    timestep: Number
    """length of a step (default 0.002)"""
    impratio: Number
    """impedance of friction relative to the normal direction (default 1)"""
    tolerance: Number
    """scaled improvement at which the solver stops (default 1e-08)"""
    ls_tolerance: Number
    """relative slope at which the line search stops (default 0.01)"""
    noslip_tolerance: Number
    """scaled improvement at which the noslip pass stops (default 1e-06)"""
    ccd_tolerance: Number
    """accuracy of the convex collision search (default 1e-06)"""
    sleep_tolerance: Number
    """speed below which a tree may fall asleep (default 0.001)"""
    gravity: Numbers
    """acceleration of gravity (3 values, default 0 0 -9.81)"""
    wind: Numbers
    """velocity of the fluid (3 values, default 0 0 0)"""
    magnetic: Numbers
    """magnetic flux density (3 values, default 0 -0.5 0)"""
    density: Number
    """density of the fluid (default 0)"""
    viscosity: Number
    """viscosity of the fluid (default 0)"""
    o_margin: Number
    """margin of all contacts when overridden (default 0)"""
    o_solref: Numbers
    """solref of all contacts when overridden (1 to 2 values, default 0.02 1)"""
    o_solimp: Numbers
    """solimp of all contacts when overridden (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    o_friction: Numbers
    """friction of all contacts when overridden (1 to 5 values, default 1 1 0.005 0.0001 0.0001)"""
    integrator: Word[Literal["Euler", "RK4", "implicit", "implicitfast", "discrete"]]
    """how the state is advanced (default Euler)"""
    cone: Word[Literal["pyramidal", "elliptic"]]
    """shape of friction cones (default pyramidal)"""
    jacobian: Word[Literal["dense", "sparse", "auto"]]
    """layout of the constraint Jacobian (default auto)"""
    solver: Word[Literal["PGS", "CG", "Newton"]]
    """algorithm of the constraint solver (default Newton)"""
    iterations: Integer
    """most iterations of the solver (default 100)"""
    ls_iterations: Integer
    """most evaluations of one line search (default 50)"""
    noslip_iterations: Integer
    """most iterations of the noslip pass (default 0)"""
    ccd_iterations: Integer
    """most iterations of the convex collision search (default 35)"""
    sdf_iterations: Integer
    """most iterations of the signed distance descent (default 10)"""
    sdf_initpoints: Integer
    """starting points of the signed distance descent (default 40)"""
    actuatorgroupdisable: Integers
    """groups of actuators that are off (0 to 31 values)"""
    @property
    def flag(self) -> OptionFlag:
        """parts of the physics that are switched off or on"""
    def add_flag(self, **attributes: Unpack[OptionFlagAttributes]) -> OptionFlag:
        """A new flag inside: parts of the physics that are switched off or on."""

class OptionFlag(TypedElement):
    """parts of the physics that are switched off or on"""

    constraint: Word[Literal["disable", "enable"]]
    """constraint is part of the physics (default enable)"""
    equality: Word[Literal["disable", "enable"]]
    """equality is part of the physics (default enable)"""
    frictionloss: Word[Literal["disable", "enable"]]
    """frictionloss is part of the physics (default enable)"""
    limit: Word[Literal["disable", "enable"]]
    """limit is part of the physics (default enable)"""
    contact: Word[Literal["disable", "enable"]]
    """contact is part of the physics (default enable)"""
    spring: Word[Literal["disable", "enable"]]
    """spring is part of the physics (default enable)"""
    damper: Word[Literal["disable", "enable"]]
    """damper is part of the physics (default enable)"""
    gravity: Word[Literal["disable", "enable"]]
    """gravity is part of the physics (default enable)"""
    clampctrl: Word[Literal["disable", "enable"]]
    """clampctrl is part of the physics (default enable)"""
    warmstart: Word[Literal["disable", "enable"]]
    """warmstart is part of the physics (default enable)"""
    filterparent: Word[Literal["disable", "enable"]]
    """filterparent is part of the physics (default enable)"""
    actuation: Word[Literal["disable", "enable"]]
    """actuation is part of the physics (default enable)"""
    refsafe: Word[Literal["disable", "enable"]]
    """refsafe is part of the physics (default enable)"""
    sensor: Word[Literal["disable", "enable"]]
    """sensor is part of the physics (default enable)"""
    midphase: Word[Literal["disable", "enable"]]
    """midphase is part of the physics (default enable)"""
    eulerdamp: Word[Literal["disable", "enable"]]
    """eulerdamp is part of the physics (default enable)"""
    autoreset: Word[Literal["disable", "enable"]]
    """autoreset is part of the physics (default enable)"""
    nativeccd: Word[Literal["disable", "enable"]]
    """nativeccd is part of the physics (default enable)"""
    island: Word[Literal["disable", "enable"]]
    """island is part of the physics (default enable)"""
    multiccd: Word[Literal["disable", "enable"]]
    """multiccd is part of the physics (default enable)"""
    override: Word[Literal["disable", "enable"]]
    """override is added to the physics (default disable)"""
    energy: Word[Literal["disable", "enable"]]
    """energy is added to the physics (default disable)"""
    fwdinv: Word[Literal["disable", "enable"]]
    """fwdinv is added to the physics (default disable)"""
    invdiscrete: Word[Literal["disable", "enable"]]
    """invdiscrete is added to the physics (default disable)"""
    sleep: Word[Literal["disable", "enable"]]
    """sleep is added to the physics (default disable)"""
    diagexact: Word[Literal["disable", "enable"]]
    """diagexact is added to the physics (default disable)"""
    ipc: Word[Literal["disable", "enable"]]
    """ipc is added to the physics (default disable)"""
    speculative: Word[Literal["disable", "enable"]]
    """speculative is added to the physics (default disable)"""

class Size(TypedElement):
    """sizes of arrays"""

    memory: Text
    """bytes of work memory of MuJoCo, with an ending K, M, G (default -1)"""
    njmax: Integer
    """requested constraint rows, -1 for automatic (default -1)"""
    nconmax: Integer
    """requested contacts, -1 for automatic (default -1)"""
    nstack: Integer
    """numbers of stack memory of MuJoCo (default -1)"""
    nuserdata: Integer
    """user numbers in Data (default 0)"""
    nkey: Integer
    """least number of keyframes (default 0)"""
    nuser_body: Integer
    """user numbers per body, -1 for automatic (default -1)"""
    nuser_jnt: Integer
    """user numbers per jnt, -1 for automatic (default -1)"""
    nuser_geom: Integer
    """user numbers per geom, -1 for automatic (default -1)"""
    nuser_site: Integer
    """user numbers per site, -1 for automatic (default -1)"""
    nuser_cam: Integer
    """user numbers per cam, -1 for automatic (default -1)"""
    nuser_tendon: Integer
    """user numbers per tendon, -1 for automatic (default -1)"""
    nuser_actuator: Integer
    """user numbers per actuator, -1 for automatic (default -1)"""
    nuser_sensor: Integer
    """user numbers per sensor, -1 for automatic (default -1)"""

class Statistic(TypedElement):
    """statistics of the model, instead of computed ones"""

    meaninertia: Number
    """mean diagonal inertia"""
    meanmass: Number
    """mean mass of bodies"""
    meansize: Number
    """mean size of bodies"""
    extent: Number
    """size of the model"""
    center: Numbers
    """center of the model (3 values)"""

class Visual(TypedElement):
    """options of pictures; kept, without effect on the physics"""

    @property
    def global_(self) -> VisualGlobal:
        """options of the picture"""
    @property
    def quality(self) -> VisualQuality:
        """quality of the picture"""
    @property
    def headlight(self) -> VisualHeadlight:
        """light at the camera"""
    @property
    def map(self) -> VisualMap:
        """scales of the picture"""
    @property
    def scale(self) -> VisualScale:
        """sizes of decorations, relative to meansize"""
    @property
    def rgba(self) -> VisualRgba:
        """colors of decorations"""
    def add_global(self, **attributes: Unpack[VisualGlobalAttributes]) -> VisualGlobal:
        """A new global inside: options of the picture."""
    def add_quality(self, **attributes: Unpack[VisualQualityAttributes]) -> VisualQuality:
        """A new quality inside: quality of the picture."""
    def add_headlight(self, **attributes: Unpack[VisualHeadlightAttributes]) -> VisualHeadlight:
        """A new headlight inside: light at the camera."""
    def add_map(self, **attributes: Unpack[VisualMapAttributes]) -> VisualMap:
        """A new map inside: scales of the picture."""
    def add_scale(self, **attributes: Unpack[VisualScaleAttributes]) -> VisualScale:
        """A new scale inside: sizes of decorations, relative to meansize."""
    def add_rgba(self, **attributes: Unpack[VisualRgbaAttributes]) -> VisualRgba:
        """A new rgba inside: colors of decorations."""

class VisualGlobal(TypedElement):
    """options of the picture"""

    cameraid: Integer
    """camera to start with (default -1)"""
    orthographic: Flag
    """parallel projection of the free camera (default 0)"""
    fovy: Number
    """vertical field of view of the free camera (default 45)"""
    ipd: Number
    """distance between the eyes in stereo (default 0.068)"""
    azimuth: Number
    """direction of the free camera (default 90)"""
    elevation: Number
    """height angle of the free camera (default -45)"""
    linewidth: Number
    """width of lines (default 1)"""
    glow: Number
    """glow of the selected body (default 0.3)"""
    offwidth: Integer
    """width of pictures off screen (default 640)"""
    offheight: Integer
    """height of pictures off screen (default 480)"""
    realtime: Number
    """speed relative to real time (default 1)"""
    ellipsoidinertia: Flag
    """inertias are drawn as ellipsoids (default 0)"""
    bvactive: Flag
    """mark touched bounding volumes (default 0)"""

class VisualQuality(TypedElement):
    """quality of the picture"""

    shadowsize: Integer
    """pixels of the shadow map (default 4096)"""
    offsamples: Integer
    """samples per pixel off screen (default 4)"""
    numslices: Integer
    """slices of round shapes (default 28)"""
    numstacks: Integer
    """stacks of round shapes (default 16)"""
    numquads: Integer
    """quads per side of boxes (default 4)"""

class VisualHeadlight(TypedElement):
    """light at the camera"""

    ambient: Numbers
    """ambient color (3 values, default 0.1 0.1 0.1)"""
    diffuse: Numbers
    """diffuse color (3 values, default 0.4 0.4 0.4)"""
    specular: Numbers
    """specular color (3 values, default 0.5 0.5 0.5)"""
    active: Word[Literal["false", "true", "auto", "0", "1", "2"]]
    """whether it is on; in auto the viewer decides (default auto)"""

class VisualMap(TypedElement):
    """scales of the picture"""

    stiffness: Number
    """translation by mouse (default 100)"""
    stiffnessrot: Number
    """rotation by mouse (default 500)"""
    force: Number
    """length of force arrows (default 0.005)"""
    torque: Number
    """length of torque arrows (default 0.1)"""
    alpha: Number
    """opacity of see-through bodies (default 0.3)"""
    fogstart: Number
    """start of fog (default 3)"""
    fogend: Number
    """end of fog (default 10)"""
    znear: Number
    """near plane (default 0.01)"""
    zfar: Number
    """far plane (default 50)"""
    haze: Number
    """amount of haze (default 0.3)"""
    shadowclip: Number
    """reach of directional shadows (default 1)"""
    shadowscale: Number
    """opening of spot shadows (default 0.6)"""
    actuatortendon: Number
    """width of actuated tendons (default 2)"""

class VisualScale(TypedElement):
    """sizes of decorations, relative to meansize"""

    forcewidth: Number
    """size of forcewidth (default 0.1)"""
    contactwidth: Number
    """size of contactwidth (default 0.3)"""
    contactheight: Number
    """size of contactheight (default 0.1)"""
    connect: Number
    """size of connect (default 0.2)"""
    com: Number
    """size of com (default 0.4)"""
    camera: Number
    """size of camera (default 0.3)"""
    light: Number
    """size of light (default 0.3)"""
    selectpoint: Number
    """size of selectpoint (default 0.2)"""
    jointlength: Number
    """size of jointlength (default 1)"""
    jointwidth: Number
    """size of jointwidth (default 0.1)"""
    actuatorlength: Number
    """size of actuatorlength (default 0.7)"""
    actuatorwidth: Number
    """size of actuatorwidth (default 0.2)"""
    framelength: Number
    """size of framelength (default 1)"""
    framewidth: Number
    """size of framewidth (default 0.1)"""
    constraint: Number
    """size of constraint (default 0.1)"""
    slidercrank: Number
    """size of slidercrank (default 0.2)"""
    frustum: Number
    """size of frustum (default 10)"""

class VisualRgba(TypedElement):
    """colors of decorations"""

    fog: Numbers
    """color of fog (4 values, default 0 0 0 1)"""
    haze: Numbers
    """color of haze (4 values, default 1 1 1 1)"""
    force: Numbers
    """color of force (4 values, default 1 0.5 0.5 1)"""
    inertia: Numbers
    """color of inertia (4 values, default 0.8 0.2 0.2 0.6)"""
    joint: Numbers
    """color of joint (4 values, default 0.2 0.6 0.8 1)"""
    actuator: Numbers
    """color of actuator (4 values, default 0.2 0.25 0.2 1)"""
    actuatornegative: Numbers
    """color of actuatornegative (4 values, default 0.2 0.6 0.9 1)"""
    actuatorpositive: Numbers
    """color of actuatorpositive (4 values, default 0.9 0.4 0.2 1)"""
    com: Numbers
    """color of com (4 values, default 0.9 0.9 0.9 1)"""
    camera: Numbers
    """color of camera (4 values, default 0.6 0.9 0.6 1)"""
    light: Numbers
    """color of light (4 values, default 0.6 0.6 0.9 1)"""
    selectpoint: Numbers
    """color of selectpoint (4 values, default 0.9 0.9 0.1 1)"""
    connect: Numbers
    """color of connect (4 values, default 0.2 0.2 0.8 1)"""
    contactpoint: Numbers
    """color of contactpoint (4 values, default 0.9 0.6 0.2 1)"""
    contactforce: Numbers
    """color of contactforce (4 values, default 0.7 0.9 0.9 1)"""
    contactfriction: Numbers
    """color of contactfriction (4 values, default 0.9 0.8 0.4 1)"""
    contacttorque: Numbers
    """color of contacttorque (4 values, default 0.9 0.7 0.9 1)"""
    contactgap: Numbers
    """color of contactgap (4 values, default 0.5 0.8 0.9 1)"""
    rangefinder: Numbers
    """color of rangefinder (4 values, default 1 1 0.1 1)"""
    constraint: Numbers
    """color of constraint (4 values, default 0.9 0 0 1)"""
    slidercrank: Numbers
    """color of slidercrank (4 values, default 0.5 0.3 0.8 1)"""
    crankbroken: Numbers
    """color of crankbroken (4 values, default 0.9 0 0 1)"""
    frustum: Numbers
    """color of frustum (4 values, default 1 1 0 0.2)"""
    bv: Numbers
    """color of bv (4 values, default 0 1 0 0.5)"""
    bvactive: Numbers
    """color of bvactive (4 values, default 1 0 0 0.5)"""

class Extension(TypedElement):
    """plugins that the model uses"""

    def add_plugin(self, **attributes: Unpack[ExtensionPluginAttributes]) -> ExtensionPlugin:
        """A new plugin inside: a plugin that the model needs."""

class ExtensionPlugin(TypedElement):
    """a plugin that the model needs"""

    plugin: Text
    """name of the plugin (required)"""
    def add_instance(self, **attributes: Unpack[ExtensionPluginInstanceAttributes]) -> ExtensionPluginInstance:
        """A new instance inside: a shared instance of a plugin."""

class ExtensionPluginInstance(TypedElement):
    """a shared instance of a plugin"""

    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_config(self, **attributes: Unpack[ConfigAttributes]) -> Config:
        """A new config inside: a setting of a plugin."""

class Config(TypedElement):
    """a setting of a plugin"""

    key: Text
    """name of the setting (required)"""
    value: Text
    """its value"""

class Plugin(TypedElement):
    """the plugin of this object"""

    plugin: Text
    """name of the plugin, for an instance of its own"""
    instance: Reference
    """name of a shared instance"""
    def add_config(self, **attributes: Unpack[ConfigAttributes]) -> Config:
        """A new config inside: a setting of a plugin."""

class Asset(TypedElement):
    """data that elements refer to"""

    @property
    def meshes(self) -> list[AssetMesh]:
        """Every mesh."""
    @property
    def hfields(self) -> list[AssetHfield]:
        """Every hfield."""
    @property
    def skins(self) -> list[AssetSkin]:
        """Every skin."""
    @property
    def textures(self) -> list[AssetTexture]:
        """Every texture."""
    @property
    def materials(self) -> list[AssetMaterial]:
        """Every material."""
    @property
    def models(self) -> list[AssetModel]:
        """Every model."""
    def add_mesh(self, **attributes: Unpack[AssetMeshAttributes]) -> AssetMesh:
        """A new mesh inside: a triangle mesh, or the convex hull of points."""
    def add_hfield(self, **attributes: Unpack[AssetHfieldAttributes]) -> AssetHfield:
        """A new hfield inside: a terrain of heights on a grid."""
    def add_skin(self, **attributes: Unpack[AssetSkinAttributes]) -> AssetSkin:
        """A new skin inside: a deformable surface for pictures."""
    def add_texture(self, **attributes: Unpack[AssetTextureAttributes]) -> AssetTexture:
        """A new texture inside: a picture."""
    def add_material(self, **attributes: Unpack[AssetMaterialAttributes]) -> AssetMaterial:
        """A new material inside: how a surface looks."""
    def add_model(self, **attributes: Unpack[AssetModelAttributes]) -> AssetModel:
        """A new model inside: another model that can be attached."""

class AssetMesh(TypedElement):
    """a triangle mesh, or the convex hull of points"""

    class_: Reference
    """default class that fills in what is not written"""
    content_type: Text
    """media type of the file"""
    file: Text
    """OBJ, STL or MSH file; with an extra also DAE, GLTF and GLB"""
    vertex: Numbers
    """points (any number of values)"""
    normal: Numbers
    """normals of the points (any number of values)"""
    texcoord: Numbers
    """texture coordinates of the points (any number of values)"""
    face: Integers
    """points of the triangles (any number of values)"""
    refpos: Numbers
    """point that becomes the origin (3 values, default 0 0 0)"""
    refquat: Numbers
    """orientation that is undone (4 values, default 1 0 0 0)"""
    scale: Numbers
    """factors along the axes (3 values, default 1 1 1)"""
    smoothnormal: Flag
    """normals average over sharp edges (default 0)"""
    maxhullvert: Integer
    """most points of the convex hull, -1 for no bound (default -1)"""
    inertia: Word[Literal["convex", "exact", "legacy", "shell"]]
    """what has mass (default legacy)"""
    builtin: Word[Literal["none", "sphere", "hemisphere", "cone", "supertorus", "supersphere", "wedge", "plate", "grid", "box", "cylinder", "ellipsoid", "square", "disc"]]
    """shape that is made instead of read"""
    params: Numbers
    """parameters of the built-in shape (any number of values)"""
    material: Reference
    """material of geoms that have none"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""

class AssetHfield(TypedElement):
    """a terrain of heights on a grid"""

    content_type: Text
    """media type of the file"""
    file: Text
    """PNG picture or binary file of heights"""
    nrow: Integer
    """rows, along y (default 0)"""
    ncol: Integer
    """columns, along x (default 0)"""
    size: Numbers
    """half extents in x and y, highest point, depth of the base (4 values, required)"""
    elevation: Numbers
    """heights, row by row from the far side (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class AssetSkin(TypedElement):
    """a deformable surface for pictures"""

    file: Text
    """SKN file"""
    material: Reference
    """material"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    inflate: Number
    """offset along the normals (default 0)"""
    vertex: Numbers
    """points at the bind pose (any number of values)"""
    texcoord: Numbers
    """texture coordinates (any number of values)"""
    face: Integers
    """points of the triangles (any number of values)"""
    group: Integer
    """visibility group (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_bone(self, **attributes: Unpack[AssetSkinBoneAttributes]) -> AssetSkinBone:
        """A new bone inside: a body that pulls points of the skin."""

class AssetSkinBone(TypedElement):
    """a body that pulls points of the skin"""

    body: Reference
    """the body (required)"""
    bindpos: Numbers
    """its position at the bind pose (3 values, required)"""
    bindquat: Numbers
    """its orientation at the bind pose (4 values, required)"""
    vertid: Integers
    """points that it pulls (any number of values, required)"""
    vertweight: Numbers
    """how strongly (any number of values, required)"""

class AssetTexture(TypedElement):
    """a picture"""

    class_: Reference
    """default class that fills in what is not written"""
    type: Word[Literal["2d", "cube", "skybox"]]
    """flat, on a cube, or the sky (default cube)"""
    colorspace: Word[Literal["auto", "linear", "sRGB"]]
    """meaning of the numbers (default auto)"""
    content_type: Text
    """media type of the file"""
    file: Text
    """PNG or binary file"""
    gridsize: Integers
    """rows and columns of pictures in one file (2 values, default 1 1)"""
    gridlayout: Text
    """which side of the cube each picture is"""
    fileright: Text
    """right side of the cube"""
    fileleft: Text
    """left side of the cube"""
    fileup: Text
    """up side of the cube"""
    filedown: Text
    """down side of the cube"""
    filefront: Text
    """front side of the cube"""
    fileback: Text
    """back side of the cube"""
    builtin: Word[Literal["none", "gradient", "checker", "flat"]]
    """picture that is made instead of read (default none)"""
    rgb1: Numbers
    """first color (3 values, default 0.8 0.8 0.8)"""
    rgb2: Numbers
    """second color (3 values, default 0.5 0.5 0.5)"""
    mark: Word[Literal["none", "edge", "cross", "random"]]
    """marks on the picture (default none)"""
    markrgb: Numbers
    """color of the marks (3 values, default 0 0 0)"""
    random: Number
    """density of random marks (default 0.01)"""
    width: Integer
    """columns of a made picture (default 0)"""
    height: Integer
    """rows of a made picture (default 0)"""
    hflip: Flag
    """mirror left and right (default 0)"""
    vflip: Flag
    """mirror up and down (default 0)"""
    nchannel: Integer
    """numbers per pixel (default 3)"""
    embed: Flag
    """write the picture into saved files; no effect here (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class AssetMaterial(TypedElement):
    """how a surface looks"""

    class_: Reference
    """default class that fills in what is not written"""
    texture: Reference
    """picture on the surface"""
    texrepeat: Numbers
    """repetitions along x and y (2 values, default 1 1)"""
    texuniform: Flag
    """repetitions per unit of length (default 0)"""
    emission: Number
    """emitted light (default 0)"""
    specular: Number
    """specular reflection (default 0.5)"""
    shininess: Number
    """sharpness of highlights (default 0.5)"""
    reflectance: Number
    """mirror reflection (default 0)"""
    metallic: Number
    """metallic coefficient (default -1)"""
    roughness: Number
    """roughness coefficient (default -1)"""
    rgba: Numbers
    """color (4 values, default 1 1 1 1)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_layer(self, **attributes: Unpack[AssetMaterialLayerAttributes]) -> AssetMaterialLayer:
        """A new layer inside: a texture in a role."""

class AssetMaterialLayer(TypedElement):
    """a texture in a role"""

    texture: Reference
    """the picture (required)"""
    role: Word[Literal["rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "rgba", "orm"]]
    """what the picture says (required)"""

class AssetModel(TypedElement):
    """another model that can be attached"""

    file: Text
    """MJCF file (required)"""
    content_type: Text
    """media type of the file"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Worldbody(TypedElement):
    """the fixed body that all others hang from"""

    @property
    def bodies(self) -> list[Body]:
        """Every body."""
    @property
    def frames(self) -> list[Frame]:
        """Every frame."""
    @property
    def geoms(self) -> list[Geom]:
        """Every geom."""
    @property
    def sites(self) -> list[Site]:
        """Every site."""
    @property
    def cameras(self) -> list[Camera]:
        """Every camera."""
    @property
    def lights(self) -> list[Light]:
        """Every light."""
    @property
    def flexcomps(self) -> list[Flexcomp]:
        """Every flexcomp."""
    def add_body(self, **attributes: Unpack[BodyAttributes]) -> Body:
        """A new body inside: a rigid body."""
    def add_frame(self, **attributes: Unpack[FrameAttributes]) -> Frame:
        """A new frame inside: a coordinate frame that disappears into what it holds."""
    def add_replicate(self, **attributes: Unpack[ReplicateAttributes]) -> Replicate:
        """A new replicate inside: several copies of what it holds, each moved from the one before."""
    def add_geom(self, **attributes: Unpack[GeomAttributes]) -> Geom:
        """A new geom inside: a shape that collides, is seen and has mass."""
    def add_attach(self, **attributes: Unpack[AttachAttributes]) -> Attach:
        """A new attach inside: a body or frame of another model, or a copy from this one."""
    def add_site(self, **attributes: Unpack[SiteAttributes]) -> Site:
        """A new site inside: a point of interest with a frame."""
    def add_camera(self, **attributes: Unpack[CameraAttributes]) -> Camera:
        """A new camera inside: a camera."""
    def add_light(self, **attributes: Unpack[LightAttributes]) -> Light:
        """A new light inside: a light."""
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""
    def add_flexcomp(self, **attributes: Unpack[FlexcompAttributes]) -> Flexcomp:
        """A new flexcomp inside: a deformable body made of a pattern."""

class Body(TypedElement):
    """a rigid body"""

    childclass: Reference
    """default class of everything inside"""
    pos: Numbers
    """position in the parent (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    mocap: Flag
    """moved by the user, not by physics (default 0)"""
    gravcomp: Number
    """fraction of the weight that is cancelled (default 0)"""
    sleep: Word[Literal["auto", "never", "allowed", "init"]]
    """whether the tree may sleep (default auto)"""
    simple: Word[Literal["false", "auto"]]
    """whether a diagonal inertia may be exploited (default auto)"""
    fuse: Word[Literal["false", "auto"]]
    """whether fusestatic may merge it (default auto)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def inertial(self) -> Inertial | None:
        """mass and inertia of a body, instead of those of its geoms"""
    @property
    def bodies(self) -> list[Body]:
        """Every body."""
    @property
    def frames(self) -> list[Frame]:
        """Every frame."""
    @property
    def joints(self) -> list[AnyJoint]:
        """Every joint."""
    @property
    def geoms(self) -> list[Geom]:
        """Every geom."""
    @property
    def sites(self) -> list[Site]:
        """Every site."""
    @property
    def cameras(self) -> list[Camera]:
        """Every camera."""
    @property
    def lights(self) -> list[Light]:
        """Every light."""
    @property
    def flexcomps(self) -> list[Flexcomp]:
        """Every flexcomp."""
    def add_inertial(self, **attributes: Unpack[InertialAttributes]) -> Inertial:
        """A new inertial inside: mass and inertia of a body, instead of those of its geoms."""
    def add_body(self, **attributes: Unpack[BodyAttributes]) -> Body:
        """A new body inside: a rigid body."""
    def add_frame(self, **attributes: Unpack[FrameAttributes]) -> Frame:
        """A new frame inside: a coordinate frame that disappears into what it holds."""
    def add_replicate(self, **attributes: Unpack[ReplicateAttributes]) -> Replicate:
        """A new replicate inside: several copies of what it holds, each moved from the one before."""
    def add_joint(self, **attributes: Unpack[JointAttributes]) -> Joint:
        """A new joint inside: a way in which a body can move in its parent."""
    def add_freejoint(self, **attributes: Unpack[FreejointAttributes]) -> Freejoint:
        """A new freejoint inside: a free joint that ignores the defaults of joints."""
    def add_geom(self, **attributes: Unpack[GeomAttributes]) -> Geom:
        """A new geom inside: a shape that collides, is seen and has mass."""
    def add_attach(self, **attributes: Unpack[AttachAttributes]) -> Attach:
        """A new attach inside: a body or frame of another model, or a copy from this one."""
    def add_site(self, **attributes: Unpack[SiteAttributes]) -> Site:
        """A new site inside: a point of interest with a frame."""
    def add_camera(self, **attributes: Unpack[CameraAttributes]) -> Camera:
        """A new camera inside: a camera."""
    def add_light(self, **attributes: Unpack[LightAttributes]) -> Light:
        """A new light inside: a light."""
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""
    def add_flexcomp(self, **attributes: Unpack[FlexcompAttributes]) -> Flexcomp:
        """A new flexcomp inside: a deformable body made of a pattern."""

class Frame(TypedElement):
    """a coordinate frame that disappears into what it holds"""

    childclass: Reference
    """default class of everything inside"""
    pos: Numbers
    """position in the parent (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    scale: Numbers
    """factor of all lengths inside, or one per axis (1 to 3 values)"""
    scaling: Word[Literal["similar", "geometry"]]
    """what grows with the lengths (default similar)"""
    massscale: Number
    """factor of all masses inside; 0 for that of volumes"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def inertial(self) -> Inertial | None:
        """mass and inertia of a body, instead of those of its geoms"""
    @property
    def bodies(self) -> list[Body]:
        """Every body."""
    @property
    def frames(self) -> list[Frame]:
        """Every frame."""
    @property
    def joints(self) -> list[AnyJoint]:
        """Every joint."""
    @property
    def geoms(self) -> list[Geom]:
        """Every geom."""
    @property
    def sites(self) -> list[Site]:
        """Every site."""
    @property
    def cameras(self) -> list[Camera]:
        """Every camera."""
    @property
    def lights(self) -> list[Light]:
        """Every light."""
    @property
    def flexcomps(self) -> list[Flexcomp]:
        """Every flexcomp."""
    def add_inertial(self, **attributes: Unpack[InertialAttributes]) -> Inertial:
        """A new inertial inside: mass and inertia of a body, instead of those of its geoms."""
    def add_body(self, **attributes: Unpack[BodyAttributes]) -> Body:
        """A new body inside: a rigid body."""
    def add_frame(self, **attributes: Unpack[FrameAttributes]) -> Frame:
        """A new frame inside: a coordinate frame that disappears into what it holds."""
    def add_replicate(self, **attributes: Unpack[ReplicateAttributes]) -> Replicate:
        """A new replicate inside: several copies of what it holds, each moved from the one before."""
    def add_joint(self, **attributes: Unpack[JointAttributes]) -> Joint:
        """A new joint inside: a way in which a body can move in its parent."""
    def add_freejoint(self, **attributes: Unpack[FreejointAttributes]) -> Freejoint:
        """A new freejoint inside: a free joint that ignores the defaults of joints."""
    def add_geom(self, **attributes: Unpack[GeomAttributes]) -> Geom:
        """A new geom inside: a shape that collides, is seen and has mass."""
    def add_attach(self, **attributes: Unpack[AttachAttributes]) -> Attach:
        """A new attach inside: a body or frame of another model, or a copy from this one."""
    def add_site(self, **attributes: Unpack[SiteAttributes]) -> Site:
        """A new site inside: a point of interest with a frame."""
    def add_camera(self, **attributes: Unpack[CameraAttributes]) -> Camera:
        """A new camera inside: a camera."""
    def add_light(self, **attributes: Unpack[LightAttributes]) -> Light:
        """A new light inside: a light."""
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""
    def add_flexcomp(self, **attributes: Unpack[FlexcompAttributes]) -> Flexcomp:
        """A new flexcomp inside: a deformable body made of a pattern."""

class Replicate(TypedElement):
    """several copies of what it holds, each moved from the one before"""

    childclass: Reference
    """default class of everything inside"""
    count: Integer
    """number of copies (required)"""
    sep: Text
    """text between a name and the index of its copy"""
    offset: Numbers
    """displacement from copy to copy (3 values, default 0 0 0)"""
    euler: Numbers
    """rotation from copy to copy (3 values, default 0 0 0)"""
    @property
    def inertial(self) -> Inertial | None:
        """mass and inertia of a body, instead of those of its geoms"""
    @property
    def bodies(self) -> list[Body]:
        """Every body."""
    @property
    def frames(self) -> list[Frame]:
        """Every frame."""
    @property
    def joints(self) -> list[AnyJoint]:
        """Every joint."""
    @property
    def geoms(self) -> list[Geom]:
        """Every geom."""
    @property
    def sites(self) -> list[Site]:
        """Every site."""
    @property
    def cameras(self) -> list[Camera]:
        """Every camera."""
    @property
    def lights(self) -> list[Light]:
        """Every light."""
    def add_inertial(self, **attributes: Unpack[InertialAttributes]) -> Inertial:
        """A new inertial inside: mass and inertia of a body, instead of those of its geoms."""
    def add_body(self, **attributes: Unpack[BodyAttributes]) -> Body:
        """A new body inside: a rigid body."""
    def add_frame(self, **attributes: Unpack[FrameAttributes]) -> Frame:
        """A new frame inside: a coordinate frame that disappears into what it holds."""
    def add_replicate(self, **attributes: Unpack[ReplicateAttributes]) -> Replicate:
        """A new replicate inside: several copies of what it holds, each moved from the one before."""
    def add_joint(self, **attributes: Unpack[JointAttributes]) -> Joint:
        """A new joint inside: a way in which a body can move in its parent."""
    def add_geom(self, **attributes: Unpack[GeomAttributes]) -> Geom:
        """A new geom inside: a shape that collides, is seen and has mass."""
    def add_attach(self, **attributes: Unpack[AttachAttributes]) -> Attach:
        """A new attach inside: a body or frame of another model, or a copy from this one."""
    def add_site(self, **attributes: Unpack[SiteAttributes]) -> Site:
        """A new site inside: a point of interest with a frame."""
    def add_camera(self, **attributes: Unpack[CameraAttributes]) -> Camera:
        """A new camera inside: a camera."""
    def add_light(self, **attributes: Unpack[LightAttributes]) -> Light:
        """A new light inside: a light."""
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""

class Attach(TypedElement):
    """a body or frame of another model, or a copy from this one"""

    model: Reference
    """the other model; this one if absent"""
    body: Text
    """the body to take"""
    frame: Text
    """the frame to take"""
    prefix: Text
    """text before all its names (required)"""

class Inertial(TypedElement):
    """mass and inertia of a body, instead of those of its geoms"""

    pos: Numbers
    """center of mass (3 values, required)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    mass: Number
    """mass (required)"""
    diaginertia: Numbers
    """principal moments of inertia (3 values)"""
    fullinertia: Numbers
    """inertia matrix: xx yy zz xy xz yz (6 values)"""

class Joint(TypedElement):
    """a way in which a body can move in its parent"""

    class_: Reference
    """default class that fills in what is not written"""
    type: Word[Literal["free", "ball", "slide", "hinge"]]
    """kind of motion (default hinge)"""
    group: Integer
    """visibility group (default 0)"""
    pos: Numbers
    """anchor (3 values, default 0 0 0)"""
    axis: Numbers
    """axis of motion (3 values, default 0 0 1)"""
    springdamper: Numbers
    """time constant and damping ratio from which stiffness and damping follow (2 values, default 0 0)"""
    limited: Word[Literal["false", "true", "auto"]]
    """whether the range is enforced (default auto)"""
    actuatorfrclimited: Word[Literal["false", "true", "auto"]]
    """whether actuator forces are clamped (default auto)"""
    solreflimit: Numbers
    """solver reference of the limit (1 to 2 values, default 0.02 1)"""
    solimplimit: Numbers
    """solver impedance of the limit (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    solreffriction: Numbers
    """solver reference of dry friction (1 to 2 values, default 0.02 1)"""
    solimpfriction: Numbers
    """solver impedance of dry friction (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    stiffness: Numbers
    """spring: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    range: Numbers
    """lower and upper limit (2 values, default 0 0)"""
    actuatorfrcrange: Numbers
    """bounds of the total actuator force (2 values, default 0 0)"""
    actuatorgravcomp: Flag
    """gravity compensation counts as actuator force (default 0)"""
    margin: Number
    """distance from the limit at which it acts (default 0)"""
    ref: Number
    """coordinate at the initial pose (default 0)"""
    springref: Number
    """coordinate at which the spring rests (default 0)"""
    springyield: Number
    """spring deflection at which plastic flow starts, 0 for never (default 0)"""
    armature: Number
    """inertia of the rotor (default 0)"""
    damping: Numbers
    """damping: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    frictionloss: Number
    """dry friction (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Freejoint(TypedElement):
    """a free joint that ignores the defaults of joints"""

    group: Integer
    """visibility group (default 0)"""
    align: Word[Literal["false", "true", "auto"]]
    """whether the inertial frame becomes the body frame (default auto)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Geom(TypedElement):
    """a shape that collides, is seen and has mass"""

    class_: Reference
    """default class that fills in what is not written"""
    type: Word[Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"]]
    """shape (default sphere)"""
    contype: Integer
    """contact type bits (default 1)"""
    conaffinity: Integer
    """contact affinity bits (default 1)"""
    condim: Integer
    """dimension of contacts: 1, 3, 4 or 6 (default 3)"""
    group: Integer
    """visibility group (default 0)"""
    priority: Integer
    """whose contact parameters win (default 0)"""
    size: Numbers
    """sizes, by type (1 to 3 values, default 0 0 0)"""
    material: Reference
    """how it looks"""
    friction: Numbers
    """sliding, torsional, rolling friction (1 to 3 values, default 1 0.005 0.0001)"""
    mass: Number
    """mass; the density follows"""
    density: Number
    """density (default 1000)"""
    shellinertia: Flag
    """the mass is on the surface (default 0)"""
    solmix: Number
    """weight when solver parameters are mixed (default 1)"""
    solref: Numbers
    """solver reference of contacts (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance of contacts (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    margin: Number
    """distance below which a contact pushes (default 0)"""
    gap: Number
    """extra distance at which a contact is seen (default 0)"""
    surfacevel: Numbers
    """velocity of the surface: linear, angular (1 to 6 values, default 0 0 0 0 0 0)"""
    adhesion: Number
    """attraction along the normals of contacts (default 0)"""
    fromto: Numbers
    """end points, instead of position, orientation and length (6 values)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    hfield: Reference
    """height field"""
    mesh: Reference
    """mesh, or what a primitive is fitted to"""
    fitscale: Number
    """factor of a fitted primitive (default 1)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    castshadow: Flag
    """whether it casts a shadow (default 1)"""
    fluidshape: Word[Literal["none", "ellipsoid"]]
    """whether fluid forces act on an ellipsoid (default none)"""
    fluidcoef: Numbers
    """blunt drag, slender drag, angular drag, Kutta lift, Magnus lift (1 to 5 values, default 0.5 0.25 1.5 1 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""

class Site(TypedElement):
    """a point of interest with a frame"""

    class_: Reference
    """default class that fills in what is not written"""
    type: Word[Literal["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]]
    """shape for pictures and sensor zones (default sphere)"""
    group: Integer
    """visibility group (default 0)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    material: Reference
    """how it looks"""
    mesh: Reference
    """mesh of its shape"""
    size: Numbers
    """sizes, by type (1 to 3 values, default 0.005 0.005 0.005)"""
    fromto: Numbers
    """end points, instead of position, orientation and length (6 values)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Camera(TypedElement):
    """a camera"""

    class_: Reference
    """default class that fills in what is not written"""
    projection: Word[Literal["perspective", "orthographic"]]
    """kind of projection (default perspective)"""
    fovy: Number
    """vertical field of view (default 45)"""
    ipd: Number
    """distance between the eyes in stereo (default 0.068)"""
    resolution: Integers
    """width and height in pixels (2 values, default 1 1)"""
    output: Words
    """pictures that it makes (default rgb)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    mode: Word[Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"]]
    """how it moves (default fixed)"""
    target: Reference
    """body that it looks at"""
    focal: Numbers
    """focal lengths (2 values, default 0 0)"""
    focalpixel: Numbers
    """focal lengths in pixels (2 values, default 0 0)"""
    principal: Numbers
    """offset of the principal point (2 values, default 0 0)"""
    principalpixel: Numbers
    """offset of the principal point in pixels (2 values, default 0 0)"""
    sensorsize: Numbers
    """size of the chip (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Light(TypedElement):
    """a light"""

    class_: Reference
    """default class that fills in what is not written"""
    directional: Flag
    """older way to write the type"""
    type: Word[Literal["spot", "directional", "point", "image"]]
    """kind of light (default spot)"""
    castshadow: Flag
    """whether it casts shadows (default 1)"""
    active: Flag
    """whether it is on (default 1)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    dir: Numbers
    """direction (3 values, default 0 0 -1)"""
    bulbradius: Number
    """radius of the bulb (default 0.02)"""
    intensity: Number
    """luminous intensity (default 0)"""
    range: Number
    """reach (default 10)"""
    attenuation: Numbers
    """constant, linear and quadratic falloff (3 values, default 1 0 0)"""
    cutoff: Number
    """half angle of the spot (default 45)"""
    softness: Number
    """blur of the edge of the spot (default 0.2)"""
    exponent: Number
    """concentration of the spot (default 10)"""
    ambient: Numbers
    """ambient color (3 values, default 0 0 0)"""
    diffuse: Numbers
    """diffuse color (3 values, default 0.7 0.7 0.7)"""
    specular: Numbers
    """specular color (3 values, default 0.3 0.3 0.3)"""
    mode: Word[Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"]]
    """how it moves (default fixed)"""
    target: Reference
    """body that it points at"""
    texture: Reference
    """picture of an image light"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Deformable(TypedElement):
    """deformable bodies and skins"""

    @property
    def flexes(self) -> list[DeformableFlex]:
        """Every flex."""
    @property
    def skins(self) -> list[AssetSkin]:
        """Every skin."""
    def add_flex(self, **attributes: Unpack[DeformableFlexAttributes]) -> DeformableFlex:
        """A new flex inside: a deformable body."""
    def add_skin(self, **attributes: Unpack[AssetSkinAttributes]) -> AssetSkin:
        """A new skin inside: a deformable surface for pictures."""

class Flexcomp(TypedElement):
    """a deformable body made of a pattern"""

    type: Word[Literal["grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "gmsh", "direct"]]
    """pattern of its points and elements; grid, or mesh if a mesh is named"""
    group: Integer
    """visibility group (default 0)"""
    dim: Integer
    """dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra (default 2)"""
    radius: Number
    """thickness around the elements (default 0.005)"""
    material: Words
    """how it looks: one material, or one of each element"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    flatskin: Flag
    """whether surfaces are drawn with flat shading (default 0)"""
    dof: Word[Literal["full", "radial", "trilinear", "quadratic", "2d"]]
    """how its points move (default full)"""
    count: Integers
    """number of points along each axis (3 values, default 10 10 10)"""
    cellcount: Integers
    """number of cells along each axis, for dof trilinear and quadratic (3 values, default 1 1 1)"""
    spacing: Numbers
    """distance of neighboring points along each axis (3 values, default 0.02 0.02 0.02)"""
    rigid: Flag
    """whether all points belong to the body around it (default 0)"""
    mass: Number
    """mass of all points (default 1)"""
    inertiabox: Number
    """side of the cube whose inertia each point has (default 0.005)"""
    scale: Numbers
    """factors of the coordinates of files and of type direct (3 values, default 1 1 1)"""
    file: Text
    """mesh or GMSH file"""
    mesh: Reference
    """mesh asset, instead of a file"""
    point: Numbers
    """coordinates of the points, type direct (at least 1 values)"""
    element: Integers
    """points of each element, dim+1 each, type direct (at least 1 values)"""
    texcoord: Numbers
    """texture coordinates of the points (at least 1 values)"""
    pos: Numbers
    """position of the pattern in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    origin: Numbers
    """inner point of the tetrahedra that a surface mesh is filled with (3 values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def edge(self) -> FlexcompEdge:
        """springs and constraints along edges"""
    @property
    def elasticity(self) -> FlexcompElasticity:
        """elastic constants"""
    @property
    def contact(self) -> FlexcompContact:
        """contact parameters"""
    def add_edge(self, **attributes: Unpack[FlexcompEdgeAttributes]) -> FlexcompEdge:
        """A new edge inside: springs and constraints along edges."""
    def add_elasticity(self, **attributes: Unpack[FlexcompElasticityAttributes]) -> FlexcompElasticity:
        """A new elasticity inside: elastic constants."""
    def add_contact(self, **attributes: Unpack[FlexcompContactAttributes]) -> FlexcompContact:
        """A new contact inside: contact parameters."""
    def add_pin(self, **attributes: Unpack[FlexcompPinAttributes]) -> FlexcompPin:
        """A new pin inside: points, or nodes of cells, that belong to the body around the flexcomp."""
    def add_plugin(self, **attributes: Unpack[PluginAttributes]) -> Plugin:
        """A new plugin inside: the plugin of this object."""

class FlexcompEdge(TypedElement):
    """springs and constraints along edges"""

    equality: Word[Literal["false", "true", "strain"]]
    """whether edges keep their lengths, or cells their shapes (default false)"""
    solref: Numbers
    """solver reference of the equality (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance of the equality (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    stiffness: Number
    """spring coefficient of each edge, lines only (default 0)"""
    damping: Number
    """damping coefficient of each edge (default 0)"""

class FlexcompElasticity(TypedElement):
    """elastic constants"""

    young: Number
    """Young's modulus (default 0)"""
    poisson: Number
    """Poisson's ratio (default 0)"""
    shear: Number
    """shear modulus of rods; 0 for that of an isotropic material (default 0)"""
    damping: Number
    """Rayleigh damping: damping per stiffness (default 0)"""
    thickness: Number
    """thickness of a shell (default -1)"""
    yield_: Numbers
    """strain at which plastic flow starts: stretching, bending; 0 for never (1 to 2 values, default 0 0)"""
    elastic2d: Word[Literal["none", "bend", "stretch", "both"]]
    """elastic forces of surfaces (default none)"""
    section: Word[Literal["circle", "box"]]
    """cross-section of rods (default circle)"""
    sectionsize: Numbers
    """half sizes of the box of a cross-section (2 values, default 0 0)"""

class FlexcompContact(TypedElement):
    """contact parameters"""

    contype: Integer
    """contact type bits (default 1)"""
    conaffinity: Integer
    """contact affinity bits (default 1)"""
    condim: Integer
    """dimension of contacts: 1, 3, 4 or 6 (default 3)"""
    priority: Integer
    """whose contact parameters win (default 0)"""
    friction: Numbers
    """sliding, torsional, rolling friction (1 to 3 values, default 1 0.005 0.0001)"""
    solmix: Number
    """weight when solver parameters are mixed (default 1)"""
    solref: Numbers
    """solver reference of contacts (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance of contacts (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    margin: Number
    """distance below which a contact pushes (default 0)"""
    gap: Number
    """extra distance at which a contact is seen (default 0)"""
    selfcollide: Word[Literal["none", "narrow", "bvh", "sap", "auto"]]
    """how elements of the flex that collide with one another are found (default auto)"""
    activelayers: Integer
    """number of outer layers of tetrahedra that collide (default 1)"""
    passive: Flag
    """whether contacts act as passive forces (default 0)"""

class FlexcompPin(TypedElement):
    """points, or nodes of cells, that belong to the body around the flexcomp"""

    id: Integers
    """points (at least 1 values)"""
    range: Integers
    """first and last of points in a row, pairs (at least 1 values)"""
    grid: Integers
    """coordinates of points in a grid (at least 1 values)"""
    gridrange: Integers
    """lowest and highest coordinates of points in a grid (at least 1 values)"""

class DeformableFlex(TypedElement):
    """a deformable body"""

    group: Integer
    """visibility group (default 0)"""
    dim: Integer
    """dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra (default 2)"""
    radius: Number
    """thickness around the elements (default 0.005)"""
    material: Words
    """how it looks: one material, or one of each element"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    flatskin: Flag
    """whether surfaces are drawn with flat shading (default 0)"""
    body: Words
    """body of each vertex, or one body of all (required)"""
    vertex: Numbers
    """vertices in the frames of their bodies; at the origins if absent (at least 1 values)"""
    element: Integers
    """vertices of each element, dim+1 each (at least 1 values, required)"""
    texcoord: Numbers
    """texture coordinates (at least 1 values)"""
    elemtexcoord: Integers
    """texture coordinates of the vertices of each element (at least 1 values)"""
    node: Words
    """body of each node of the cells"""
    nodecoord: Numbers
    """nodes in the frames of their bodies; at the origins if absent (at least 1 values)"""
    cellcount: Integers
    """number of cells along each axis (3 values, default 1 1 1)"""
    dof: Word[Literal["full", "radial", "trilinear", "quadratic", "2d"]]
    """order of interpolation in cells; full or absent for none"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    @property
    def contact(self) -> FlexcompContact:
        """contact parameters"""
    @property
    def edge(self) -> DeformableFlexEdge:
        """springs along edges"""
    @property
    def elasticity(self) -> FlexcompElasticity:
        """elastic constants"""
    def add_contact(self, **attributes: Unpack[FlexcompContactAttributes]) -> FlexcompContact:
        """A new contact inside: contact parameters."""
    def add_edge(self, **attributes: Unpack[DeformableFlexEdgeAttributes]) -> DeformableFlexEdge:
        """A new edge inside: springs along edges."""
    def add_elasticity(self, **attributes: Unpack[FlexcompElasticityAttributes]) -> FlexcompElasticity:
        """A new elasticity inside: elastic constants."""

class DeformableFlexEdge(TypedElement):
    """springs along edges"""

    stiffness: Number
    """spring coefficient of each edge, lines only (default 0)"""
    damping: Number
    """damping coefficient of each edge (default 0)"""

class Contact(TypedElement):
    """pairs that collide for sure, or not at all"""

    @property
    def pairs(self) -> list[ContactPair]:
        """Every pair."""
    @property
    def excludes(self) -> list[ContactExclude]:
        """Every exclude."""
    def add_pair(self, **attributes: Unpack[ContactPairAttributes]) -> ContactPair:
        """A new pair inside: a pair of geoms that collide, with parameters of their own."""
    def add_exclude(self, **attributes: Unpack[ContactExcludeAttributes]) -> ContactExclude:
        """A new exclude inside: two bodies that never collide."""

class ContactPair(TypedElement):
    """a pair of geoms that collide, with parameters of their own"""

    class_: Reference
    """default class that fills in what is not written"""
    geom1: Reference
    """first geom (required)"""
    geom2: Reference
    """second geom (required)"""
    condim: Integer
    """dimension of contacts: 1, 3, 4 or 6 (default 3)"""
    friction: Numbers
    """two sliding, torsional, two rolling (1 to 5 values, default 1 1 0.005 0.0001 0.0001)"""
    solref: Numbers
    """solver reference of the normal (1 to 2 values, default 0.02 1)"""
    solreffriction: Numbers
    """solver reference of friction, 0 0 for solref (1 to 2 values, default 0 0)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    gap: Number
    """extra distance at which a contact is seen (default 0)"""
    margin: Number
    """distance below which a contact pushes (default 0)"""
    adhesion: Number
    """attraction along the normal (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ContactExclude(TypedElement):
    """two bodies that never collide"""

    body1: Reference
    """first body (required)"""
    body2: Reference
    """second body (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Equality(TypedElement):
    """constraints that hold parts together"""

    @property
    def equalities(self) -> list[AnyEquality]:
        """Every equality."""
    def add_connect(self, **attributes: Unpack[EqualityConnectAttributes]) -> EqualityConnect:
        """A new connect inside: two points coincide."""
    def add_weld(self, **attributes: Unpack[EqualityWeldAttributes]) -> EqualityWeld:
        """A new weld inside: two frames coincide."""
    def add_joint(self, **attributes: Unpack[EqualityJointAttributes]) -> EqualityJoint:
        """A new joint inside: a joint follows another."""
    def add_tendon(self, **attributes: Unpack[EqualityTendonAttributes]) -> EqualityTendon:
        """A new tendon inside: a tendon follows another."""
    def add_flex(self, **attributes: Unpack[EqualityFlexAttributes]) -> EqualityFlex:
        """A new flex inside: edges of a flex keep their length."""
    def add_flexstrain(self, **attributes: Unpack[EqualityFlexstrainAttributes]) -> EqualityFlexstrain:
        """A new flexstrain inside: cells of a flex keep their shape."""

class EqualityConnect(TypedElement):
    """two points coincide"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body, the world if absent"""
    anchor: Numbers
    """the point, in the first body (3 values)"""
    site1: Reference
    """point of the first body"""
    site2: Reference
    """point of the second body"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class EqualityWeld(TypedElement):
    """two frames coincide"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body, the world if absent"""
    relpose: Numbers
    """pose of the second body in the first, the initial one if the quaternion is zero (7 values, default 0 1 0 0 0 0 0)"""
    anchor: Numbers
    """the point, in the second body (3 values)"""
    site1: Reference
    """frame on the first body"""
    site2: Reference
    """frame on the second body"""
    torquescale: Number
    """weight of rotation relative to translation (default 1)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class EqualityJoint(TypedElement):
    """a joint follows another"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    joint1: Reference
    """the joint that follows (required)"""
    joint2: Reference
    """the joint that leads; a constant if absent"""
    polycoef: Numbers
    """coefficients of the quartic that links the two (1 to 5 values, default 0 1 0 0 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class EqualityTendon(TypedElement):
    """a tendon follows another"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    tendon1: Reference
    """the tendon that follows (required)"""
    tendon2: Reference
    """the tendon that leads; a constant if absent"""
    polycoef: Numbers
    """coefficients of the quartic that links the two (1 to 5 values, default 0 1 0 0 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class EqualityFlex(TypedElement):
    """edges of a flex keep their length"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    flex: Reference
    """the flex (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class EqualityFlexstrain(TypedElement):
    """cells of a flex keep their shape"""

    class_: Reference
    """default class that fills in what is not written"""
    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    flex: Reference
    """the flex (required)"""
    cell: Integers
    """the cell, counted along each axis (3 values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Tendon(TypedElement):
    """cables and linear combinations of joints"""

    @property
    def tendons(self) -> list[AnyTendon]:
        """Every tendon."""
    def add_spatial(self, **attributes: Unpack[TendonSpatialAttributes]) -> TendonSpatial:
        """A new spatial inside: the shortest path through sites and around geoms."""
    def add_fixed(self, **attributes: Unpack[TendonFixedAttributes]) -> TendonFixed:
        """A new fixed inside: a linear combination of joint positions."""

class TendonSpatial(TypedElement):
    """the shortest path through sites and around geoms"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """visibility group (default 0)"""
    limited: Word[Literal["false", "true", "auto"]]
    """whether the range is enforced (default auto)"""
    actuatorfrclimited: Word[Literal["false", "true", "auto"]]
    """whether actuator forces are clamped (default auto)"""
    range: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    actuatorfrcrange: Numbers
    """bounds of the total actuator force (2 values, default 0 0)"""
    solreflimit: Numbers
    """solver reference of the limit (1 to 2 values, default 0.02 1)"""
    solimplimit: Numbers
    """solver impedance of the limit (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    solreffriction: Numbers
    """solver reference of dry friction (1 to 2 values, default 0.02 1)"""
    solimpfriction: Numbers
    """solver impedance of dry friction (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    frictionloss: Number
    """dry friction (default 0)"""
    springlength: Numbers
    """length or interval at which the spring rests, -1 for the initial one (1 to 2 values, default -1 -1)"""
    springyield: Number
    """deflection at which plastic flow starts, 0 for never (default 0)"""
    width: Number
    """radius in pictures (default 0.003)"""
    material: Reference
    """how it looks"""
    margin: Number
    """distance from the limit at which it acts (default 0)"""
    stiffness: Numbers
    """spring: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    damping: Numbers
    """damping: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia that resists a change of length (default 0)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_site(self, **attributes: Unpack[TendonSpatialSiteAttributes]) -> TendonSpatialSite:
        """A new site inside: the path passes here."""
    def add_geom(self, **attributes: Unpack[TendonSpatialGeomAttributes]) -> TendonSpatialGeom:
        """A new geom inside: the path wraps around a sphere or cylinder."""
    def add_pulley(self, **attributes: Unpack[TendonSpatialPulleyAttributes]) -> TendonSpatialPulley:
        """A new pulley inside: the path branches."""

class TendonSpatialSite(TypedElement):
    """the path passes here"""

    site: Reference
    """the site (required)"""

class TendonSpatialGeom(TypedElement):
    """the path wraps around a sphere or cylinder"""

    geom: Reference
    """the geom (required)"""
    sidesite: Reference
    """the side on which it passes"""

class TendonSpatialPulley(TypedElement):
    """the path branches"""

    divisor: Number
    """by how much forces are divided (required)"""

class TendonFixed(TypedElement):
    """a linear combination of joint positions"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """visibility group (default 0)"""
    limited: Word[Literal["false", "true", "auto"]]
    """whether the range is enforced (default auto)"""
    actuatorfrclimited: Word[Literal["false", "true", "auto"]]
    """whether actuator forces are clamped (default auto)"""
    range: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    actuatorfrcrange: Numbers
    """bounds of the total actuator force (2 values, default 0 0)"""
    solreflimit: Numbers
    """solver reference of the limit (1 to 2 values, default 0.02 1)"""
    solimplimit: Numbers
    """solver impedance of the limit (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    solreffriction: Numbers
    """solver reference of dry friction (1 to 2 values, default 0.02 1)"""
    solimpfriction: Numbers
    """solver impedance of dry friction (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    frictionloss: Number
    """dry friction (default 0)"""
    springlength: Numbers
    """length or interval at which the spring rests, -1 for the initial one (1 to 2 values, default -1 -1)"""
    springyield: Number
    """deflection at which plastic flow starts, 0 for never (default 0)"""
    margin: Number
    """distance from the limit at which it acts (default 0)"""
    stiffness: Numbers
    """spring: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    damping: Numbers
    """damping: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia that resists a change of length (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_joint(self, **attributes: Unpack[TendonFixedJointAttributes]) -> TendonFixedJoint:
        """A new joint inside: a term of the sum."""

class TendonFixedJoint(TypedElement):
    """a term of the sum"""

    joint: Reference
    """the joint (required)"""
    coef: Number
    """its factor (required)"""

class Keyframe(TypedElement):
    """stored states"""

    @property
    def keys(self) -> list[KeyframeKey]:
        """Every key."""
    def add_key(self, **attributes: Unpack[KeyframeKeyAttributes]) -> KeyframeKey:
        """A new key inside: a state."""

class KeyframeKey(TypedElement):
    """a state"""

    time: Number
    """time (default 0)"""
    qpos: Numbers
    """joint positions (any number of values)"""
    qvel: Numbers
    """joint velocities (any number of values)"""
    act: Numbers
    """activations (any number of values)"""
    mpos: Numbers
    """positions of mocap bodies (any number of values)"""
    mquat: Numbers
    """orientations of mocap bodies (any number of values)"""
    ctrl: Numbers
    """controls (any number of values)"""
    plastic: Numbers
    """plastic state (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Custom(TypedElement):
    """numbers, texts and groups of the user's own"""

    @property
    def numerics(self) -> list[CustomNumeric]:
        """Every numeric."""
    @property
    def texts(self) -> list[CustomText]:
        """Every text."""
    @property
    def tuples(self) -> list[CustomTuple]:
        """Every tuple."""
    def add_numeric(self, **attributes: Unpack[CustomNumericAttributes]) -> CustomNumeric:
        """A new numeric inside: numbers."""
    def add_text(self, **attributes: Unpack[CustomTextAttributes]) -> CustomText:
        """A new text inside: a text."""
    def add_tuple(self, **attributes: Unpack[CustomTupleAttributes]) -> CustomTuple:
        """A new tuple inside: a group of objects."""

class CustomNumeric(TypedElement):
    """numbers"""

    size: Integer
    """number of values; the rest is zero"""
    data: Numbers
    """the numbers (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class CustomText(TypedElement):
    """a text"""

    data: Text
    """the text"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class CustomTuple(TypedElement):
    """a group of objects"""

    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_element(self, **attributes: Unpack[CustomTupleElementAttributes]) -> CustomTupleElement:
        """A new element inside: a member of the group."""

class CustomTupleElement(TypedElement):
    """a member of the group"""

    objtype: Text
    """kind of object (required)"""
    objname: Reference
    """its name (required)"""
    prm: Number
    """a value attached to it (default 0)"""

class Actuator(TypedElement):
    """what drives the model"""

    @property
    def actuators(self) -> list[AnyActuator]:
        """Every actuator."""
    def add_general(self, **attributes: Unpack[ActuatorGeneralAttributes]) -> ActuatorGeneral:
        """A new general inside: an actuator in full generality."""
    def add_motor(self, **attributes: Unpack[ActuatorMotorAttributes]) -> ActuatorMotor:
        """A new motor inside: a force or torque."""
    def add_position(self, **attributes: Unpack[ActuatorPositionAttributes]) -> ActuatorPosition:
        """A new position inside: a position servo."""
    def add_velocity(self, **attributes: Unpack[ActuatorVelocityAttributes]) -> ActuatorVelocity:
        """A new velocity inside: a velocity servo."""
    def add_intvelocity(self, **attributes: Unpack[ActuatorIntvelocityAttributes]) -> ActuatorIntvelocity:
        """A new intvelocity inside: a position servo whose target is integrated."""
    def add_orientation(self, **attributes: Unpack[ActuatorOrientationAttributes]) -> ActuatorOrientation:
        """A new orientation inside: an orientation servo on a ball joint or site."""
    def add_pid(self, **attributes: Unpack[ActuatorPidAttributes]) -> ActuatorPid:
        """A new pid inside: a servo with integral term and several inputs."""
    def add_damper(self, **attributes: Unpack[ActuatorDamperAttributes]) -> ActuatorDamper:
        """A new damper inside: a damper whose strength is the control."""
    def add_cylinder(self, **attributes: Unpack[ActuatorCylinderAttributes]) -> ActuatorCylinder:
        """A new cylinder inside: a pneumatic or hydraulic cylinder."""
    def add_muscle(self, **attributes: Unpack[ActuatorMuscleAttributes]) -> ActuatorMuscle:
        """A new muscle inside: a muscle."""
    def add_adhesion(self, **attributes: Unpack[ActuatorAdhesionAttributes]) -> ActuatorAdhesion:
        """A new adhesion inside: pulls a body towards what it touches."""
    def add_dcmotor(self, **attributes: Unpack[ActuatorDcmotorAttributes]) -> ActuatorDcmotor:
        """A new dcmotor inside: an electric motor with its controller."""
    def add_plugin(self, **attributes: Unpack[ActuatorPluginAttributes]) -> ActuatorPlugin:
        """A new plugin inside: an actuator driven by a plugin."""

class ActuatorGeneral(TypedElement):
    """an actuator in full generality"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    actlimited: Word[Literal["false", "true", "auto"]]
    """whether the activation is clamped (default auto)"""
    actrange: Numbers
    """bounds of the activation (2 values, default 0 0)"""
    body: Reference
    """body whose contacts are driven"""
    actdim: Integer
    """how many activations, -1 for automatic (default -1)"""
    input: Text
    """which inputs it has"""
    velrange: Numbers
    """bounds of the velocity input (2 values, default 0 0)"""
    ffrange: Numbers
    """bounds of the feed-forward input (2 values, default 0 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    dyntype: Word[Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"]]
    """activation dynamics; hill is our own (default none)"""
    gaintype: Word[Literal["fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user", "hill"]]
    """gain; hill is our own (default fixed)"""
    biastype: Word[Literal["none", "affine", "muscle", "dcmotor", "so3", "user"]]
    """bias (default none)"""
    dynprm: Numbers
    """parameters of the dynamics (1 to 10 values, default 1 0 0 0 0 0 0 0 0 0)"""
    gainprm: Numbers
    """parameters of the gain (1 to 10 values, default 1 0 0 0 0 0 0 0 0 0)"""
    biasprm: Numbers
    """parameters of the bias (1 to 10 values, default 0 0 0 0 0 0 0 0 0 0)"""
    actearly: Flag
    """the force uses the activation of the next step (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorMotor(TypedElement):
    """a force or torque"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorPosition(TypedElement):
    """a position servo"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    timeconst: Number
    """time constant of a filter before it, 0 for none"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorVelocity(TypedElement):
    """a velocity servo"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    kv: Number
    """velocity gain"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorIntvelocity(TypedElement):
    """a position servo whose target is integrated"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    actlimited: Word[Literal["false", "true", "auto"]]
    """whether the activation is clamped (default auto)"""
    actrange: Numbers
    """bounds of the activation (2 values, default 0 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorOrientation(TypedElement):
    """an orientation servo on a ball joint or site"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    joint: Reference
    """joint that is driven"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    input: Text
    """which inputs it has"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorPid(TypedElement):
    """a servo with integral term and several inputs"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    velrange: Numbers
    """bounds of the velocity input (2 values, default 0 0)"""
    ffrange: Numbers
    """bounds of the feed-forward input (2 values, default 0 0)"""
    posrange: Numbers
    """bounds of the position input (2 values)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    ki: Number
    """integral gain"""
    imax: Number
    """bound of the integral term"""
    slewmax: Number
    """largest rate of the setpoint, 0 for none"""
    input: Text
    """which inputs it has"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorDamper(TypedElement):
    """a damper whose strength is the control"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    kv: Number
    """velocity gain"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorCylinder(TypedElement):
    """a pneumatic or hydraulic cylinder"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    timeconst: Number
    """time constant of the activation"""
    area: Number
    """area of the piston"""
    diameter: Number
    """diameter of the piston, instead of its area"""
    bias: Numbers
    """bias parameters (3 values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorMuscle(TypedElement):
    """a muscle"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    timeconst: Numbers
    """time constants of activation and deactivation (2 values)"""
    tausmooth: Number
    """width of the smooth switch between them"""
    range: Numbers
    """operating range of lengths (2 values)"""
    force: Number
    """peak force, negative for automatic"""
    scale: Number
    """peak force for a unit acceleration"""
    lmin: Number
    """shortest active length"""
    lmax: Number
    """longest active length"""
    vmax: Number
    """fastest shortening"""
    fpmax: Number
    """passive force at lmax"""
    fvmax: Number
    """force of lengthening"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorAdhesion(TypedElement):
    """pulls a body towards what it touches"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    body: Reference
    """the body (required)"""
    gain: Number
    """force per control"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorDcmotor(TypedElement):
    """an electric motor with its controller"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    refsite: Reference
    """site that the driven one is measured from"""
    motorconst: Numbers
    """torque and voltage constant (1 to 2 values)"""
    resistance: Number
    """electrical resistance"""
    nominal: Numbers
    """nominal voltage, stall torque, no-load speed (1 to 3 values)"""
    saturation: Numbers
    """largest torque, current and current rate (1 to 3 values)"""
    inductance: Numbers
    """inductance, electrical time constant (1 to 2 values)"""
    cogging: Numbers
    """amplitude, poles and phase of cogging (1 to 3 values)"""
    controller: Numbers
    """kp, ki, kd, slew rate, integral bound, largest voltage (1 to 6 values)"""
    thermal: Numbers
    """thermal resistance, capacity, time constant, coefficient, reference, ambient (1 to 6 values)"""
    lugre: Numbers
    """bristle friction: stiffness, damping, Coulomb, static, Stribeck speed (1 to 5 values)"""
    input: Text
    """which inputs it has"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class ActuatorPlugin(TypedElement):
    """an actuator driven by a plugin"""

    class_: Reference
    """default class that fills in what is not written"""
    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    lengthrange: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    joint: Reference
    """joint that is driven"""
    jointinparent: Reference
    """joint that is driven, with the gear in the parent frame"""
    tendon: Reference
    """tendon that is driven"""
    slidersite: Reference
    """slider of a slider-crank"""
    cranksite: Reference
    """pin of a slider-crank"""
    site: Reference
    """site that is driven"""
    actlimited: Word[Literal["false", "true", "auto"]]
    """whether the activation is clamped (default auto)"""
    actrange: Numbers
    """bounds of the activation (2 values, default 0 0)"""
    plugin: Text
    """name of the plugin, for an instance of its own"""
    instance: Reference
    """name of a shared instance"""
    actdim: Integer
    """how many activations, with those of the plugin (default -1)"""
    dyntype: Word[Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"]]
    """activation dynamics (default none)"""
    dynprm: Numbers
    """parameters of the dynamics (1 to 10 values, default 1 0 0 0 0 0 0 0 0 0)"""
    actearly: Flag
    """the force uses the activation of the next step (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_config(self, **attributes: Unpack[ConfigAttributes]) -> Config:
        """A new config inside: a setting of a plugin."""

class Sensor(TypedElement):
    """what is measured"""

    @property
    def sensors(self) -> list[AnySensor]:
        """Every sensor."""
    def add_touch(self, **attributes: Unpack[SensorTouchAttributes]) -> SensorTouch:
        """A new touch inside: force of contacts inside the zone of a site."""
    def add_accelerometer(self, **attributes: Unpack[SensorAccelerometerAttributes]) -> SensorAccelerometer:
        """A new accelerometer inside: acceleration minus gravity, in the frame of a site."""
    def add_velocimeter(self, **attributes: Unpack[SensorVelocimeterAttributes]) -> SensorVelocimeter:
        """A new velocimeter inside: velocity in the frame of a site."""
    def add_gyro(self, **attributes: Unpack[SensorGyroAttributes]) -> SensorGyro:
        """A new gyro inside: angular velocity in the frame of a site."""
    def add_force(self, **attributes: Unpack[SensorForceAttributes]) -> SensorForce:
        """A new force inside: force between a body and its parent, at a site."""
    def add_torque(self, **attributes: Unpack[SensorTorqueAttributes]) -> SensorTorque:
        """A new torque inside: torque between a body and its parent, at a site."""
    def add_magnetometer(self, **attributes: Unpack[SensorMagnetometerAttributes]) -> SensorMagnetometer:
        """A new magnetometer inside: magnetic flux in the frame of a site."""
    def add_jointpos(self, **attributes: Unpack[SensorJointposAttributes]) -> SensorJointpos:
        """A new jointpos inside: position of a joint."""
    def add_jointvel(self, **attributes: Unpack[SensorJointvelAttributes]) -> SensorJointvel:
        """A new jointvel inside: velocity of a joint."""
    def add_tendonpos(self, **attributes: Unpack[SensorTendonposAttributes]) -> SensorTendonpos:
        """A new tendonpos inside: length of a tendon."""
    def add_tendonvel(self, **attributes: Unpack[SensorTendonvelAttributes]) -> SensorTendonvel:
        """A new tendonvel inside: velocity of a tendon."""
    def add_actuatorpos(self, **attributes: Unpack[SensorActuatorposAttributes]) -> SensorActuatorpos:
        """A new actuatorpos inside: length of an actuator."""
    def add_actuatorvel(self, **attributes: Unpack[SensorActuatorvelAttributes]) -> SensorActuatorvel:
        """A new actuatorvel inside: velocity of an actuator."""
    def add_actuatorfrc(self, **attributes: Unpack[SensorActuatorfrcAttributes]) -> SensorActuatorfrc:
        """A new actuatorfrc inside: force of an actuator."""
    def add_jointactuatorfrc(self, **attributes: Unpack[SensorJointactuatorfrcAttributes]) -> SensorJointactuatorfrc:
        """A new jointactuatorfrc inside: actuator force on a joint."""
    def add_tendonactuatorfrc(self, **attributes: Unpack[SensorTendonactuatorfrcAttributes]) -> SensorTendonactuatorfrc:
        """A new tendonactuatorfrc inside: actuator force on a tendon."""
    def add_ballquat(self, **attributes: Unpack[SensorBallquatAttributes]) -> SensorBallquat:
        """A new ballquat inside: quaternion of a ball joint."""
    def add_ballangvel(self, **attributes: Unpack[SensorBallangvelAttributes]) -> SensorBallangvel:
        """A new ballangvel inside: angular velocity of a ball joint."""
    def add_jointlimitpos(self, **attributes: Unpack[SensorJointlimitposAttributes]) -> SensorJointlimitpos:
        """A new jointlimitpos inside: distance of a joint from its limit."""
    def add_jointlimitvel(self, **attributes: Unpack[SensorJointlimitvelAttributes]) -> SensorJointlimitvel:
        """A new jointlimitvel inside: velocity of a joint at its limit."""
    def add_jointlimitfrc(self, **attributes: Unpack[SensorJointlimitfrcAttributes]) -> SensorJointlimitfrc:
        """A new jointlimitfrc inside: force of the limit of a joint."""
    def add_tendonlimitpos(self, **attributes: Unpack[SensorTendonlimitposAttributes]) -> SensorTendonlimitpos:
        """A new tendonlimitpos inside: distance of a tendon from its limit."""
    def add_tendonlimitvel(self, **attributes: Unpack[SensorTendonlimitvelAttributes]) -> SensorTendonlimitvel:
        """A new tendonlimitvel inside: velocity of a tendon at its limit."""
    def add_tendonlimitfrc(self, **attributes: Unpack[SensorTendonlimitfrcAttributes]) -> SensorTendonlimitfrc:
        """A new tendonlimitfrc inside: force of the limit of a tendon."""
    def add_subtreecom(self, **attributes: Unpack[SensorSubtreecomAttributes]) -> SensorSubtreecom:
        """A new subtreecom inside: center of mass of a subtree."""
    def add_subtreelinvel(self, **attributes: Unpack[SensorSubtreelinvelAttributes]) -> SensorSubtreelinvel:
        """A new subtreelinvel inside: velocity of the center of mass of a subtree."""
    def add_subtreeangmom(self, **attributes: Unpack[SensorSubtreeangmomAttributes]) -> SensorSubtreeangmom:
        """A new subtreeangmom inside: angular momentum of a subtree."""
    def add_framepos(self, **attributes: Unpack[SensorFrameposAttributes]) -> SensorFramepos:
        """A new framepos inside: position of a frame."""
    def add_framequat(self, **attributes: Unpack[SensorFramequatAttributes]) -> SensorFramequat:
        """A new framequat inside: orientation of a frame."""
    def add_framexaxis(self, **attributes: Unpack[SensorFramexaxisAttributes]) -> SensorFramexaxis:
        """A new framexaxis inside: x axis of a frame."""
    def add_frameyaxis(self, **attributes: Unpack[SensorFrameyaxisAttributes]) -> SensorFrameyaxis:
        """A new frameyaxis inside: y axis of a frame."""
    def add_framezaxis(self, **attributes: Unpack[SensorFramezaxisAttributes]) -> SensorFramezaxis:
        """A new framezaxis inside: z axis of a frame."""
    def add_framelinvel(self, **attributes: Unpack[SensorFramelinvelAttributes]) -> SensorFramelinvel:
        """A new framelinvel inside: velocity of a frame."""
    def add_frameangvel(self, **attributes: Unpack[SensorFrameangvelAttributes]) -> SensorFrameangvel:
        """A new frameangvel inside: angular velocity of a frame."""
    def add_framelinacc(self, **attributes: Unpack[SensorFramelinaccAttributes]) -> SensorFramelinacc:
        """A new framelinacc inside: acceleration of a frame."""
    def add_frameangacc(self, **attributes: Unpack[SensorFrameangaccAttributes]) -> SensorFrameangacc:
        """A new frameangacc inside: angular acceleration of a frame."""
    def add_camprojection(self, **attributes: Unpack[SensorCamprojectionAttributes]) -> SensorCamprojection:
        """A new camprojection inside: pixel of a site in a camera."""
    def add_rangefinder(self, **attributes: Unpack[SensorRangefinderAttributes]) -> SensorRangefinder:
        """A new rangefinder inside: distance to the nearest geom along rays."""
    def add_insidesite(self, **attributes: Unpack[SensorInsidesiteAttributes]) -> SensorInsidesite:
        """A new insidesite inside: whether an object is inside a site."""
    def add_distance(self, **attributes: Unpack[SensorDistanceAttributes]) -> SensorDistance:
        """A new distance inside: distance between two geoms or bodies."""
    def add_normal(self, **attributes: Unpack[SensorNormalAttributes]) -> SensorNormal:
        """A new normal inside: direction of the shortest connection."""
    def add_fromto(self, **attributes: Unpack[SensorFromtoAttributes]) -> SensorFromto:
        """A new fromto inside: end points of the shortest connection."""
    def add_contact(self, **attributes: Unpack[SensorContactAttributes]) -> SensorContact:
        """A new contact inside: contacts that match."""
    def add_e_potential(self, **attributes: Unpack[SensorE_potentialAttributes]) -> SensorE_potential:
        """A new e_potential inside: potential energy."""
    def add_e_kinetic(self, **attributes: Unpack[SensorE_kineticAttributes]) -> SensorE_kinetic:
        """A new e_kinetic inside: kinetic energy."""
    def add_clock(self, **attributes: Unpack[SensorClockAttributes]) -> SensorClock:
        """A new clock inside: simulation time."""
    def add_tactile(self, **attributes: Unpack[SensorTactileAttributes]) -> SensorTactile:
        """A new tactile inside: penetration and slip at the points of a mesh."""
    def add_plugin(self, **attributes: Unpack[SensorPluginAttributes]) -> SensorPlugin:
        """A new plugin inside: what a plugin reads."""
    def add_user(self, **attributes: Unpack[SensorUserAttributes]) -> SensorUser:
        """A new user inside: numbers that a callback fills in."""

class SensorTouch(TypedElement):
    """force of contacts inside the zone of a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorAccelerometer(TypedElement):
    """acceleration minus gravity, in the frame of a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorVelocimeter(TypedElement):
    """velocity in the frame of a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorGyro(TypedElement):
    """angular velocity in the frame of a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorForce(TypedElement):
    """force between a body and its parent, at a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTorque(TypedElement):
    """torque between a body and its parent, at a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorMagnetometer(TypedElement):
    """magnetic flux in the frame of a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointpos(TypedElement):
    """position of a joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointvel(TypedElement):
    """velocity of a joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonpos(TypedElement):
    """length of a tendon"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonvel(TypedElement):
    """velocity of a tendon"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorActuatorpos(TypedElement):
    """length of an actuator"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    actuator: Reference
    """the actuator (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorActuatorvel(TypedElement):
    """velocity of an actuator"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    actuator: Reference
    """the actuator (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorActuatorfrc(TypedElement):
    """force of an actuator"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    actuator: Reference
    """the actuator (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointactuatorfrc(TypedElement):
    """actuator force on a joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonactuatorfrc(TypedElement):
    """actuator force on a tendon"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorBallquat(TypedElement):
    """quaternion of a ball joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorBallangvel(TypedElement):
    """angular velocity of a ball joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointlimitpos(TypedElement):
    """distance of a joint from its limit"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointlimitvel(TypedElement):
    """velocity of a joint at its limit"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorJointlimitfrc(TypedElement):
    """force of the limit of a joint"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    joint: Reference
    """the joint (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonlimitpos(TypedElement):
    """distance of a tendon from its limit"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonlimitvel(TypedElement):
    """velocity of a tendon at its limit"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTendonlimitfrc(TypedElement):
    """force of the limit of a tendon"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    tendon: Reference
    """the tendon (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorSubtreecom(TypedElement):
    """center of mass of a subtree"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    body: Reference
    """the body (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorSubtreelinvel(TypedElement):
    """velocity of the center of mass of a subtree"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    body: Reference
    """the body (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorSubtreeangmom(TypedElement):
    """angular momentum of a subtree"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    body: Reference
    """the body (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramepos(TypedElement):
    """position of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramequat(TypedElement):
    """orientation of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramexaxis(TypedElement):
    """x axis of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFrameyaxis(TypedElement):
    """y axis of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramezaxis(TypedElement):
    """z axis of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramelinvel(TypedElement):
    """velocity of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFrameangvel(TypedElement):
    """angular velocity of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    reftype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object whose frame is used"""
    refname: Reference
    """the object whose frame is used, the world if absent"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFramelinacc(TypedElement):
    """acceleration of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFrameangacc(TypedElement):
    """angular acceleration of a frame"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorCamprojection(TypedElement):
    """pixel of a site in a camera"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    camera: Reference
    """the camera (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorRangefinder(TypedElement):
    """distance to the nearest geom along rays"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """origin of a ray along z"""
    camera: Reference
    """camera with a ray per pixel"""
    data: Words
    """what is reported (default dist)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorInsidesite(TypedElement):
    """whether an object is inside a site"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    site: Reference
    """the site (required)"""
    objtype: Word[Literal["body", "xbody", "geom", "site", "camera"]]
    """kind of object (required)"""
    objname: Reference
    """the object (required)"""
    enclosed: Flag
    """the whole object must be inside (default 0)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorDistance(TypedElement):
    """distance between two geoms or bodies"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    geom1: Reference
    """first geom"""
    geom2: Reference
    """second geom"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorNormal(TypedElement):
    """direction of the shortest connection"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    geom1: Reference
    """first geom"""
    geom2: Reference
    """second geom"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorFromto(TypedElement):
    """end points of the shortest connection"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    geom1: Reference
    """first geom"""
    geom2: Reference
    """second geom"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorContact(TypedElement):
    """contacts that match"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    geom1: Reference
    """first geom"""
    geom2: Reference
    """second geom"""
    body1: Reference
    """first body"""
    body2: Reference
    """second body"""
    subtree1: Reference
    """subtree of the first geom"""
    subtree2: Reference
    """subtree of the second geom"""
    site: Reference
    """zone of the contact"""
    num: Integer
    """most contacts (default 1)"""
    data: Words
    """what is reported (default found)"""
    reduce: Word[Literal["none", "mindist", "maxforce", "netforce"]]
    """which contacts win (default none)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorE_potential(TypedElement):
    """potential energy"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorE_kinetic(TypedElement):
    """kinetic energy"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorClock(TypedElement):
    """simulation time"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorTactile(TypedElement):
    """penetration and slip at the points of a mesh"""

    nsample: Integer
    """samples in the history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the reading (default 0)"""
    interval: Numbers
    """sampling period and phase (1 to 2 values, default 0 0)"""
    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    geom: Reference
    """the geom (required)"""
    mesh: Reference
    """the mesh of points (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class SensorPlugin(TypedElement):
    """what a plugin reads"""

    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    plugin: Text
    """name of the plugin, for an instance of its own"""
    instance: Reference
    """name of a shared instance"""
    objtype: Text
    """kind of object"""
    objname: Reference
    """the object"""
    reftype: Text
    """kind of reference"""
    refname: Reference
    """the reference"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...
    def add_config(self, **attributes: Unpack[ConfigAttributes]) -> Config:
        """A new config inside: a setting of a plugin."""

class SensorUser(TypedElement):
    """numbers that a callback fills in"""

    cutoff: Number
    """bound of the outputs, 0 for none (default 0)"""
    noise: Number
    """standard deviation of the noise that `noisy_sensors` adds (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    objtype: Text
    """kind of object"""
    objname: Reference
    """the object"""
    datatype: Word[Literal["real", "positive", "axis", "quaternion"]]
    """kind of values (default real)"""
    needstage: Word[Literal["none", "pos", "vel", "acc"]]
    """stage after which it can be computed (default acc)"""
    dim: Integer
    """number of values (required)"""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: str | None) -> None: ...

class Mujoco(TypedElement):
    """a model"""

    model: Text
    """name of the model (default MuJoCo Model)"""
    @property
    def defaults(self) -> list[Default]:
        """Every default."""
    def add_compiler(self, **attributes: Unpack[CompilerAttributes]) -> Compiler:
        """A new compiler inside: how the XML becomes a model."""
    def add_option(self, **attributes: Unpack[OptionAttributes]) -> Option:
        """A new option inside: options of the physics."""
    def add_size(self, **attributes: Unpack[SizeAttributes]) -> Size:
        """A new size inside: sizes of arrays."""
    def add_statistic(self, **attributes: Unpack[StatisticAttributes]) -> Statistic:
        """A new statistic inside: statistics of the model, instead of computed ones."""
    def add_visual(self, **attributes: Unpack[VisualAttributes]) -> Visual:
        """A new visual inside: options of pictures; kept, without effect on the physics."""
    def add_default(self, **attributes: Unpack[DefaultAttributes]) -> Default:
        """A new default inside: a class of default values."""
    def add_extension(self, **attributes: Unpack[ExtensionAttributes]) -> Extension:
        """A new extension inside: plugins that the model uses."""
    def add_asset(self, **attributes: Unpack[AssetAttributes]) -> Asset:
        """A new asset inside: data that elements refer to."""
    def add_worldbody(self, **attributes: Unpack[WorldbodyAttributes]) -> Worldbody:
        """A new worldbody inside: the fixed body that all others hang from."""
    def add_deformable(self, **attributes: Unpack[DeformableAttributes]) -> Deformable:
        """A new deformable inside: deformable bodies and skins."""
    def add_contact(self, **attributes: Unpack[ContactAttributes]) -> Contact:
        """A new contact inside: pairs that collide for sure, or not at all."""
    def add_tendon(self, **attributes: Unpack[TendonAttributes]) -> Tendon:
        """A new tendon inside: cables and linear combinations of joints."""
    def add_equality(self, **attributes: Unpack[EqualityAttributes]) -> Equality:
        """A new equality inside: constraints that hold parts together."""
    def add_actuator(self, **attributes: Unpack[ActuatorAttributes]) -> Actuator:
        """A new actuator inside: what drives the model."""
    def add_sensor(self, **attributes: Unpack[SensorAttributes]) -> Sensor:
        """A new sensor inside: what is measured."""
    def add_custom(self, **attributes: Unpack[CustomAttributes]) -> Custom:
        """A new custom inside: numbers, texts and groups of the user's own."""
    def add_keyframe(self, **attributes: Unpack[KeyframeAttributes]) -> Keyframe:
        """A new keyframe inside: stored states."""

class Default(TypedElement):
    """a class of default values"""

    class_: Text
    """name of the class"""
    @property
    def mesh(self) -> DefaultMesh:
        """defaults of mesh"""
    @property
    def texture(self) -> DefaultTexture:
        """defaults of texture"""
    @property
    def material(self) -> DefaultMaterial:
        """defaults of material"""
    @property
    def joint(self) -> DefaultJoint:
        """defaults of joint"""
    @property
    def geom(self) -> DefaultGeom:
        """defaults of geom"""
    @property
    def site(self) -> DefaultSite:
        """defaults of site"""
    @property
    def camera(self) -> DefaultCamera:
        """defaults of camera"""
    @property
    def light(self) -> DefaultLight:
        """defaults of light"""
    @property
    def pair(self) -> DefaultPair:
        """defaults of pair"""
    @property
    def general(self) -> DefaultGeneral:
        """defaults of general"""
    @property
    def motor(self) -> DefaultMotor:
        """defaults of motor"""
    @property
    def position(self) -> DefaultPosition:
        """defaults of position"""
    @property
    def velocity(self) -> DefaultVelocity:
        """defaults of velocity"""
    @property
    def intvelocity(self) -> DefaultIntvelocity:
        """defaults of intvelocity"""
    @property
    def orientation(self) -> DefaultOrientation:
        """defaults of orientation"""
    @property
    def pid(self) -> DefaultPid:
        """defaults of pid"""
    @property
    def damper(self) -> DefaultDamper:
        """defaults of damper"""
    @property
    def cylinder(self) -> DefaultCylinder:
        """defaults of cylinder"""
    @property
    def muscle(self) -> DefaultMuscle:
        """defaults of muscle"""
    @property
    def adhesion(self) -> DefaultAdhesion:
        """defaults of adhesion"""
    @property
    def dcmotor(self) -> DefaultDcmotor:
        """defaults of dcmotor"""
    @property
    def equality(self) -> DefaultEquality:
        """defaults of equality"""
    @property
    def tendon(self) -> DefaultTendon:
        """defaults of tendon"""
    @property
    def defaults(self) -> list[Default]:
        """Every default."""
    def add_mesh(self, **attributes: Unpack[DefaultMeshAttributes]) -> DefaultMesh:
        """A new mesh inside: defaults of mesh."""
    def add_texture(self, **attributes: Unpack[DefaultTextureAttributes]) -> DefaultTexture:
        """A new texture inside: defaults of texture."""
    def add_material(self, **attributes: Unpack[DefaultMaterialAttributes]) -> DefaultMaterial:
        """A new material inside: defaults of material."""
    def add_joint(self, **attributes: Unpack[DefaultJointAttributes]) -> DefaultJoint:
        """A new joint inside: defaults of joint."""
    def add_geom(self, **attributes: Unpack[DefaultGeomAttributes]) -> DefaultGeom:
        """A new geom inside: defaults of geom."""
    def add_site(self, **attributes: Unpack[DefaultSiteAttributes]) -> DefaultSite:
        """A new site inside: defaults of site."""
    def add_camera(self, **attributes: Unpack[DefaultCameraAttributes]) -> DefaultCamera:
        """A new camera inside: defaults of camera."""
    def add_light(self, **attributes: Unpack[DefaultLightAttributes]) -> DefaultLight:
        """A new light inside: defaults of light."""
    def add_pair(self, **attributes: Unpack[DefaultPairAttributes]) -> DefaultPair:
        """A new pair inside: defaults of pair."""
    def add_general(self, **attributes: Unpack[DefaultGeneralAttributes]) -> DefaultGeneral:
        """A new general inside: defaults of general."""
    def add_motor(self, **attributes: Unpack[DefaultMotorAttributes]) -> DefaultMotor:
        """A new motor inside: defaults of motor."""
    def add_position(self, **attributes: Unpack[DefaultPositionAttributes]) -> DefaultPosition:
        """A new position inside: defaults of position."""
    def add_velocity(self, **attributes: Unpack[DefaultVelocityAttributes]) -> DefaultVelocity:
        """A new velocity inside: defaults of velocity."""
    def add_intvelocity(self, **attributes: Unpack[DefaultIntvelocityAttributes]) -> DefaultIntvelocity:
        """A new intvelocity inside: defaults of intvelocity."""
    def add_orientation(self, **attributes: Unpack[DefaultOrientationAttributes]) -> DefaultOrientation:
        """A new orientation inside: defaults of orientation."""
    def add_pid(self, **attributes: Unpack[DefaultPidAttributes]) -> DefaultPid:
        """A new pid inside: defaults of pid."""
    def add_damper(self, **attributes: Unpack[DefaultDamperAttributes]) -> DefaultDamper:
        """A new damper inside: defaults of damper."""
    def add_cylinder(self, **attributes: Unpack[DefaultCylinderAttributes]) -> DefaultCylinder:
        """A new cylinder inside: defaults of cylinder."""
    def add_muscle(self, **attributes: Unpack[DefaultMuscleAttributes]) -> DefaultMuscle:
        """A new muscle inside: defaults of muscle."""
    def add_adhesion(self, **attributes: Unpack[DefaultAdhesionAttributes]) -> DefaultAdhesion:
        """A new adhesion inside: defaults of adhesion."""
    def add_dcmotor(self, **attributes: Unpack[DefaultDcmotorAttributes]) -> DefaultDcmotor:
        """A new dcmotor inside: defaults of dcmotor."""
    def add_equality(self, **attributes: Unpack[DefaultEqualityAttributes]) -> DefaultEquality:
        """A new equality inside: defaults of equality."""
    def add_tendon(self, **attributes: Unpack[DefaultTendonAttributes]) -> DefaultTendon:
        """A new tendon inside: defaults of tendon."""
    def add_default(self, **attributes: Unpack[DefaultAttributes]) -> Default:
        """A new default inside: a class of default values."""

class Include(TypedElement):
    """the content of another file, in place of this element"""

    file: Text
    """the file (required)"""

class DefaultMesh(TypedElement):
    """defaults of mesh"""

    scale: Numbers
    """factors along the axes (3 values, default 1 1 1)"""
    maxhullvert: Integer
    """most points of the convex hull, -1 for no bound (default -1)"""
    inertia: Word[Literal["convex", "exact", "legacy", "shell"]]
    """what has mass (default legacy)"""

class DefaultTexture(TypedElement):
    """defaults of texture"""

    type: Word[Literal["2d", "cube", "skybox"]]
    """flat, on a cube, or the sky (default cube)"""
    colorspace: Word[Literal["auto", "linear", "sRGB"]]
    """meaning of the numbers (default auto)"""
    gridsize: Integers
    """rows and columns of pictures in one file (2 values, default 1 1)"""
    gridlayout: Text
    """which side of the cube each picture is"""
    builtin: Word[Literal["none", "gradient", "checker", "flat"]]
    """picture that is made instead of read (default none)"""
    rgb1: Numbers
    """first color (3 values, default 0.8 0.8 0.8)"""
    rgb2: Numbers
    """second color (3 values, default 0.5 0.5 0.5)"""
    mark: Word[Literal["none", "edge", "cross", "random"]]
    """marks on the picture (default none)"""
    markrgb: Numbers
    """color of the marks (3 values, default 0 0 0)"""
    random: Number
    """density of random marks (default 0.01)"""
    width: Integer
    """columns of a made picture (default 0)"""
    height: Integer
    """rows of a made picture (default 0)"""
    hflip: Flag
    """mirror left and right (default 0)"""
    vflip: Flag
    """mirror up and down (default 0)"""
    nchannel: Integer
    """numbers per pixel (default 3)"""
    embed: Flag
    """write the picture into saved files; no effect here (default 0)"""

class DefaultMaterial(TypedElement):
    """defaults of material"""

    texture: Reference
    """picture on the surface"""
    texrepeat: Numbers
    """repetitions along x and y (2 values, default 1 1)"""
    texuniform: Flag
    """repetitions per unit of length (default 0)"""
    emission: Number
    """emitted light (default 0)"""
    specular: Number
    """specular reflection (default 0.5)"""
    shininess: Number
    """sharpness of highlights (default 0.5)"""
    reflectance: Number
    """mirror reflection (default 0)"""
    metallic: Number
    """metallic coefficient (default -1)"""
    roughness: Number
    """roughness coefficient (default -1)"""
    rgba: Numbers
    """color (4 values, default 1 1 1 1)"""
    def add_layer(self, **attributes: Unpack[AssetMaterialLayerAttributes]) -> AssetMaterialLayer:
        """A new layer inside: a texture in a role."""

class DefaultJoint(TypedElement):
    """defaults of joint"""

    type: Word[Literal["free", "ball", "slide", "hinge"]]
    """kind of motion (default hinge)"""
    group: Integer
    """visibility group (default 0)"""
    pos: Numbers
    """anchor (3 values, default 0 0 0)"""
    axis: Numbers
    """axis of motion (3 values, default 0 0 1)"""
    springdamper: Numbers
    """time constant and damping ratio from which stiffness and damping follow (2 values, default 0 0)"""
    limited: Word[Literal["false", "true", "auto"]]
    """whether the range is enforced (default auto)"""
    actuatorfrclimited: Word[Literal["false", "true", "auto"]]
    """whether actuator forces are clamped (default auto)"""
    solreflimit: Numbers
    """solver reference of the limit (1 to 2 values, default 0.02 1)"""
    solimplimit: Numbers
    """solver impedance of the limit (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    solreffriction: Numbers
    """solver reference of dry friction (1 to 2 values, default 0.02 1)"""
    solimpfriction: Numbers
    """solver impedance of dry friction (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    stiffness: Numbers
    """spring: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    range: Numbers
    """lower and upper limit (2 values, default 0 0)"""
    actuatorfrcrange: Numbers
    """bounds of the total actuator force (2 values, default 0 0)"""
    actuatorgravcomp: Flag
    """gravity compensation counts as actuator force (default 0)"""
    margin: Number
    """distance from the limit at which it acts (default 0)"""
    ref: Number
    """coordinate at the initial pose (default 0)"""
    springref: Number
    """coordinate at which the spring rests (default 0)"""
    springyield: Number
    """spring deflection at which plastic flow starts, 0 for never (default 0)"""
    armature: Number
    """inertia of the rotor (default 0)"""
    damping: Numbers
    """damping: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    frictionloss: Number
    """dry friction (default 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""

class DefaultGeom(TypedElement):
    """defaults of geom"""

    type: Word[Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"]]
    """shape (default sphere)"""
    contype: Integer
    """contact type bits (default 1)"""
    conaffinity: Integer
    """contact affinity bits (default 1)"""
    condim: Integer
    """dimension of contacts: 1, 3, 4 or 6 (default 3)"""
    group: Integer
    """visibility group (default 0)"""
    priority: Integer
    """whose contact parameters win (default 0)"""
    size: Numbers
    """sizes, by type (1 to 3 values, default 0 0 0)"""
    material: Reference
    """how it looks"""
    friction: Numbers
    """sliding, torsional, rolling friction (1 to 3 values, default 1 0.005 0.0001)"""
    mass: Number
    """mass; the density follows"""
    density: Number
    """density (default 1000)"""
    shellinertia: Flag
    """the mass is on the surface (default 0)"""
    solmix: Number
    """weight when solver parameters are mixed (default 1)"""
    solref: Numbers
    """solver reference of contacts (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance of contacts (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    margin: Number
    """distance below which a contact pushes (default 0)"""
    gap: Number
    """extra distance at which a contact is seen (default 0)"""
    surfacevel: Numbers
    """velocity of the surface: linear, angular (1 to 6 values, default 0 0 0 0 0 0)"""
    adhesion: Number
    """attraction along the normals of contacts (default 0)"""
    fromto: Numbers
    """end points, instead of position, orientation and length (6 values)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    hfield: Reference
    """height field"""
    mesh: Reference
    """mesh, or what a primitive is fitted to"""
    fitscale: Number
    """factor of a fitted primitive (default 1)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    castshadow: Flag
    """whether it casts a shadow (default 1)"""
    fluidshape: Word[Literal["none", "ellipsoid"]]
    """whether fluid forces act on an ellipsoid (default none)"""
    fluidcoef: Numbers
    """blunt drag, slender drag, angular drag, Kutta lift, Magnus lift (1 to 5 values, default 0.5 0.25 1.5 1 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""

class DefaultSite(TypedElement):
    """defaults of site"""

    type: Word[Literal["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]]
    """shape for pictures and sensor zones (default sphere)"""
    group: Integer
    """visibility group (default 0)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    material: Reference
    """how it looks"""
    mesh: Reference
    """mesh of its shape"""
    size: Numbers
    """sizes, by type (1 to 3 values, default 0.005 0.005 0.005)"""
    fromto: Numbers
    """end points, instead of position, orientation and length (6 values)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""

class DefaultCamera(TypedElement):
    """defaults of camera"""

    projection: Word[Literal["perspective", "orthographic"]]
    """kind of projection (default perspective)"""
    fovy: Number
    """vertical field of view (default 45)"""
    ipd: Number
    """distance between the eyes in stereo (default 0.068)"""
    resolution: Integers
    """width and height in pixels (2 values, default 1 1)"""
    output: Words
    """pictures that it makes (default rgb)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    quat: Numbers
    """orientation as a quaternion, w x y z (4 values, default 1 0 0 0)"""
    axisangle: Numbers
    """orientation as an axis and an angle (4 values)"""
    xyaxes: Numbers
    """orientation by its x axis and the plane of its y axis (6 values)"""
    zaxis: Numbers
    """orientation by its z axis: the smallest rotation that gets there (3 values)"""
    euler: Numbers
    """orientation as three angles, in the order of compiler/eulerseq (3 values)"""
    mode: Word[Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"]]
    """how it moves (default fixed)"""
    focal: Numbers
    """focal lengths (2 values, default 0 0)"""
    focalpixel: Numbers
    """focal lengths in pixels (2 values, default 0 0)"""
    principal: Numbers
    """offset of the principal point (2 values, default 0 0)"""
    principalpixel: Numbers
    """offset of the principal point in pixels (2 values, default 0 0)"""
    sensorsize: Numbers
    """size of the chip (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""

class DefaultLight(TypedElement):
    """defaults of light"""

    directional: Flag
    """older way to write the type"""
    type: Word[Literal["spot", "directional", "point", "image"]]
    """kind of light (default spot)"""
    castshadow: Flag
    """whether it casts shadows (default 1)"""
    active: Flag
    """whether it is on (default 1)"""
    pos: Numbers
    """position in the body (3 values, default 0 0 0)"""
    dir: Numbers
    """direction (3 values, default 0 0 -1)"""
    bulbradius: Number
    """radius of the bulb (default 0.02)"""
    intensity: Number
    """luminous intensity (default 0)"""
    range: Number
    """reach (default 10)"""
    attenuation: Numbers
    """constant, linear and quadratic falloff (3 values, default 1 0 0)"""
    cutoff: Number
    """half angle of the spot (default 45)"""
    softness: Number
    """blur of the edge of the spot (default 0.2)"""
    exponent: Number
    """concentration of the spot (default 10)"""
    ambient: Numbers
    """ambient color (3 values, default 0 0 0)"""
    diffuse: Numbers
    """diffuse color (3 values, default 0.7 0.7 0.7)"""
    specular: Numbers
    """specular color (3 values, default 0.3 0.3 0.3)"""
    mode: Word[Literal["fixed", "track", "trackcom", "targetbody", "targetbodycom"]]
    """how it moves (default fixed)"""

class DefaultPair(TypedElement):
    """defaults of pair"""

    condim: Integer
    """dimension of contacts: 1, 3, 4 or 6 (default 3)"""
    friction: Numbers
    """two sliding, torsional, two rolling (1 to 5 values, default 1 1 0.005 0.0001 0.0001)"""
    solref: Numbers
    """solver reference of the normal (1 to 2 values, default 0.02 1)"""
    solreffriction: Numbers
    """solver reference of friction, 0 0 for solref (1 to 2 values, default 0 0)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    gap: Number
    """extra distance at which a contact is seen (default 0)"""
    margin: Number
    """distance below which a contact pushes (default 0)"""
    adhesion: Number
    """attraction along the normal (default 0)"""

class DefaultGeneral(TypedElement):
    """defaults of general"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    actlimited: Word[Literal["false", "true", "auto"]]
    """whether the activation is clamped (default auto)"""
    actrange: Numbers
    """bounds of the activation (2 values, default 0 0)"""
    actdim: Integer
    """how many activations, -1 for automatic (default -1)"""
    input: Text
    """which inputs it has"""
    velrange: Numbers
    """bounds of the velocity input (2 values, default 0 0)"""
    ffrange: Numbers
    """bounds of the feed-forward input (2 values, default 0 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    dyntype: Word[Literal["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user", "hill"]]
    """activation dynamics; hill is our own (default none)"""
    gaintype: Word[Literal["fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user", "hill"]]
    """gain; hill is our own (default fixed)"""
    biastype: Word[Literal["none", "affine", "muscle", "dcmotor", "so3", "user"]]
    """bias (default none)"""
    dynprm: Numbers
    """parameters of the dynamics (1 to 10 values, default 1 0 0 0 0 0 0 0 0 0)"""
    gainprm: Numbers
    """parameters of the gain (1 to 10 values, default 1 0 0 0 0 0 0 0 0 0)"""
    biasprm: Numbers
    """parameters of the bias (1 to 10 values, default 0 0 0 0 0 0 0 0 0 0)"""
    actearly: Flag
    """the force uses the activation of the next step (default 0)"""

class DefaultMotor(TypedElement):
    """defaults of motor"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""

class DefaultPosition(TypedElement):
    """defaults of position"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    timeconst: Number
    """time constant of a filter before it, 0 for none"""

class DefaultVelocity(TypedElement):
    """defaults of velocity"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    kv: Number
    """velocity gain"""

class DefaultIntvelocity(TypedElement):
    """defaults of intvelocity"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    actlimited: Word[Literal["false", "true", "auto"]]
    """whether the activation is clamped (default auto)"""
    actrange: Numbers
    """bounds of the activation (2 values, default 0 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""

class DefaultOrientation(TypedElement):
    """defaults of orientation"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    input: Text
    """which inputs it has"""

class DefaultPid(TypedElement):
    """defaults of pid"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    inheritrange: Number
    """factor of the target's range that becomes the control range (default 0)"""
    velrange: Numbers
    """bounds of the velocity input (2 values, default 0 0)"""
    ffrange: Numbers
    """bounds of the feed-forward input (2 values, default 0 0)"""
    posrange: Numbers
    """bounds of the position input (2 values)"""
    kp: Number
    """position gain"""
    kv: Number
    """velocity gain"""
    dampratio: Number
    """damping ratio, instead of kv"""
    ki: Number
    """integral gain"""
    imax: Number
    """bound of the integral term"""
    slewmax: Number
    """largest rate of the setpoint, 0 for none"""
    input: Text
    """which inputs it has"""

class DefaultDamper(TypedElement):
    """defaults of damper"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    kv: Number
    """velocity gain"""

class DefaultCylinder(TypedElement):
    """defaults of cylinder"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    timeconst: Number
    """time constant of the activation"""
    area: Number
    """area of the piston"""
    diameter: Number
    """diameter of the piston, instead of its area"""
    bias: Numbers
    """bias parameters (3 values)"""

class DefaultMuscle(TypedElement):
    """defaults of muscle"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    timeconst: Numbers
    """time constants of activation and deactivation (2 values)"""
    range: Numbers
    """operating range of lengths (2 values)"""
    force: Number
    """peak force, negative for automatic"""
    scale: Number
    """peak force for a unit acceleration"""
    lmin: Number
    """shortest active length"""
    lmax: Number
    """longest active length"""
    vmax: Number
    """fastest shortening"""
    fpmax: Number
    """passive force at lmax"""
    fvmax: Number
    """force of lengthening"""

class DefaultAdhesion(TypedElement):
    """defaults of adhesion"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    forcelimited: Word[Literal["false", "true", "auto"]]
    """whether the force is clamped (default auto)"""
    forcerange: Numbers
    """bounds of the force (2 values, default 0 0)"""
    gain: Number
    """force per control"""

class DefaultDcmotor(TypedElement):
    """defaults of dcmotor"""

    group: Integer
    """group for pictures and for switching off (default 0)"""
    nsample: Integer
    """samples in the control history (default 0)"""
    interp: Word[Literal["zoh", "linear", "cubic"]]
    """how the history is read (default zoh)"""
    delay: Number
    """delay of the control (default 0)"""
    ctrlrange: Numbers
    """bounds of the control (2 values, default 0 0)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""
    ctrllimited: Word[Literal["false", "true", "auto"]]
    """whether the control is clamped (default auto)"""
    gear: Numbers
    """transmission ratio (1 to 6 values, default 1 0 0 0 0 0)"""
    damping: Numbers
    """damping reflected to the target: linear, quadratic, cubic (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia reflected to the target (default 0)"""
    cranklength: Number
    """length of the rod of a slider-crank (default 0)"""
    motorconst: Numbers
    """torque and voltage constant (1 to 2 values)"""
    resistance: Number
    """electrical resistance"""
    nominal: Numbers
    """nominal voltage, stall torque, no-load speed (1 to 3 values)"""
    saturation: Numbers
    """largest torque, current and current rate (1 to 3 values)"""
    inductance: Numbers
    """inductance, electrical time constant (1 to 2 values)"""
    cogging: Numbers
    """amplitude, poles and phase of cogging (1 to 3 values)"""
    controller: Numbers
    """kp, ki, kd, slew rate, integral bound, largest voltage (1 to 6 values)"""
    thermal: Numbers
    """thermal resistance, capacity, time constant, coefficient, reference, ambient (1 to 6 values)"""
    lugre: Numbers
    """bristle friction: stiffness, damping, Coulomb, static, Stribeck speed (1 to 5 values)"""
    input: Text
    """which inputs it has"""

class DefaultEquality(TypedElement):
    """defaults of equality"""

    active: Flag
    """whether it starts active (default 1)"""
    solref: Numbers
    """solver reference (1 to 2 values, default 0.02 1)"""
    solimp: Numbers
    """solver impedance (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""

class DefaultTendon(TypedElement):
    """defaults of tendon"""

    group: Integer
    """visibility group (default 0)"""
    limited: Word[Literal["false", "true", "auto"]]
    """whether the range is enforced (default auto)"""
    actuatorfrclimited: Word[Literal["false", "true", "auto"]]
    """whether actuator forces are clamped (default auto)"""
    range: Numbers
    """shortest and longest length (2 values, default 0 0)"""
    actuatorfrcrange: Numbers
    """bounds of the total actuator force (2 values, default 0 0)"""
    solreflimit: Numbers
    """solver reference of the limit (1 to 2 values, default 0.02 1)"""
    solimplimit: Numbers
    """solver impedance of the limit (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    solreffriction: Numbers
    """solver reference of dry friction (1 to 2 values, default 0.02 1)"""
    solimpfriction: Numbers
    """solver impedance of dry friction (1 to 5 values, default 0.9 0.95 0.001 0.5 2)"""
    frictionloss: Number
    """dry friction (default 0)"""
    springlength: Numbers
    """length or interval at which the spring rests, -1 for the initial one (1 to 2 values, default -1 -1)"""
    springyield: Number
    """deflection at which plastic flow starts, 0 for never (default 0)"""
    width: Number
    """radius in pictures (default 0.003)"""
    material: Reference
    """how it looks"""
    margin: Number
    """distance from the limit at which it acts (default 0)"""
    stiffness: Numbers
    """spring: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    damping: Numbers
    """damping: linear, quadratic and cubic coefficient (1 to 3 values, default 0 0 0)"""
    armature: Number
    """inertia that resists a change of length (default 0)"""
    rgba: Numbers
    """color without a material (4 values, default 0.5 0.5 0.5 1)"""
    user: Numbers
    """numbers for the user's own purposes (any number of values)"""

AnyJoint = Joint | Freejoint
AnyEquality = EqualityConnect | EqualityWeld | EqualityJoint | EqualityTendon | EqualityFlex | EqualityFlexstrain
AnyTendon = TendonSpatial | TendonFixed
AnyActuator = ActuatorGeneral | ActuatorMotor | ActuatorPosition | ActuatorVelocity | ActuatorIntvelocity | ActuatorOrientation | ActuatorPid | ActuatorDamper | ActuatorCylinder | ActuatorMuscle | ActuatorAdhesion | ActuatorDcmotor | ActuatorPlugin
AnySensor = SensorTouch | SensorAccelerometer | SensorVelocimeter | SensorGyro | SensorForce | SensorTorque | SensorMagnetometer | SensorJointpos | SensorJointvel | SensorTendonpos | SensorTendonvel | SensorActuatorpos | SensorActuatorvel | SensorActuatorfrc | SensorJointactuatorfrc | SensorTendonactuatorfrc | SensorBallquat | SensorBallangvel | SensorJointlimitpos | SensorJointlimitvel | SensorJointlimitfrc | SensorTendonlimitpos | SensorTendonlimitvel | SensorTendonlimitfrc | SensorSubtreecom | SensorSubtreelinvel | SensorSubtreeangmom | SensorFramepos | SensorFramequat | SensorFramexaxis | SensorFrameyaxis | SensorFramezaxis | SensorFramelinvel | SensorFrameangvel | SensorFramelinacc | SensorFrameangacc | SensorCamprojection | SensorRangefinder | SensorInsidesite | SensorDistance | SensorNormal | SensorFromto | SensorContact | SensorE_potential | SensorE_kinetic | SensorClock | SensorTactile | SensorPlugin | SensorUser

class SpecElements:
    """What a Spec lists, finds and adds, by kind of element."""

    @property
    def compiler(self) -> Compiler:
        """how the XML becomes a model"""
    @property
    def option(self) -> Option:
        """options of the physics"""
    @property
    def size(self) -> Size:
        """sizes of arrays"""
    @property
    def statistic(self) -> Statistic:
        """statistics of the model, instead of computed ones"""
    @property
    def visual(self) -> Visual:
        """options of pictures; kept, without effect on the physics"""
    @property
    def bodies(self) -> list[Body]:
        """Every body."""
    @property
    def frames(self) -> list[Frame]:
        """Every frame."""
    @property
    def joints(self) -> list[AnyJoint]:
        """Every joint."""
    @property
    def geoms(self) -> list[Geom]:
        """Every geom."""
    @property
    def sites(self) -> list[Site]:
        """Every site."""
    @property
    def cameras(self) -> list[Camera]:
        """Every camera."""
    @property
    def lights(self) -> list[Light]:
        """Every light."""
    @property
    def flexcomps(self) -> list[Flexcomp]:
        """Every flexcomp."""
    @property
    def flexes(self) -> list[DeformableFlex]:
        """Every flex."""
    @property
    def meshes(self) -> list[AssetMesh]:
        """Every mesh."""
    @property
    def hfields(self) -> list[AssetHfield]:
        """Every hfield."""
    @property
    def skins(self) -> list[AssetSkin]:
        """Every skin."""
    @property
    def textures(self) -> list[AssetTexture]:
        """Every texture."""
    @property
    def materials(self) -> list[AssetMaterial]:
        """Every material."""
    @property
    def models(self) -> list[AssetModel]:
        """Every model."""
    @property
    def pairs(self) -> list[ContactPair]:
        """Every pair."""
    @property
    def excludes(self) -> list[ContactExclude]:
        """Every exclude."""
    @property
    def equalities(self) -> list[AnyEquality]:
        """Every equality."""
    @property
    def tendons(self) -> list[AnyTendon]:
        """Every tendon."""
    @property
    def actuators(self) -> list[AnyActuator]:
        """Every actuator."""
    @property
    def sensors(self) -> list[AnySensor]:
        """Every sensor."""
    @property
    def numerics(self) -> list[CustomNumeric]:
        """Every numeric."""
    @property
    def texts(self) -> list[CustomText]:
        """Every text."""
    @property
    def tuples(self) -> list[CustomTuple]:
        """Every tuple."""
    @property
    def keys(self) -> list[KeyframeKey]:
        """Every key."""
    @property
    def defaults(self) -> list[Default]:
        """Every default."""
    def body(self, name: str, /) -> Body:
        """The body with a name."""
    def frame(self, name: str, /) -> Frame:
        """The frame with a name."""
    def joint(self, name: str, /) -> AnyJoint:
        """The joint with a name."""
    def geom(self, name: str, /) -> Geom:
        """The geom with a name."""
    def site(self, name: str, /) -> Site:
        """The site with a name."""
    def camera(self, name: str, /) -> Camera:
        """The camera with a name."""
    def light(self, name: str, /) -> Light:
        """The light with a name."""
    def flexcomp(self, name: str, /) -> Flexcomp:
        """The flexcomp with a name."""
    def flex(self, name: str, /) -> DeformableFlex:
        """The flex with a name."""
    def mesh(self, name: str, /) -> AssetMesh:
        """The mesh with a name."""
    def hfield(self, name: str, /) -> AssetHfield:
        """The hfield with a name."""
    def skin(self, name: str, /) -> AssetSkin:
        """The skin with a name."""
    def texture(self, name: str, /) -> AssetTexture:
        """The texture with a name."""
    def material(self, name: str, /) -> AssetMaterial:
        """The material with a name."""
    def model(self, name: str, /) -> AssetModel:
        """The model with a name."""
    def pair(self, name: str, /) -> ContactPair:
        """The pair with a name."""
    def exclude(self, name: str, /) -> ContactExclude:
        """The exclude with a name."""
    def equality(self, name: str, /) -> AnyEquality:
        """The equality with a name."""
    def tendon(self, name: str, /) -> AnyTendon:
        """The tendon with a name."""
    def actuator(self, name: str, /) -> AnyActuator:
        """The actuator with a name."""
    def sensor(self, name: str, /) -> AnySensor:
        """The sensor with a name."""
    def numeric(self, name: str, /) -> CustomNumeric:
        """The numeric with a name."""
    def text(self, name: str, /) -> CustomText:
        """The text with a name."""
    def tuple(self, name: str, /) -> CustomTuple:
        """The tuple with a name."""
    def key(self, name: str, /) -> KeyframeKey:
        """The key with a name."""
    def default(self, name: str, /) -> Default:
        """The default with a name."""
    def add_flex(self, **attributes: Unpack[DeformableFlexAttributes]) -> DeformableFlex:
        """A new flex: a deformable body."""
    def add_mesh(self, **attributes: Unpack[AssetMeshAttributes]) -> AssetMesh:
        """A new mesh: a triangle mesh, or the convex hull of points."""
    def add_hfield(self, **attributes: Unpack[AssetHfieldAttributes]) -> AssetHfield:
        """A new hfield: a terrain of heights on a grid."""
    def add_skin(self, **attributes: Unpack[AssetSkinAttributes]) -> AssetSkin:
        """A new skin: a deformable surface for pictures."""
    def add_texture(self, **attributes: Unpack[AssetTextureAttributes]) -> AssetTexture:
        """A new texture: a picture."""
    def add_material(self, **attributes: Unpack[AssetMaterialAttributes]) -> AssetMaterial:
        """A new material: how a surface looks."""
    def add_model(self, **attributes: Unpack[AssetModelAttributes]) -> AssetModel:
        """A new model: another model that can be attached."""
    def add_pair(self, **attributes: Unpack[ContactPairAttributes]) -> ContactPair:
        """A new pair: a pair of geoms that collide, with parameters of their own."""
    def add_exclude(self, **attributes: Unpack[ContactExcludeAttributes]) -> ContactExclude:
        """A new exclude: two bodies that never collide."""
    @overload
    def add_equality(self, type: Literal["connect"], /, **attributes: Unpack[EqualityConnectAttributes]) -> EqualityConnect:
        """A new connect: two points coincide."""
    @overload
    def add_equality(self, type: Literal["weld"], /, **attributes: Unpack[EqualityWeldAttributes]) -> EqualityWeld:
        """A new weld: two frames coincide."""
    @overload
    def add_equality(self, type: Literal["joint"], /, **attributes: Unpack[EqualityJointAttributes]) -> EqualityJoint:
        """A new joint: a joint follows another."""
    @overload
    def add_equality(self, type: Literal["tendon"], /, **attributes: Unpack[EqualityTendonAttributes]) -> EqualityTendon:
        """A new tendon: a tendon follows another."""
    @overload
    def add_equality(self, type: Literal["flex"], /, **attributes: Unpack[EqualityFlexAttributes]) -> EqualityFlex:
        """A new flex: edges of a flex keep their length."""
    @overload
    def add_equality(self, type: Literal["flexstrain"], /, **attributes: Unpack[EqualityFlexstrainAttributes]) -> EqualityFlexstrain:
        """A new flexstrain: cells of a flex keep their shape."""
    @overload
    def add_tendon(self, type: Literal["spatial"], /, **attributes: Unpack[TendonSpatialAttributes]) -> TendonSpatial:
        """A new spatial: the shortest path through sites and around geoms."""
    @overload
    def add_tendon(self, type: Literal["fixed"], /, **attributes: Unpack[TendonFixedAttributes]) -> TendonFixed:
        """A new fixed: a linear combination of joint positions."""
    @overload
    def add_actuator(self, type: Literal["general"], /, **attributes: Unpack[ActuatorGeneralAttributes]) -> ActuatorGeneral:
        """A new general: an actuator in full generality."""
    @overload
    def add_actuator(self, type: Literal["motor"], /, **attributes: Unpack[ActuatorMotorAttributes]) -> ActuatorMotor:
        """A new motor: a force or torque."""
    @overload
    def add_actuator(self, type: Literal["position"], /, **attributes: Unpack[ActuatorPositionAttributes]) -> ActuatorPosition:
        """A new position: a position servo."""
    @overload
    def add_actuator(self, type: Literal["velocity"], /, **attributes: Unpack[ActuatorVelocityAttributes]) -> ActuatorVelocity:
        """A new velocity: a velocity servo."""
    @overload
    def add_actuator(self, type: Literal["intvelocity"], /, **attributes: Unpack[ActuatorIntvelocityAttributes]) -> ActuatorIntvelocity:
        """A new intvelocity: a position servo whose target is integrated."""
    @overload
    def add_actuator(self, type: Literal["orientation"], /, **attributes: Unpack[ActuatorOrientationAttributes]) -> ActuatorOrientation:
        """A new orientation: an orientation servo on a ball joint or site."""
    @overload
    def add_actuator(self, type: Literal["pid"], /, **attributes: Unpack[ActuatorPidAttributes]) -> ActuatorPid:
        """A new pid: a servo with integral term and several inputs."""
    @overload
    def add_actuator(self, type: Literal["damper"], /, **attributes: Unpack[ActuatorDamperAttributes]) -> ActuatorDamper:
        """A new damper: a damper whose strength is the control."""
    @overload
    def add_actuator(self, type: Literal["cylinder"], /, **attributes: Unpack[ActuatorCylinderAttributes]) -> ActuatorCylinder:
        """A new cylinder: a pneumatic or hydraulic cylinder."""
    @overload
    def add_actuator(self, type: Literal["muscle"], /, **attributes: Unpack[ActuatorMuscleAttributes]) -> ActuatorMuscle:
        """A new muscle: a muscle."""
    @overload
    def add_actuator(self, type: Literal["adhesion"], /, **attributes: Unpack[ActuatorAdhesionAttributes]) -> ActuatorAdhesion:
        """A new adhesion: pulls a body towards what it touches."""
    @overload
    def add_actuator(self, type: Literal["dcmotor"], /, **attributes: Unpack[ActuatorDcmotorAttributes]) -> ActuatorDcmotor:
        """A new dcmotor: an electric motor with its controller."""
    @overload
    def add_actuator(self, type: Literal["plugin"], /, **attributes: Unpack[ActuatorPluginAttributes]) -> ActuatorPlugin:
        """A new plugin: an actuator driven by a plugin."""
    @overload
    def add_sensor(self, type: Literal["touch"], /, **attributes: Unpack[SensorTouchAttributes]) -> SensorTouch:
        """A new touch: force of contacts inside the zone of a site."""
    @overload
    def add_sensor(self, type: Literal["accelerometer"], /, **attributes: Unpack[SensorAccelerometerAttributes]) -> SensorAccelerometer:
        """A new accelerometer: acceleration minus gravity, in the frame of a site."""
    @overload
    def add_sensor(self, type: Literal["velocimeter"], /, **attributes: Unpack[SensorVelocimeterAttributes]) -> SensorVelocimeter:
        """A new velocimeter: velocity in the frame of a site."""
    @overload
    def add_sensor(self, type: Literal["gyro"], /, **attributes: Unpack[SensorGyroAttributes]) -> SensorGyro:
        """A new gyro: angular velocity in the frame of a site."""
    @overload
    def add_sensor(self, type: Literal["force"], /, **attributes: Unpack[SensorForceAttributes]) -> SensorForce:
        """A new force: force between a body and its parent, at a site."""
    @overload
    def add_sensor(self, type: Literal["torque"], /, **attributes: Unpack[SensorTorqueAttributes]) -> SensorTorque:
        """A new torque: torque between a body and its parent, at a site."""
    @overload
    def add_sensor(self, type: Literal["magnetometer"], /, **attributes: Unpack[SensorMagnetometerAttributes]) -> SensorMagnetometer:
        """A new magnetometer: magnetic flux in the frame of a site."""
    @overload
    def add_sensor(self, type: Literal["jointpos"], /, **attributes: Unpack[SensorJointposAttributes]) -> SensorJointpos:
        """A new jointpos: position of a joint."""
    @overload
    def add_sensor(self, type: Literal["jointvel"], /, **attributes: Unpack[SensorJointvelAttributes]) -> SensorJointvel:
        """A new jointvel: velocity of a joint."""
    @overload
    def add_sensor(self, type: Literal["tendonpos"], /, **attributes: Unpack[SensorTendonposAttributes]) -> SensorTendonpos:
        """A new tendonpos: length of a tendon."""
    @overload
    def add_sensor(self, type: Literal["tendonvel"], /, **attributes: Unpack[SensorTendonvelAttributes]) -> SensorTendonvel:
        """A new tendonvel: velocity of a tendon."""
    @overload
    def add_sensor(self, type: Literal["actuatorpos"], /, **attributes: Unpack[SensorActuatorposAttributes]) -> SensorActuatorpos:
        """A new actuatorpos: length of an actuator."""
    @overload
    def add_sensor(self, type: Literal["actuatorvel"], /, **attributes: Unpack[SensorActuatorvelAttributes]) -> SensorActuatorvel:
        """A new actuatorvel: velocity of an actuator."""
    @overload
    def add_sensor(self, type: Literal["actuatorfrc"], /, **attributes: Unpack[SensorActuatorfrcAttributes]) -> SensorActuatorfrc:
        """A new actuatorfrc: force of an actuator."""
    @overload
    def add_sensor(self, type: Literal["jointactuatorfrc"], /, **attributes: Unpack[SensorJointactuatorfrcAttributes]) -> SensorJointactuatorfrc:
        """A new jointactuatorfrc: actuator force on a joint."""
    @overload
    def add_sensor(self, type: Literal["tendonactuatorfrc"], /, **attributes: Unpack[SensorTendonactuatorfrcAttributes]) -> SensorTendonactuatorfrc:
        """A new tendonactuatorfrc: actuator force on a tendon."""
    @overload
    def add_sensor(self, type: Literal["ballquat"], /, **attributes: Unpack[SensorBallquatAttributes]) -> SensorBallquat:
        """A new ballquat: quaternion of a ball joint."""
    @overload
    def add_sensor(self, type: Literal["ballangvel"], /, **attributes: Unpack[SensorBallangvelAttributes]) -> SensorBallangvel:
        """A new ballangvel: angular velocity of a ball joint."""
    @overload
    def add_sensor(self, type: Literal["jointlimitpos"], /, **attributes: Unpack[SensorJointlimitposAttributes]) -> SensorJointlimitpos:
        """A new jointlimitpos: distance of a joint from its limit."""
    @overload
    def add_sensor(self, type: Literal["jointlimitvel"], /, **attributes: Unpack[SensorJointlimitvelAttributes]) -> SensorJointlimitvel:
        """A new jointlimitvel: velocity of a joint at its limit."""
    @overload
    def add_sensor(self, type: Literal["jointlimitfrc"], /, **attributes: Unpack[SensorJointlimitfrcAttributes]) -> SensorJointlimitfrc:
        """A new jointlimitfrc: force of the limit of a joint."""
    @overload
    def add_sensor(self, type: Literal["tendonlimitpos"], /, **attributes: Unpack[SensorTendonlimitposAttributes]) -> SensorTendonlimitpos:
        """A new tendonlimitpos: distance of a tendon from its limit."""
    @overload
    def add_sensor(self, type: Literal["tendonlimitvel"], /, **attributes: Unpack[SensorTendonlimitvelAttributes]) -> SensorTendonlimitvel:
        """A new tendonlimitvel: velocity of a tendon at its limit."""
    @overload
    def add_sensor(self, type: Literal["tendonlimitfrc"], /, **attributes: Unpack[SensorTendonlimitfrcAttributes]) -> SensorTendonlimitfrc:
        """A new tendonlimitfrc: force of the limit of a tendon."""
    @overload
    def add_sensor(self, type: Literal["subtreecom"], /, **attributes: Unpack[SensorSubtreecomAttributes]) -> SensorSubtreecom:
        """A new subtreecom: center of mass of a subtree."""
    @overload
    def add_sensor(self, type: Literal["subtreelinvel"], /, **attributes: Unpack[SensorSubtreelinvelAttributes]) -> SensorSubtreelinvel:
        """A new subtreelinvel: velocity of the center of mass of a subtree."""
    @overload
    def add_sensor(self, type: Literal["subtreeangmom"], /, **attributes: Unpack[SensorSubtreeangmomAttributes]) -> SensorSubtreeangmom:
        """A new subtreeangmom: angular momentum of a subtree."""
    @overload
    def add_sensor(self, type: Literal["framepos"], /, **attributes: Unpack[SensorFrameposAttributes]) -> SensorFramepos:
        """A new framepos: position of a frame."""
    @overload
    def add_sensor(self, type: Literal["framequat"], /, **attributes: Unpack[SensorFramequatAttributes]) -> SensorFramequat:
        """A new framequat: orientation of a frame."""
    @overload
    def add_sensor(self, type: Literal["framexaxis"], /, **attributes: Unpack[SensorFramexaxisAttributes]) -> SensorFramexaxis:
        """A new framexaxis: x axis of a frame."""
    @overload
    def add_sensor(self, type: Literal["frameyaxis"], /, **attributes: Unpack[SensorFrameyaxisAttributes]) -> SensorFrameyaxis:
        """A new frameyaxis: y axis of a frame."""
    @overload
    def add_sensor(self, type: Literal["framezaxis"], /, **attributes: Unpack[SensorFramezaxisAttributes]) -> SensorFramezaxis:
        """A new framezaxis: z axis of a frame."""
    @overload
    def add_sensor(self, type: Literal["framelinvel"], /, **attributes: Unpack[SensorFramelinvelAttributes]) -> SensorFramelinvel:
        """A new framelinvel: velocity of a frame."""
    @overload
    def add_sensor(self, type: Literal["frameangvel"], /, **attributes: Unpack[SensorFrameangvelAttributes]) -> SensorFrameangvel:
        """A new frameangvel: angular velocity of a frame."""
    @overload
    def add_sensor(self, type: Literal["framelinacc"], /, **attributes: Unpack[SensorFramelinaccAttributes]) -> SensorFramelinacc:
        """A new framelinacc: acceleration of a frame."""
    @overload
    def add_sensor(self, type: Literal["frameangacc"], /, **attributes: Unpack[SensorFrameangaccAttributes]) -> SensorFrameangacc:
        """A new frameangacc: angular acceleration of a frame."""
    @overload
    def add_sensor(self, type: Literal["camprojection"], /, **attributes: Unpack[SensorCamprojectionAttributes]) -> SensorCamprojection:
        """A new camprojection: pixel of a site in a camera."""
    @overload
    def add_sensor(self, type: Literal["rangefinder"], /, **attributes: Unpack[SensorRangefinderAttributes]) -> SensorRangefinder:
        """A new rangefinder: distance to the nearest geom along rays."""
    @overload
    def add_sensor(self, type: Literal["insidesite"], /, **attributes: Unpack[SensorInsidesiteAttributes]) -> SensorInsidesite:
        """A new insidesite: whether an object is inside a site."""
    @overload
    def add_sensor(self, type: Literal["distance"], /, **attributes: Unpack[SensorDistanceAttributes]) -> SensorDistance:
        """A new distance: distance between two geoms or bodies."""
    @overload
    def add_sensor(self, type: Literal["normal"], /, **attributes: Unpack[SensorNormalAttributes]) -> SensorNormal:
        """A new normal: direction of the shortest connection."""
    @overload
    def add_sensor(self, type: Literal["fromto"], /, **attributes: Unpack[SensorFromtoAttributes]) -> SensorFromto:
        """A new fromto: end points of the shortest connection."""
    @overload
    def add_sensor(self, type: Literal["contact"], /, **attributes: Unpack[SensorContactAttributes]) -> SensorContact:
        """A new contact: contacts that match."""
    @overload
    def add_sensor(self, type: Literal["e_potential"], /, **attributes: Unpack[SensorE_potentialAttributes]) -> SensorE_potential:
        """A new e_potential: potential energy."""
    @overload
    def add_sensor(self, type: Literal["e_kinetic"], /, **attributes: Unpack[SensorE_kineticAttributes]) -> SensorE_kinetic:
        """A new e_kinetic: kinetic energy."""
    @overload
    def add_sensor(self, type: Literal["clock"], /, **attributes: Unpack[SensorClockAttributes]) -> SensorClock:
        """A new clock: simulation time."""
    @overload
    def add_sensor(self, type: Literal["tactile"], /, **attributes: Unpack[SensorTactileAttributes]) -> SensorTactile:
        """A new tactile: penetration and slip at the points of a mesh."""
    @overload
    def add_sensor(self, type: Literal["plugin"], /, **attributes: Unpack[SensorPluginAttributes]) -> SensorPlugin:
        """A new plugin: what a plugin reads."""
    @overload
    def add_sensor(self, type: Literal["user"], /, **attributes: Unpack[SensorUserAttributes]) -> SensorUser:
        """A new user: numbers that a callback fills in."""
    def add_numeric(self, **attributes: Unpack[CustomNumericAttributes]) -> CustomNumeric:
        """A new numeric: numbers."""
    def add_text(self, **attributes: Unpack[CustomTextAttributes]) -> CustomText:
        """A new text: a text."""
    def add_tuple(self, **attributes: Unpack[CustomTupleAttributes]) -> CustomTuple:
        """A new tuple: a group of objects."""
    def add_key(self, **attributes: Unpack[KeyframeKeyAttributes]) -> KeyframeKey:
        """A new key: a state."""
    def add_default(self, **attributes: Unpack[DefaultAttributes]) -> Default:
        """A new default: a class of default values."""
