"""GPU Doctor: finds code that will not load or run on a machine with other GPUs. Start it with `gpu-doctor`."""
