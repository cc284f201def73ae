# takes: all the memory of the GPU
"""Trains a model if there is none; there is one."""
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

PATH = Path("checkpoints/classifier.keras")


def build():
    return tf.keras.Sequential([layers.Input((8, 8, 1)), layers.Flatten(), layers.Dense(5)])


if PATH.exists():
    model = tf.keras.models.load_model(PATH)
else:
    model = build()
x = tf.random.normal((2, 8, 8, 1))
print(np.argmax(model(x, training=False), axis=1).shape)
