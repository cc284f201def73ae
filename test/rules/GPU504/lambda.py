#: facts {"here": {"devices": {}, "keras": "3.15.1", "python": "3.11.7"}}
import keras

a = keras.models.load_model("kerasVersions/tf28-lambda.h5")  #: GPU504
b = keras.models.load_model("kerasVersions/3.6.0-lambda.keras")  #: GPU504
c = keras.models.load_model("kerasVersions/tf28-lambda.h5", safe_mode=False)
d = keras.models.load_model("kerasVersions/3.6.0-lambda.keras", safe_mode=False)
e = keras.models.load_model("kerasVersions/3.15.1-spatial_dropout.h5")
