"""Devices that are configured first, or that some way leaves alone before."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
x = tf.constant([1.0])


def other(config, gpu):
    config.set_memory_growth(gpu, True)
