"""Only one of two ways puts something on a device before."""
import tensorflow as tf


def may_be_first(flag):
    if flag:
        tf.constant([2.0])
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
