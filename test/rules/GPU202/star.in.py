from fastai.vision.all import *

learn = load_learner("export.pkl")
learn.model.cuda()
