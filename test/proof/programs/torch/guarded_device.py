# runs: the device is chosen by a check
import torch

from networks import Classifier

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = Classifier().to(device)
model.load_state_dict(torch.load("checkpoints/classifier.pt", map_location=device))
print(model.eval()(torch.rand(2, 1, 8, 8, device=device)).shape)
