"""How the pages become a site: `make docs`."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Phalanx"
author = copyright = "the Phalanx authors"
version = release = PROJECT["version"]

extensions = ["myst_nb", "sphinx_copybutton"]
exclude_patterns = ["_build"]
# the notebook is shown with what it has stored; a test runs it and compares
nb_execution_mode = "off"
myst_heading_anchors = 3
# prompts and output are not copied with the code
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"Phalanx {release}"
html_favicon = "pictures/icon.svg"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b4530b", "color-brand-content": "#b4530b"},
    "dark_css_variables": {"color-brand-primary": "#f0883e", "color-brand-content": "#f0883e"},
}
html_show_sourcelink = False
