"""Prints PyTorch's view of this machine's GPUs as JSON."""

import json

import torch

devices = []
if torch.cuda.is_available():
    for index in range(torch.cuda.device_count()):
        found = torch.cuda.get_device_properties(index)
        free, total = torch.cuda.mem_get_info(index)
        devices.append(
            {
                "name": found.name,
                "capability": f"{found.major}.{found.minor}",
                "memory": found.total_memory,
            }
        )
cudnn = torch.backends.cudnn.version()
print(
    json.dumps(
        {
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "cudnn": cudnn,
            "architectures": torch.cuda.get_arch_list() if devices else [],
            "devices": devices,
        }
    )
)
