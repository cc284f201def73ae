import tensorflow as tf

if not tf.test.is_gpu_available():
    print("This will take a while.")
model = tf.keras.models.load_model("model.h5")
