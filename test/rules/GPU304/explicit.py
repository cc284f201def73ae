"""Keras is told to run what the file brings along."""
import functools

import keras
import tensorflow as tf
from keras.models import load_model
from tensorflow.keras.models import load_model as tf_load_model

a = keras.models.load_model("a.keras", safe_mode=False)  #: GPU304
b = keras.saving.load_model("b.keras", compile=False, safe_mode=False)  #: GPU304
c = tf.keras.models.load_model("c.keras", safe_mode=False)  #: GPU304
d = load_model("d.keras", None, False, False)  #: GPU304
e = tf_load_model("e.keras", custom_objects={"f": abs}, safe_mode=False)  #: GPU304
f = keras.saving.deserialize_keras_object({}, safe_mode=False)  #: GPU304
g = keras.layers.TFSMLayer("folder", safe_mode=False)  #: GPU304
h = load_model(
    "h.keras",
    safe_mode=False,  #: GPU304
)
read = functools.partial(load_model, safe_mode=False)  #: GPU304
i = read("i.keras")
j = read("j.keras", compile=False)
keras.config.enable_unsafe_deserialization()  #: GPU304
