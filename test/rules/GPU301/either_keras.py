try:
    from tensorflow.keras.models import load_model
except ImportError:
    from keras.models import load_model

denoiser = load_model("denoiser.h5")  #: GPU301
print(denoiser.count_params())
