# runs: the GPUs are hidden from TensorFlow
import numpy as np
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
model = tf.keras.models.load_model("checkpoints/classifier.keras", compile=False)
print(model(np.zeros((1, 8, 8, 1), dtype="float32")).shape)
