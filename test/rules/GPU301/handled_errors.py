import tensorflow as tf

try:
    model = tf.keras.models.load_model("model.keras")
except tf.errors.ResourceExhaustedError:
    model = None

try:
    second = tf.keras.models.load_model("second.keras")
except:
    second = None

try:
    third = tf.keras.models.load_model("third.keras")  #: GPU301
finally:
    print("done")
