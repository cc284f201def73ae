/** The machine: its system, its GPUs and the driver's information about them. */

/** The operating system of this process. */
export interface OperatingSystem {
  family: 'linux' | 'macos' | 'windows' | 'other';
  /** The system's own name, such as "Ubuntu 24.04.3 LTS", or null without one. */
  name: string | null;
  /** The processor of this process: "x64", "arm64" and so on, in Node.js's names. */
  architecture: string;
  /** The processor's name, such as "AMD EPYC 7763 64-Core Processor"; null if the system does not report it. */
  processor: string | null;
  /** Version of the kernel, such as "6.8.0-85-generic". */
  kernel: string;
  /** The C library, such as "glibc 2.39" or "musl", which decides whether a Linux wheel can be installed. */
  libc: string | null;
  /** True if the processor, as far as the system shows it, has AVX; absent if unknown. */
  avx?: boolean;
}

/** The main memory, in MiB. */
export interface SystemMemory {
  /** The machine's memory, or the limit of the container. */
  total: number;
  /** The size of `/dev/shm`, through which processes share tensors; null without one. */
  shared: number | null;
}

export interface Gpu {
  /** nvidia-smi's index, which is PCI bus order; CUDA's order differs unless CUDA_DEVICE_ORDER=PCI_BUS_ID. */
  index: number;
  name: string;
  uuid: string | null;
  /** MiB; null if the device does not report it, such as parts with unified memory. */
  memoryTotal: number | null;
  /** MiB. */
  memoryUsed: number | null;
  /** Percent; null on a GPU with MIG enabled. */
  utilization: number | null;
  /** Such as "8.6"; derived from the GPU's name if the driver is too old to report it, null if the name is unknown. */
  computeCapability: string | null;
  /** Multi-Instance GPU; null if the device has no such mode. */
  mig: boolean | null;
  /** The MIG instances that this process may see. */
  migInstances: MigInstance[];
  /** The compute mode, if restricted: "Exclusive_Process" or "Prohibited". */
  computeMode?: 'Exclusive_Process' | 'Prohibited';
  /**
   * True if the driver keeps the GPU initialized while no program uses it; absent if nvidia-smi does not report it.
   * Linux only.
   */
  persistence?: boolean;
}

export interface MigInstance {
  /** Its share of the GPU, such as "1g.5gb". */
  profile: string;
  uuid: string;
}

/** A graphics or compute device on the PCI bus, with or without a driver. */
export interface PciGpu {
  /** Such as "0000:01:00.0". */
  address: string;
  vendor: 'nvidia' | 'amd' | 'intel';
  /** PCI device number, such as "2204". */
  device: string;
  /** The kernel driver that controls it, such as "nvidia", "nouveau" or "vfio-pci"; null: none. */
  driver: string | null;
}

/** The loaded NVIDIA kernel module. */
export interface KernelModule {
  version: string;
  /** True for the open kernel module, which Blackwell needs. */
  open: boolean;
  /** True if nvidia-modprobe exists, which creates missing device files for any user of CUDA; absent otherwise. */
  modprobe?: true;
}

/** A file in `/dev` that programs use to access a GPU. */
export interface DeviceFile {
  path: string;
  /** True if this process may read and write it. */
  usable: boolean;
}

/** One of NVIDIA's systems on a chip, such as a Jetson, whose GPU is part of it. */
export interface Board {
  /** Such as "NVIDIA Jetson Nano Developer Kit"; null where it does not say. */
  model: string | null;
  /** The release of Linux for Tegra, such as "32.4.3"; null where it does not say. */
  l4t: string | null;
}

/** GPUs of another vendor, detected from files or the platform. */
export interface OtherAccelerator {
  vendor: 'apple' | 'amd' | 'intel';
  /** The API that programs use. */
  api: 'mps' | 'rocm' | 'xpu';
  /** The evidence for it. */
  sign: string;
  /** Version of its software, such as ROCm's "6.4.1"; null where it is not installed or does not say. */
  version: string | null;
  /** Empty if files do not distinguish the devices. */
  devices: AcceleratorDevice[];
}

export interface AcceleratorDevice {
  /** Its name in files, such as "Apple M3 Pro" or "gfx1100". */
  name: string;
  /** AMD's architecture name, such as "gfx1100"; null for other vendors. */
  architecture: string | null;
  /** MiB of its own memory; null if it has none or does not report it. */
  memoryTotal: number | null;
}

/** NVIDIA's container toolkit, which passes a host's GPUs into containers. */
export interface ContainerToolkit {
  /** The version of its library, such as "1.17.8". */
  version: string;
  path: string;
  /** True if it writes the rules that allow containers to open device files, which is its default. */
  setsDeviceRules: boolean;
}

/** The switches between the GPUs of a large server, and the service that must configure them before CUDA starts. */
export interface Fabric {
  /** NVSwitches that the driver found. */
  switches: number;
  managerRuns: boolean;
}
