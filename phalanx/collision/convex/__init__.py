"""Convex shapes by search: GJK for the distance, EPA for the depth, faces clipped to several contacts."""
