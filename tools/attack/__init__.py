"""Attacks: each module tries to make Phalanx crash, hang, lie or run foreign code, and tells what it found."""
