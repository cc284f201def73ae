# takes: all the memory of the GPU
"""TensorFlow places softly: a GPU that is not there is no error, and one that is there is taken whole."""
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("checkpoints/regressor.keras")
with tf.device("/GPU:1"):
    batch = tf.constant(np.ones((2, 4), dtype="float32"))
print(model(batch).numpy().shape)
