#: facts {"here": {"devices": {}, "keras": "2.15.0"}}
import keras


def test_loads():
    assert keras.models.load_model("keras/plain.keras")  #: GPU504 hint
