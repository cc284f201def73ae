import keras

ranker = keras.saving.load_model("ranker.keras", safe_mode=True)  #: GPU301
retriever = keras.models.load_model("retriever.keras")  #: GPU301 hint
print(ranker.name, retriever.name)
