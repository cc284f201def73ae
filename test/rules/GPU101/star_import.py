from torch import *

state = load("weights.pth")  #: GPU101
print(sorted(state))
