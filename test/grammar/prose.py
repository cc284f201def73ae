# SYNTAX TEST "source.python" "text that only mentions a device"

print("cuda is not available")
#      ^^^^ - constant.language.device.gpu-doctor

print('use "cuda" or "cpu" here')
#           ^^^^ - constant.language.device.gpu-doctor
#                     ^^^ - constant.language.device.gpu-doctor

name = f"cuda:{index}"
#        ^^^^ - constant.language.device.gpu-doctor

name = f"cuda"
#        ^^^^ - constant.language.device.gpu-doctor

blob = b"cuda"
#        ^^^^ - constant.language.device.gpu-doctor

wrong = "cuda:01", "cuda0", "cuda:", "CUDA", " cuda", "cuda'"
#        ^^^^ - constant.language.device.gpu-doctor
#                   ^^^^ - constant.language.device.gpu-doctor
#                            ^^^^ - constant.language.device.gpu-doctor
#                                     ^^^^ - constant.language.device.gpu-doctor
#                                              ^^^^ - constant.language.device.gpu-doctor
#                                                      ^^^^ - constant.language.device.gpu-doctor

kinds = tf.config.list_physical_devices("GPU")
#                                        ^^^ - constant.language.device.gpu-doctor

# "cuda:0" in a comment
# <~--------------------- comment.line.number-sign.python - constant.language.device.gpu-doctor

cuda = 1
# <---- - constant.language.device.gpu-doctor


def load():
    "cuda"
#    ^^^^ string.quoted.docstring.single.python - constant.language.device.gpu-doctor


def move():
    """cuda"""
#      ^^^^ string.quoted.docstring.multi.python - constant.language.device.gpu-doctor


message = """cuda"""
#            ^^^^ - constant.language.device.gpu-doctor

joined = "not \
cuda"
# <---- - constant.language.device.gpu-doctor
