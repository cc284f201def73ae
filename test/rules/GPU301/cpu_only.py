import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
model = tf.keras.models.load_model("model.keras")
