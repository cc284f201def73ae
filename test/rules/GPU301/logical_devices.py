import tensorflow as tf

print(f"{len(tf.config.list_logical_devices('GPU'))} GPUs")
model = tf.keras.models.load_model("model.keras")
