# SYNTAX TEST "source.python" "device strings"

model.to("cuda")
#         ^^^^ source.python constant.language.device.gpu-doctor
#        ^ - constant.language.device.gpu-doctor
#             ^ - constant.language.device.gpu-doctor

device = torch.device('cuda:12')
#                      ^^^^ constant.language.device.gpu-doctor
#                          ^ punctuation.separator.device.gpu-doctor
#                           ^^ constant.numeric.device-index.gpu-doctor
#                      ^^^^^^^ string.quoted.single.python

fallback = "cuda" if torch.cuda.is_available() else "cpu"
#           ^^^^ constant.language.device.gpu-doctor
#                                                    ^^^ constant.language.device.gpu-doctor

state = torch.load(path, map_location={"cuda:1": "mps"})
#                                       ^^^^ constant.language.device.gpu-doctor
#                                            ^ constant.numeric.device-index.gpu-doctor
#                                                 ^^^ constant.language.device.gpu-doctor

with tf.device("/GPU:0"):
#               ^ punctuation.definition.device.gpu-doctor
#                ^^^ constant.language.device.gpu-doctor
#                   ^ punctuation.separator.device.gpu-doctor
#                    ^ constant.numeric.device-index.gpu-doctor
    pass

with tf.device('/device:GPU:1'):
#               ^^^^^^^^ punctuation.definition.device.gpu-doctor
#                       ^^^ constant.language.device.gpu-doctor
#                           ^ constant.numeric.device-index.gpu-doctor
    pass

with tf.device("/job:localhost/replica:0/task:0/device:CPU:0"):
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ punctuation.definition.device.gpu-doctor
#                                                      ^^^ constant.language.device.gpu-doctor
#                                                          ^ constant.numeric.device-index.gpu-doctor
    pass

raw = r"xpu:0", R'cuda'
#       ^^^ constant.language.device.gpu-doctor
#           ^ constant.numeric.device-index.gpu-doctor
#                 ^^^^ constant.language.device.gpu-doctor

print(f"loaded {net.to('cuda:1')} and {n}")
#                       ^^^^ constant.language.device.gpu-doctor
#                            ^ constant.numeric.device-index.gpu-doctor

parser.add_argument(
    "--device",
    default="cuda",
#            ^^^^ constant.language.device.gpu-doctor
)
