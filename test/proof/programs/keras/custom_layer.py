# takes: all the memory of the GPU
"""A registered layer stands between the imports and the model."""
import keras
import numpy as np
import tensorflow as tf
from keras import ops


@keras.saving.register_keras_serializable()
class Double(keras.layers.Layer):
    def call(self, inputs):
        return ops.multiply(inputs, 2.0)


def double_scores(path, rows):
    base = keras.models.load_model(path, custom_objects={"Double": Double})
    return keras.Sequential([base, Double()]).predict(rows, verbose=0)


print(double_scores("checkpoints/regressor.keras", np.ones((2, 4))).shape, tf.executing_eagerly())
