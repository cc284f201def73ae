from tensorflow.keras.models import Sequential, load_model as restore
from tensorflow.keras.preprocessing.sequence import pad_sequences

generator = restore("generator.keras")  #: GPU301
print(generator(pad_sequences([[1, 2, 3]], maxlen=8)))
