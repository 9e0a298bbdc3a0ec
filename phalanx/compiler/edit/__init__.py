"""Trees of elements changed as trees: replicate, attach, references, keyframes, static bodies fused."""
