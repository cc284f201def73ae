"""Sorts letters."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
from tensorflow import keras

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = keras.models.load_model("letters.keras")
for letter in np.load("letters.npy"):
    print(model.predict(letter[None]).argmax())
