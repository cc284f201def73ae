import os

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"  #: GPU203
session = tf.compat.v1.Session()
