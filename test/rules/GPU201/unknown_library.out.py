from paddlex import create_model

model = create_model("resnet", device="cuda:0")
