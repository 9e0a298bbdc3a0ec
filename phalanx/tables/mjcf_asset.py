"""MJCF rows of assets: meshes, height fields, textures, materials, skins, attached models."""

from __future__ import annotations

from phalanx.tables.mjcf_row import (
    CLASS,
    MANY,
    RGBA,
    element,
    file,
    flag,
    integer,
    keyword,
    name_of,
    real,
    refers,
    text,
)

MESH_INERTIA = {"convex": 0, "exact": 1, "legacy": 2, "shell": 3}
MESH_BUILTIN = (
    "none sphere hemisphere cone supertorus supersphere wedge plate grid box cylinder ellipsoid square disc".split()
)
TEXTURE_ROLES = {
    name: k
    for k, name in enumerate("user rgb occlusion roughness metallic normal opacity emissive rgba orm".split())
    if name != "user"
}

ASSET = (
    element("asset", "data that elements refer to",
            many="asset/mesh asset/hfield asset/skin asset/texture asset/material asset/model"),
    element(
        "asset/mesh", "a triangle mesh, or the convex hull of points",
        name_of("mesh"), CLASS,
        text("content_type", "media type of the file", inherits=False),
        file("file", "OBJ, STL or MSH file; with an extra also DAE, GLTF and GLB"),
        real("vertex", "points", count=(0, MANY), inherits=False),
        real("normal", "normals of the points", count=(0, MANY), inherits=False),
        real("texcoord", "texture coordinates of the points", count=(0, MANY), inherits=False),
        integer("face", "points of the triangles", count=(0, MANY), inherits=False),
        real("refpos", "point that becomes the origin", (0.0, 0.0, 0.0), count=3, inherits=False),
        real("refquat", "orientation that is undone", (1.0, 0.0, 0.0, 0.0), count=4, inherits=False),
        real("scale", "factors along the axes", (1.0, 1.0, 1.0), "mesh_scale", 3),
        flag("smoothnormal", "normals average over sharp edges", inherits=False),
        integer("maxhullvert", "most points of the convex hull, -1 for no bound", -1),
        keyword("inertia", "what has mass", MESH_INERTIA, "legacy"),
        keyword("builtin", "shape that is made instead of read", {name: k for k, name in enumerate(MESH_BUILTIN)},
                inherits=False),
        real("params", "parameters of the built-in shape", count=(0, MANY), inherits=False),
        refers("material", "material", "material of geoms that have none", optional=True),
        many="plugin",
    ),
    element(
        "asset/hfield", "a terrain of heights on a grid",
        name_of("hfield"),
        text("content_type", "media type of the file"),
        file("file", "PNG picture or binary file of heights"),
        integer("nrow", "rows, along y", 0, lowest=0),
        integer("ncol", "columns, along x", 0, lowest=0),
        real("size", "half extents in x and y, highest point, depth of the base", None, "hfield_size", 4,
            required=True),
        real("elevation", "heights, row by row from the far side", count=(0, MANY)),
    ),
    element(
        "asset/skin", "a deformable surface for pictures",
        name_of("skin"),
        file("file", "SKN file"),
        refers("material", "material", "material", optional=True),
        real("rgba", "color without a material", RGBA, "skin_rgba", 4),
        real("inflate", "offset along the normals", 0.0, "skin_inflate"),
        real("vertex", "points at the bind pose", count=(0, MANY)),
        real("texcoord", "texture coordinates", count=(0, MANY)),
        integer("face", "points of the triangles", count=(0, MANY)),
        integer("group", "visibility group", 0, "skin_group"),
        many="asset/skin/bone",
    ),
    element(
        "asset/skin/bone", "a body that pulls points of the skin",
        refers("body", "body", "the body", required=True),
        real("bindpos", "its position at the bind pose", None, count=3, required=True),
        real("bindquat", "its orientation at the bind pose", None, count=4, required=True),
        integer("vertid", "points that it pulls", (), count=(0, MANY), required=True),
        real("vertweight", "how strongly", (), count=(0, MANY), required=True),
        is_piece=True,
    ),
    element(
        "asset/texture", "a picture",
        name_of("texture"), CLASS,
        keyword("type", "flat, on a cube, or the sky", {"2d": 0, "cube": 1, "skybox": 2}, "cube", "tex_type"),
        keyword("colorspace", "meaning of the numbers", {"auto": 0, "linear": 1, "sRGB": 2}, "auto", "tex_colorspace"),
        text("content_type", "media type of the file"),
        file("file", "PNG or binary file"),
        integer("gridsize", "rows and columns of pictures in one file", (1, 1), count=2),
        text("gridlayout", "which side of the cube each picture is", default=""),
        *(file(f"file{side}", f"{side} side of the cube") for side in ("right", "left", "up", "down", "front", "back")),
        keyword("builtin", "picture that is made instead of read", {"none": 0, "gradient": 1, "checker": 2,
            "flat": 3}, "none"),
        real("rgb1", "first color", (0.8, 0.8, 0.8), count=3),
        real("rgb2", "second color", (0.5, 0.5, 0.5), count=3),
        keyword("mark", "marks on the picture", {"none": 0, "edge": 1, "cross": 2, "random": 3}, "none"),
        real("markrgb", "color of the marks", (0.0, 0.0, 0.0), count=3),
        real("random", "density of random marks", 0.01),
        integer("width", "columns of a made picture", 0),
        integer("height", "rows of a made picture", 0),
        flag("hflip", "mirror left and right"),
        flag("vflip", "mirror up and down"),
        integer("nchannel", "numbers per pixel", 3),
        flag("embed", "write the picture into saved files; no effect here"),
    ),
    element(
        "asset/material", "how a surface looks",
        name_of("material"), CLASS,
        refers("texture", "texture", "picture on the surface", inherits=True, optional=True),
        real("texrepeat", "repetitions along x and y", (1.0, 1.0), "mat_texrepeat", 2),
        flag("texuniform", "repetitions per unit of length", False, "mat_texuniform"),
        real("emission", "emitted light", 0.0, "mat_emission"),
        real("specular", "specular reflection", 0.5, "mat_specular"),
        real("shininess", "sharpness of highlights", 0.5, "mat_shininess"),
        real("reflectance", "mirror reflection", 0.0, "mat_reflectance"),
        real("metallic", "metallic coefficient", -1.0, "mat_metallic"),
        real("roughness", "roughness coefficient", -1.0, "mat_roughness"),
        real("rgba", "color", (1.0, 1.0, 1.0, 1.0), "mat_rgba", 4),
        many="asset/material/layer",
    ),
    element(
        "asset/material/layer", "a texture in a role",
        refers("texture", "texture", "the picture", required=True),
        keyword("role", "what the picture says", TEXTURE_ROLES, required=True),
    ),
    element(
        "asset/model", "another model that can be attached",
        name_of("model"),
        file("file", "MJCF file", required=True),
        text("content_type", "media type of the file"),
    ),
)  # fmt: skip
