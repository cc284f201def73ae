#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import tensorflow as tf

config = tf.ConfigProto()
config.allow_soft_placement = True
with tf.device("/gpu:1"):  #: GPU201
    a = tf.constant(1)
session = tf.Session(config=config)
