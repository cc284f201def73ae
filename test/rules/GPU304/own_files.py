import keras


def round_trip(model):
    model.save("lambda.keras")
    again = keras.models.load_model("lambda.keras", safe_mode=False)  #: GPU304 hint
    other = keras.models.load_model("other.keras", safe_mode=False)  #: GPU304
    return again, other
