"""A list of GPUs may be empty."""
import tensorflow as tf
from tensorflow.keras.layers import LSTM
from tensorflow.compat.v1.keras.layers import CuDNNLSTM

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)  #: GPU202

if gpus:
    tf.config.set_visible_devices(gpus[0], "GPU")

for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)


def first():
    return tf.config.list_physical_devices("GPU")[0]  #: GPU202 same


def counted():
    devices = tf.config.list_physical_devices("GPU")
    assert len(devices) > 0
    return devices[0], tf.config.list_physical_devices("CPU")[0]


def recurrent():
    return CuDNNLSTM(8), LSTM(8)  #: GPU202 same
