import os

import tensorflow as tf
from tensorflow import keras

tf.random.set_seed(1)
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
print(tf.config.list_physical_devices("GPU"))
model = keras.Sequential()
