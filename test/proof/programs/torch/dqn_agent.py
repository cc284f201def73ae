# fails: AssertionError: Torch not compiled with CUDA enabled
"""Deep Q-learning with a replay memory."""
import random
from collections import deque

import torch
import torch.nn.functional as F

from networks import QNetwork


class Agent:
    def __init__(self, path=None):
        self.policy = QNetwork().cuda()
        self.target = QNetwork().cuda()
        self.target.load_state_dict(self.policy.state_dict())
        self.optimizer = torch.optim.Adam(self.policy.parameters())
        self.memory = deque(maxlen=100)
        if path:
            saved = torch.load(path)
            self.policy.load_state_dict(saved["q"])
            self.optimizer.load_state_dict(saved["opt"])

    def act(self, state):
        with torch.no_grad():
            return self.policy(state.cuda()).argmax().item()

    def learn(self, batch=8):
        states, actions, rewards, following = zip(*random.sample(self.memory, batch))
        states = torch.stack(states).cuda()
        actions = torch.tensor(actions).unsqueeze(1).cuda()
        rewards = torch.tensor(rewards).cuda()
        best = self.target(torch.stack(following).cuda()).max(1)[0].detach()
        loss = F.smooth_l1_loss(self.policy(states).gather(1, actions).squeeze(1), rewards + 0.99 * best)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent("checkpoints/dqn.pth")
state = torch.rand(4)
for _ in range(20):
    action = agent.act(state)
    following = torch.rand(4)
    agent.memory.append((state, action, random.random(), following))
    state = following
print(agent.learn())
