from tensorflow import config, keras

card = config.get_visible_devices("GPU")[0]
config.experimental.set_virtual_device_configuration(
    card, [config.experimental.VirtualDeviceConfiguration(memory_limit=2048)]
)
model = keras.models.load_model("model.keras")
