import tensorflow as tf

x = tf.placeholder(tf.float32)
with tf.device("/gpu:0"):
    y = x * 2
with tf.Session() as session:
    print(session.run(y, {x: 1}))
