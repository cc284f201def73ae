import tensorflow as tf
from keras.models import load_model

print("Found GPU at: {}".format(tf.test.gpu_device_name()))
model = load_model("model.h5")
