/** The machine itself: its system, its GPUs and what the driver shows of them. */

/** What this process runs on. */
export interface OperatingSystem {
  family: 'linux' | 'macos' | 'windows' | 'other';
  /** What the system calls itself, such as "Ubuntu 24.04.3 LTS", or null where it does not say. */
  name: string | null;
  /** The processor that this process runs on: "x64", "arm64" and so on, as Node.js names them. */
  architecture: string;
  /** The processor's name, such as "AMD EPYC 7763 64-Core Processor"; null where the system does not say. */
  processor: string | null;
  /** Version of the kernel, such as "6.8.0-85-generic". */
  kernel: string;
  /** The C library, such as "glibc 2.39" or "musl", which decides whether a Linux wheel can be installed. */
  libc: string | null;
}

export interface Gpu {
  /** nvidia-smi's index, which is PCI bus order; CUDA's order differs unless CUDA_DEVICE_ORDER=PCI_BUS_ID. */
  index: number;
  name: string;
  uuid: string | null;
  /** MiB; null where the device does not say, as parts with unified memory do not. */
  memoryTotal: number | null;
  /** MiB. */
  memoryUsed: number | null;
  /** Per cent; null on a GPU that is split by MIG. */
  utilization: number | null;
  /** Such as "8.6"; by the GPU's name where the driver is too old to tell, null where that tells nothing either. */
  computeCapability: string | null;
  /** Multi-Instance GPU: null where the device has no such mode. */
  mig: boolean | null;
  /** The instances that MIG has split it into, those that this process may see. */
  migInstances: MigInstance[];
  /** Who may use it, where that is not everybody: "Exclusive_Process" or "Prohibited". */
  computeMode?: 'Exclusive_Process' | 'Prohibited';
  /** Whether the driver stays with it while no program uses it; absent where nvidia-smi does not say. Linux only. */
  persistence?: boolean;
}

export interface MigInstance {
  /** Its share of the GPU, such as "1g.5gb". */
  profile: string;
  uuid: string;
}

/** A graphics or compute device on the PCI bus, whether or not a driver has taken it. */
export interface PciGpu {
  /** Such as "0000:01:00.0". */
  address: string;
  vendor: 'nvidia' | 'amd' | 'intel';
  /** PCI device number, such as "2204". */
  device: string;
  /** The kernel driver that holds it, such as "nvidia", "nouveau" or "vfio-pci"; null: none. */
  driver: string | null;
}

/** NVIDIA's kernel module, as it is loaded. */
export interface KernelModule {
  version: string;
  /** Whether it is the open one, which Blackwell needs. */
  open: boolean;
  /** Whether nvidia-modprobe is there, by which CUDA makes missing device files whoever runs it; told of where it is. */
  modprobe?: true;
}

/** A file in `/dev` through which programs reach a GPU. */
export interface DeviceFile {
  path: string;
  /** Whether this process may read and write it. */
  usable: boolean;
}

/** One of NVIDIA's systems on a chip, such as a Jetson, whose GPU is part of it. */
export interface Board {
  /** Such as "NVIDIA Jetson Nano Developer Kit"; null where it does not say. */
  model: string | null;
  /** The release of Linux for Tegra, such as "32.4.3"; null where it does not say. */
  l4t: string | null;
}

/** GPUs of another maker, recognised by signs in files or in the platform. */
export interface OtherAccelerator {
  vendor: 'apple' | 'amd' | 'intel';
  /** What it is reached through. */
  api: 'mps' | 'rocm' | 'xpu';
  /** The sign that it was recognised by. */
  sign: string;
  /** Version of its software, such as ROCm's "6.4.1"; null where it is not installed or does not say. */
  version: string | null;
  /** Empty where files do not tell the devices apart. */
  devices: AcceleratorDevice[];
}

export interface AcceleratorDevice {
  /** What files call it, such as "Apple M3 Pro" or "gfx1100". */
  name: string;
  /** AMD's name of the instruction set, such as "gfx1100"; null for other makers. */
  architecture: string | null;
  /** MiB of its own memory; null where it has none or does not say. */
  memoryTotal: number | null;
}

/** NVIDIA's container toolkit, which hands a host's GPUs into containers. */
export interface ContainerToolkit {
  /** Of its library, such as "1.17.8". */
  version: string;
  path: string;
  /** Whether it writes the rules by which a container may open device files, as it does unless it is told not to. */
  setsDeviceRules: boolean;
}

/** The switches between the GPUs of a large server, and the service that has to set them up before CUDA starts. */
export interface Fabric {
  /** NVSwitches that the driver has found. */
  switches: number;
  managerRuns: boolean;
}
