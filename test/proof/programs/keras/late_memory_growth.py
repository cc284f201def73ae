# takes: all the memory of the GPU; the program does see to the memory, but too late, and TensorFlow says so
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("checkpoints/regressor.keras")
try:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
except RuntimeError as error:
    print(error)
print(model.predict(np.ones((1, 4)), verbose=0).shape)
