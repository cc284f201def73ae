import tensorflow as tf

options = tf.compat.v1.GPUOptions(per_process_gpu_memory_fraction=0.4)
session = tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(gpu_options=options))
tf.compat.v1.keras.backend.set_session(session)
detector = tf.keras.models.load_model("detector.h5")
