"""Triangle meshes: from vertices and faces, or a file, to what the mesh rows of a Model hold.

`Mesh` ties it together: readers of files, convex hull, polygons of the hull, inertia, and the bounding volume tree,
each as MuJoCo's compiler makes them. Plain NumPy and SciPy that run when a model is made; no kernels.
"""

from phalanx.mesh.errors import MeshError
from phalanx.mesh.inertia import InertiaMode, MassProperties
from phalanx.mesh.mesh import Mesh
from phalanx.mesh.read import MeshSource, read_mesh

__all__ = ["InertiaMode", "MassProperties", "Mesh", "MeshError", "MeshSource", "read_mesh"]
