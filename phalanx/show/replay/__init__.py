"""Replays: a recording as one page that opens in any browser, without a network.

`page_text.py` joins the modules of `phalanx/show/page` with a manifest (what there is, as JSON) and arrays (see
`packed.py`). `frames.py` chooses rows of the trajectory, `world_frames.py` computes what they show, `tracks.py` stores
it; `still.py` has what does not move, `page_assets.py` its surfaces and textures, `series.py` the numbers for plots.
"""
