import torch as th

from model import Net

model = Net()
model.load_state_dict(th.load('net.pth'))
checkpoint = th.load('last.pt', weights_only=True)  # trained overnight
model.load_state_dict(checkpoint['model'])
model.load_state_dict(th.load('ema.pth', map_location=None)['ema'], strict=False)
model.load_state_dict(th.load('swa.pth', None))
model.load_state_dict(th.load('old.pth', ))
