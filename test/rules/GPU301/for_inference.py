import keras

encoder = keras.models.load_model("encoder.keras", compile=False)  #: GPU301 hint
decoder = keras.models.load_model("decoder.keras")  #: GPU301
judge = keras.models.load_model("judge.keras", None, False)  #: GPU301 hint
whole = keras.models.load_model("whole.keras", compile=True)  #: GPU301 hint
