# runs: the model is loaded on the CPU
import numpy as np
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
with tf.device("/CPU:0"):
    model = tf.keras.models.load_model("checkpoints/regressor.h5", compile=False)
    print(model(np.ones((1, 4))).shape)
