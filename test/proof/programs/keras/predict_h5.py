# takes: all the memory of the GPU
"""An old HDF5 model, loaded with the function's own name."""
import numpy as np
from tensorflow.keras.models import load_model

model = load_model('checkpoints/regressor.h5')
model.summary(print_fn=lambda line, **_: None)
print(model(np.ones((2, 4), dtype='float32')).numpy().ravel())
