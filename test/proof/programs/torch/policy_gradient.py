# fails: AssertionError: Torch not compiled with CUDA enabled
"""REINFORCE on a coin that is not fair."""
import torch
from torch.distributions import Categorical

policy = torch.nn.Linear(1, 2).to("cuda:0")
optimizer = torch.optim.SGD(policy.parameters(), lr=0.5)
rewards = []
for episode in range(10):
    state = torch.ones(1).to("cuda:0")
    distribution = Categorical(logits=policy(state))
    action = distribution.sample()
    reward = float(action.item() == 1)
    loss = -distribution.log_prob(action) * reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    rewards.append(reward)
print(sum(rewards) >= 0)
