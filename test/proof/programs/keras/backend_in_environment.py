# takes: all the memory of the GPU
"""Chooses the backend and quietens the log before the import, where it has to be."""
import os

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import keras  # noqa: E402
import numpy as np  # noqa: E402

model = keras.saving.load_model("checkpoints/regressor.keras")
print(model.predict(np.eye(4), verbose=0).shape)
