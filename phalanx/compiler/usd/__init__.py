"""USD files: rigid bodies, joints, colliders and drives of a stage, translated to elements of MJCF."""
