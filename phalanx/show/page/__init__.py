"""Pages in the browser: readable ES modules, a style and a template; no code in Python.

`math.js`, `unpack.js`, `surfaces.js`, `shaders.js`, `draw_list.js`, `renderer.js`, `scene.js`, `labels.js` and
`camera.js` draw a scene whose poses come from anywhere; `recording.js`, `transport.js`, `plots.js`, `panel.js` and
`main.js` are the replay.
"""
