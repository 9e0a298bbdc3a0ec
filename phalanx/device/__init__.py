"""Worlds on a GPU: one thread each, all of their memory on the device."""
