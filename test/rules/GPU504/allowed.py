#: facts {"here": {"devices": {}, "keras": "3.15.1", "python": "3.11.7"}}
import keras

keras.config.enable_unsafe_deserialization()
a = keras.models.load_model("kerasVersions/3.6.0-lambda.keras")
