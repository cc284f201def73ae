import os

import tensorflow as tf
from tensorflow.python.client import device_lib

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
session = tf.Session()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203


def listed():
    return device_lib.list_local_devices()
