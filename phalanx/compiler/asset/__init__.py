"""Assets: meshes, height fields, textures, materials and skins, from files or made from parameters."""
