import { cudnnOfNumber } from '../published/releases/versionNumbers.ts';
import { devicesOf, gpuNamed, type Report, type ReportReader } from './report.ts';

const DEVICE =
  /-> (?:physical GPU \()?device: (\d+), name: ([^,\n]+), pci bus id: [^,\n]+, compute capability: (\d+\.\d)|^.*Found device (\d+) with properties:\s*\n(?:[^\n]*?)name: ([^\n]+?) major: (\d) minor: (\d)|StreamExecutor device \((\d+)\): ([^,\n]+), Compute Capability (\d+\.\d)|pciBusID: \S+ name: (\S[^\n]*?) computeCapability: (\d+\.\d)/gm;

/** TensorFlow's log lines about the GPUs that it finds, and about its search for CUDA. */
export const readTensorflowLog: ReportReader = (text) => {
  const at = text.search(
    /\btensorflow\/(?:stream_executor|compiler\/xla\/stream_executor|core\/common_runtime\/gpu|tsl)\/|external\/local_(?:xla|tsl)\//,
  );
  if (at < 0) return undefined;
  const seen = new Map<string, Report['gpus']>();
  for (const [, number, name, capability, second, older, major, minor, ofXla, named, said, newer, its] of text.matchAll(
    DEVICE,
  )) {
    const reported = name ?? older ?? named ?? newer;
    if (reported === undefined) continue;
    const which = number ?? second ?? ofXla ?? '0';
    seen.set(which, [
      { ...gpuNamed(reported.trim(), seen.size), computeCapability: capability ?? said ?? its ?? `${major}.${minor}` },
    ]);
  }
  const gpus = [...seen.values()].flatMap((each) => each ?? []);
  const driver = text.match(
    /(?:kernel (?:reported )?version(?: is|:)?|insufficient driver version):? ?(\d{3}\.[\d.]+)/,
  )?.[1];
  const cudnn = text.match(/Loaded (?:runtime CuDNN library|cuDNN version):? (\d[\d.]*\d)(?= but source|\s)/)?.[1];
  if (gpus.length === 0 && driver === undefined && cudnn === undefined) return undefined;
  const isUsed = gpus.length > 0 && /Created (?:TensorFlow )?device \(?\/job:[^\n]{0,80}GPU:\d/.test(text);
  return {
    program: "TensorFlow's log",
    at,
    ...(gpus.length > 0 && { gpus }),
    ...(driver && { driver }),
    ...(cudnn && { cudnn: cudnn.includes('.') ? cudnn : cudnnOfNumber(Number(cudnn)) }),
    ...(isUsed && { runtime: { tensorflow: { available: true, devices: devicesOf(gpus) } } }),
  };
};
