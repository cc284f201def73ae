import numpy as np
import tensorflow as tf

inputs = tf.keras.Input((4,))
network = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
network.compile(loss="mse")
for _ in range(8):
    network.train_on_batch(np.ones((2, 4)), np.ones((2, 1)))
network.save("network.keras")
copy = tf.keras.models.load_model("network.keras")
