"""Strategies that take their devices by position."""
import tensorflow as tf


def one():
    return tf.distribute.OneDeviceStrategy("/gpu:1")  #: GPU201


def several():
    return tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])  #: GPU201 hint, GPU201 hint


def all_of_them():
    return tf.distribute.MirroredStrategy(), tf.distribute.OneDeviceStrategy("/cpu:0")
