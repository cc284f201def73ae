import torch as th

from model import Net

model = Net()
model.load_state_dict(th.load('net.pth', map_location='cpu'))
checkpoint = th.load(
    'last.pt', weights_only=True, map_location='cpu'
)  # trained overnight
model.load_state_dict(checkpoint['model'])
model.load_state_dict(th.load('ema.pth', map_location='cpu')['ema'], strict=False)
model.load_state_dict(th.load('swa.pth', 'cpu'))
model.load_state_dict(th.load('old.pth', map_location='cpu'))
