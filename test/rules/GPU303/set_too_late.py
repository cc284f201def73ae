"""Keras reads the variable while it is imported."""
import os

import keras

os.environ["KERAS_BACKEND"] = "jax"  #: GPU303
os.environ.setdefault("KERAS_BACKEND", "torch")  #: GPU303
os.environ["KERAS_BACKEND"] = "tensorflow"  #: GPU303 hint


def choose(backend):
    os.environ["KERAS_BACKEND"] = backend  #: GPU303
    return keras.Sequential()
