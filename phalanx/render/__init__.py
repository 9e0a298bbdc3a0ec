"""Pictures of a scene without a graphics driver: kernels that take many pixels in the lanes of a vector register."""
