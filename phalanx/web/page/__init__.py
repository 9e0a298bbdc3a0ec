"""The page that simulates: ES modules beside those of replays (`phalanx/show/page`), a style; no code in Python.

`simulation.js` runs a module on an image, and stands alone: the JavaScript package has it, too. `layers.js`,
`tendon_path.js` and `loose_rows.js` make decor, `drag.js` pulls bodies, `live_world.js` tells the page where bodies
are, `run_bar.js` and `controls.js` are its controls, and `live.js` puts all of it together.
"""
