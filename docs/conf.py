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

#: Built-in models that are simulated in pages of the site, and the keyframe that each begins with.
LIVE = {"quadruped": "stand", "humanoid": "stand", "gripper": None}


def write_live_pages(app, error):
    """Write the pages of `docs/web.md` once the site is there; they are large, so the sources do not have them."""
    if error is not None or app.builder.name != "html":
        return
    import phalanx

    folder = Path(app.outdir) / "live"
    folder.mkdir(exist_ok=True)
    for name, key in LIVE.items():
        model = phalanx.load(name)
        data = model.make_data() if key is None else model.make_data().reset(key)
        phalanx.export_web(model, folder / f"{name}.html", data=data, title=name)


def setup(app):
    """What Sphinx asks for: what to call, and when."""
    app.connect("build-finished", write_live_pages)
