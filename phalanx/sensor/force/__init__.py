"""Forces between bodies once constraints are solved: contacts, equalities, tendons, and their sums."""
