#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""TensorFlow was told to take another device."""
import tensorflow as tf

tf.config.set_soft_device_placement(True)
with tf.device("/GPU:1"):  #: GPU201
    a = tf.constant(1)
