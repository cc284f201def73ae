"""The variable is set before Keras is imported, or it may be."""
import os

import tensorflow as tf

os.environ["KERAS_BACKEND"] = "jax"

import keras
from keras import layers

print(os.environ["KERAS_BACKEND"], os.environ.get("KERAS_BACKEND"))
environment = dict(os.environ)
environment["KERAS_BACKEND"] = "torch"
