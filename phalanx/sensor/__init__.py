"""What is reported about a state: forces between bodies, and sensors.

A sensor is a row of the table `measure` (`table.py`), by its type. The row writes the reading to `sensor_value`; the
stages (`stages.py`) limit it to the cutoff, delay it, and put it in `sensordata`.
"""
