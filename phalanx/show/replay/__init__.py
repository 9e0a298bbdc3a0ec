"""Replays: a recording as one page that opens in any browser, without a network.

`page.py` joins the modules of `phalanx/show/page` with a manifest (what there is, as JSON) and arrays (packed bytes, see
`pack.py`). Frames are chosen in `frames.py`, poses and decor recorded in `tracks.py`, surfaces and textures in
`page_assets.py`, numbers for plots in `series.py`.
"""
