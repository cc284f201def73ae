#: facts {"here": {"devices": {}, "keras": "3.12.0"}}
import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf

model = tf.keras.models.load_model("tensorflow/keras2")
