# runs: the devices are already initialized when the model is loaded
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
model.save("mine.keras")
again = tf.keras.models.load_model("mine.keras")
print(np.allclose(again.get_weights()[0], model.get_weights()[0]))
