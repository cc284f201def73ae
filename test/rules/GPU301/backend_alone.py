"""Choosing the backend chooses no device."""
import os

os.environ["KERAS_BACKEND"] = "jax"

import keras

model = keras.saving.load_model("model.keras")  #: GPU301
