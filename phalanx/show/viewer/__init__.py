"""The viewer: a page in the browser that shows a world, runs it, and lets the user take hold of it.

Three threads share the work, and everything has one owner:

- The *world thread* owns the Data or the batch, and everything that follows from it (`session.py`). It steps in time
  with the clock (`clock.py`) and now and then makes a `Frame`, a copy of all that the page shows. In the passive
  viewer this is the thread of the user, inside `sync`.
- The *page thread* (`page.py`) takes the newest frame and sends what has changed to the browser: poses of nodes
  (`nodes.py`), numbers and plots of the panel (`panel*.py`).
- *viser* serves the page and calls our callbacks in threads of its own. A callback never touches a world: it posts a
  command (`commands.py`), which the world thread carries out before its next step.
"""
