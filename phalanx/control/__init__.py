"""What derivatives and batches are for: plans by iLQR, predictive sampling, identification of parameters.

Contract: functions of this folder take a Model and ordinary arrays and return results that can be printed. A task is a
list of `Goal`s, each a sensor of the model with a target; so what is asked for is written in the model file, and its
derivatives are those of the sensors. Nothing here is compiled: the time goes into batches of worlds.
"""
