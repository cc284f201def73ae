#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import tensorflow as tf

with tf.device("/GPU:1"):  #: GPU201, GPU204
    a = tf.constant(1)
with tf.device("/device:GPU:2"):  #: GPU201, GPU204
    b = tf.constant(1)
with tf.device("/GPU:0"):  #: GPU201
    c = tf.constant(1)
with tf.device("/CPU:1"):
    d = tf.constant(1)
with tf.device("/TPU:1"):
    e = tf.constant(1)
