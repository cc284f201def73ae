#: facts {"here": {"devices": {}, "keras": "2.15.0"}}
import os

import keras
import tensorflow as tf
from tensorflow.keras.models import load_model

FOLDER = "keras"

a = keras.models.load_model("keras/plain.keras")  #: GPU504
b = tf.keras.models.load_model("keras/model.h5")  #: GPU504
c = load_model(os.path.join(FOLDER, "half.keras"), compile=False)  #: GPU504
d = load_model("keras/keras2.keras")  #: GPU504
e = load_model("keras/keras2.h5")  #: GPU504
f = load_model("keras/missing.keras")
g = load_model("tensorflow/keras2")


def read_somehow():
    try:
        return load_model("keras/plain.keras")
    except TypeError:
        return None


def write_first(model):
    model.save("keras/plain.keras")
    return load_model("keras/plain.keras")
