import sys

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model(sys.argv[1])  #: GPU301
print(model.summary())
weights = [np.asarray(weight) for weight in model.get_weights()]
teacher = tf.keras.models.load_model("teacher.keras")  #: GPU301 hint
critic = tf.keras.models.load_model("critic.h5", custom_objects={"tf": tf})  #: GPU301 hint
