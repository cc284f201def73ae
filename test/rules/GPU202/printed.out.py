import torch

print("GPU: %s" % torch.cuda.get_device_name(0))
print("GPU %d: %s" % (0, torch.cuda.get_device_name(0)))
print(f"{torch.cuda.get_device_name()} with {torch.cuda.get_device_properties(0).total_memory / 2**30:.1f} GiB")
print(
    "memory",
    round(torch.cuda.get_device_properties(0).total_memory / 2**30, 1),
)
print("{:.1f} GiB".format(torch.cuda.mem_get_info()[0] / 2**30))
print("{} of {}".format(*torch.cuda.mem_get_info()))
text = f"{torch.cuda.get_device_name()=}"


def made():
    print(torch.nn.Linear(1, 1).train(), f"{torch.cuda.mem_get_info()[0] / 2**30:.1f}")
