"""The tasks of Gymnasium for MuJoCo, version 5, a file each: same observations, rewards and ends of episodes."""
