"""Shaped like Keras's own tests of saving, which mean to load wherever they run."""
import os

from keras.src import layers, models
from keras.src.saving import saving_api
from keras.src import testing


class LoadModelTests(testing.TestCase):
    def test_basic_load(self):
        model = models.Sequential([layers.Dense(2)])
        path = os.path.join(self.get_temp_dir(), "model.keras")
        saving_api.save_model(model, path)
        loaded = saving_api.load_model(path)
        again = models.load_model(path)
        self.assertEqual(loaded.name, again.name)
