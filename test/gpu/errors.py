"""Raises a common error on NVIDIA GPUs: `python errors.py NAME`. Without a name, lists the errors.

Each error is provoked on the real GPU, so its text comes from the installed PyTorch, CUDA and driver. If an error cannot be
provoked here, the program exits with status 3 and the reason.
"""

import os
import subprocess
import sys
import tempfile


ERRORS = {}


def provokes(function):
    ERRORS[function.__name__] = function
    return function


def unavailable(reason):
    print(reason)
    sys.exit(3)


@provokes
def invalid_device_ordinal():
    import torch

    torch.zeros(1, device=f"cuda:{torch.cuda.device_count()}")


@provokes
def out_of_memory():
    import torch

    torch.empty(1 << 50, dtype=torch.uint8, device="cuda")


@provokes
def mixed_devices():
    import torch

    torch.ones(2, device="cuda") + torch.ones(2)


@provokes
def mixed_devices_in_layer():
    import torch

    torch.nn.Linear(2, 2)(torch.ones(1, 2, device="cuda"))


@provokes
def convolution_input_on_cpu():
    import torch

    torch.nn.Conv2d(3, 4, 3).cuda()(torch.ones(1, 3, 8, 8))


@provokes
def device_side_assert():
    import torch

    torch.nn.Embedding(4, 2).cuda()(torch.tensor([9], device="cuda"))
    torch.cuda.synchronize()


@provokes
def half_on_cpu():
    import torch

    points = torch.ones(2, 2, dtype=torch.half)
    torch.cdist(points, points, p=1)


@provokes
def half_and_float():
    import torch

    torch.nn.Conv2d(3, 4, 3).cuda()(torch.ones(1, 3, 8, 8, device="cuda", dtype=torch.half))


@provokes
def numpy_of_cuda():
    import torch

    torch.ones(2, device="cuda").numpy()


@provokes
def generator_of_cpu():
    import torch

    torch.randn(2, device="cuda", generator=torch.Generator())


@provokes
def pinned_cuda():
    import torch

    torch.ones(2, device="cuda").pin_memory()


@provokes
def fork_after_cuda():
    import torch
    from torch.multiprocessing import get_context

    torch.ones(1, device="cuda")
    process = get_context("fork").Process(target=on_gpu)
    process.start()
    process.join()
    sys.exit(process.exitcode)


def on_gpu():
    import torch

    torch.ones(1, device="cuda")


@provokes
def hidden_gpus():
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import torch

    torch.ones(1).cuda()


@provokes
def checkpoint_without_gpu():
    saved = os.path.join(tempfile.mkdtemp(), "model.pt")
    save = f"import torch; torch.save(torch.ones(1, device='cuda'), {saved!r})"
    subprocess.run([sys.executable, "-c", save], check=True)
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import torch

    torch.load(saved)


@provokes
def checkpoint_of_other_gpu():
    import torch

    saved = os.path.join(tempfile.mkdtemp(), "model.pt")
    count = torch.cuda.device_count()
    registry = torch.serialization._package_registry
    before = list(registry)
    torch.serialization.register_package(0, lambda storage: f"cuda:{count}", lambda storage, tag: None)
    torch.save(torch.ones(1), saved)
    registry[:] = before
    torch.load(saved)


KERNELS = """
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
__global__ void fill(float* to, long at) { to[at] = 1; }
void run(torch::Tensor to, int64_t at) {
  fill<<<1, 1>>>(to.data_ptr<float>(), at);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""


def kernel(architecture):
    import shutil

    if shutil.which("nvcc") is None or shutil.which("ninja") is None:
        unavailable("nvcc and ninja are needed to compile a kernel")
    os.environ["TORCH_CUDA_ARCH_LIST"] = architecture
    from torch.utils.cpp_extension import load_inline

    return load_inline(
        f"kernel_{architecture.replace('.', '_')}",
        cpp_sources="void run(torch::Tensor to, int64_t at);",
        cuda_sources=KERNELS,
        functions=["run"],
        build_directory=tempfile.mkdtemp(),
    )


@provokes
def no_kernel_image():
    import torch

    major, minor = torch.cuda.get_device_capability()
    # Code for a single architecture runs neither on older nor on newer generations.
    other = "7.5" if major > 7 else "8.0"
    kernel(other).run(torch.zeros(1, device="cuda"), 0)


@provokes
def illegal_memory_access():
    import torch

    major, minor = torch.cuda.get_device_capability()
    kernel(f"{major}.{minor}").run(torch.zeros(1, device="cuda"), 1 << 40)
    torch.cuda.synchronize()


@provokes
def two_ranks_on_one_gpu():
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as mp

    if not dist.is_nccl_available():
        unavailable("this PyTorch has no NCCL")
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29641")
    mp.spawn(rank_on_first_gpu, nprocs=2)


def rank_on_first_gpu(rank):
    import torch
    import torch.distributed as dist

    dist.init_process_group("nccl", rank=rank, world_size=2)
    torch.cuda.set_device(0)
    dist.all_reduce(torch.ones(1, device="cuda"))
    torch.cuda.synchronize()


@provokes
def triton_shared_memory():
    try:
        import torch
        import triton
        import triton.language as tl
    except ImportError as error:
        unavailable(str(error))
    source = '''
import triton
import triton.language as tl

@triton.jit
def product(a, b, c, n: tl.constexpr):
    rows = tl.arange(0, n)
    at = rows[:, None] * n + rows[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))
'''
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "kernels.py"), "w") as file:
        file.write(source)
    sys.path.insert(0, folder)
    import kernels

    a = torch.ones(256, 256, device="cuda")
    kernels.product[(1,)](a, a, a, n=256)
    torch.cuda.synchronize()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(ERRORS))
    else:
        ERRORS[sys.argv[1]]()
