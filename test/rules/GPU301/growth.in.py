"""Sorts letters."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.models.load_model("letters.keras")
for letter in np.load("letters.npy"):
    print(model.predict(letter[None]).argmax())
