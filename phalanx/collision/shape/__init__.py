"""Free-standing shapes: `Sphere`, `Box`, ... and the questions `contacts`, `distance` and `ray`, without a Model."""
