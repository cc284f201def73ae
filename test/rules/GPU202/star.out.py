from fastai.vision.all import *
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

learn = load_learner("export.pkl")
learn.model.to(device)
