"""Colliders with a formula or an algorithm of their own, filed under the first type of their pairs."""
