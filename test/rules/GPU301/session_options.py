import keras.backend as K
import tensorflow as tf
from keras.models import load_model

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))

model = load_model("mask_rcnn.h5")
