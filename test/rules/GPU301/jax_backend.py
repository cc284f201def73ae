import os

os.environ["KERAS_BACKEND"] = "jax"

import jax
import keras

print(jax.devices())
model = keras.saving.load_model("model.keras")
