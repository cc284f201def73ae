#: facts {"here": {"devices": {}, "keras": "2.15.0"}}
import tf_keras

a = tf_keras.models.load_model("keras/plain.keras")
