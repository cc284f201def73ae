"""Safe, or somebody else's decision."""
import os

import keras
import tensorflow as tf
from keras.models import load_model
from mlflow.keras import load_model as mlflow_load_model

from .storage import load_model as own_load_model

TRUSTED = bool(os.environ.get("TRUSTED"))

a = keras.models.load_model("a.keras")
b = keras.models.load_model("b.keras", safe_mode=True)
c = tf.keras.models.load_model("c.keras", safe_mode=not TRUSTED)
d = load_model("d.keras", None, False)
e = load_model("e.keras", compile=False)
f = mlflow_load_model("f", safe_mode=False)
g = own_load_model("g", safe_mode=False)
options = {"safe_mode": False}
h = load_model("h.keras", **options)


def read(path, safe_mode=False):
    return load_model(path, safe_mode=safe_mode)


class Store:
    def load_model(self, path, safe_mode):
        return path, safe_mode

    def read(self, path):
        self.enable_unsafe_deserialization()
        return self.load_model(path, safe_mode=False)

    def enable_unsafe_deserialization(self):
        return None


print(keras.config.is_nnx_enabled(), "safe_mode=False")
