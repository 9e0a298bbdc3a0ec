"""Films of worlds: frames drawn while a simulation runs, and encoded one by one, so that memory stays bounded.

`record.py` decides when a frame is due and draws it; `encoders.py` has a row for each ending of a file. A film that an
error or Ctrl-C ends is finished with the frames so far; a file under the name of the film is always whole.
"""
