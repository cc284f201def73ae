import os

os.environ.update({"CUDA_VISIBLE_DEVICES": "3", "TF_CPP_MIN_LOG_LEVEL": "2"})  #: GPU201

import tensorflow as tf

with tf.device("/GPU:3"):  #: GPU201, GPU204
    a = tf.constant(1)
with tf.device("/GPU:0"):  #: GPU201
    b = tf.constant(1)
