"""Two scopes of TensorFlow that add to one list work together."""
import tensorflow as tf

sums = []
with tf.device("/gpu:0"):  #: GPU201 hint
    sums.append(tf.reduce_sum(tf.ones((2, 2))))
with tf.device("/gpu:1"):  #: GPU201 hint
    sums.append(tf.reduce_sum(tf.ones((3, 3))))
print(tf.add_n(sums))
