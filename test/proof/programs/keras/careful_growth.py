# runs: memory growth is enabled first
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.models.load_model("checkpoints/regressor.keras")
print(model.predict(np.ones((1, 4)), verbose=0).shape)
