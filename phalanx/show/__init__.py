"""Ways to show worlds to people: the viewer in the browser, recordings, replays that can be handed around."""
