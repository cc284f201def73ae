import tensorflow as tf

model = tf.keras.models.load_model("model.keras")  #: GPU301
print("GPUs:", tf.config.list_physical_devices("GPU"))
other = tf.keras.models.load_model("other.keras")
