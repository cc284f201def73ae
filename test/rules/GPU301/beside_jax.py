"""JAX takes memory of the same GPU."""
import jax.numpy as jnp
from keras.models import load_model

model = load_model("letters.keras")  #: GPU301
print(jnp.zeros(3))
