import keras


def test_loads():
    assert keras.models.load_model("lambda.keras", safe_mode=False)  #: GPU304 hint
