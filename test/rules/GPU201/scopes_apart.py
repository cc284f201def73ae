"""Two scopes of TensorFlow that share nothing."""
import tensorflow as tf

with tf.device("/gpu:0"):  #: GPU201
    first = tf.reduce_sum(tf.ones((2, 2)))
print(first)
with tf.device("/gpu:1"):  #: GPU201
    second = tf.reduce_sum(tf.ones((3, 3)))
print(second)
