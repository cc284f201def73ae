/** Facts about the machine that programs print at startup. */
import { gpuNamed, type ListedPackage, labelled, leadingVersion, type ReportReader, reportAt } from './report.ts';
import { systemOf } from './system.ts';

/**
 * "Ultralytics 8.3.0 🚀 Python-3.10.12 torch-2.4.1+cu121 CUDA:0 (NVIDIA A100-SXM4-40GB, 40514MiB)"; YOLOv5 may omit the
 * Python and put a space before torch's version. If there are several, the one without a GPU belongs to the failing
 * environment.
 */
export const readUltralytics: ReportReader = (text) => {
  const banners = [...text.matchAll(BANNER)];
  const found = banners.find(([, , , devices = '']) => /^ CPU\b/.test(devices)) ?? banners[0];
  const [, python, torch, devices = ''] = found ?? [];
  if (found === undefined || torch === undefined) return undefined;
  const following = text.slice(found.index + found[0].length).match(/^(?:\n\s+CUDA:\d+ \([^\n]*)+/)?.[0] ?? '';
  const gpus = [...`${devices}${following}`.matchAll(/CUDA:\d+ \(([^,)]+), (\d+)(?:\.\d+)?Mi?B\)/g)].map(
    ([, name = '', memory], index) => ({ ...gpuNamed(name, index), memoryTotal: Number(memory) }),
  );
  return {
    program: 'Ultralytics',
    at: found.index,
    ...(python && { python }),
    builds: { torch: { version: torch } },
    ...(gpus.length > 0 && { gpus }),
  };
};

const BANNER =
  /^.*?(?:(?:YOLO|Ultralytics).{0,60}Python-(\d[\w.]*) torch-|(?:YOLO.{0,60}|Using )torch )(\d[\w.+]*)((?:(?= CPU| CUDA:).*)?)$/gm;

/** The first lines of ComfyUI and Stable Diffusion web interfaces, and ComfyUI's error reports. */
export const readDiffusionInterface: ReportReader = (text) => {
  const at = text.search(/^.*\b(?:Total VRAM \d+ MB|Device: cuda:\d+ )|^[ *-]*ComfyUI Version:/m);
  if (at < 0) return undefined;
  const body = reportAt(text, at);
  const device = body.match(/(?:Device|Name):\*{0,2} cuda:\d+ (\S[^\n:]*?)(?: : \w+)?[ \t]*$/m)?.[1];
  const torch = leadingVersion(body.match(/\b(?:pytorch version|PyTorch Version):\*{0,2} (\d\S*)/)?.[1]);
  if (device === undefined && torch === undefined) return undefined;
  const python = leadingVersion(labelled(body, 'Python version') ?? body.match(/^Python (\d+\.\d+\.\d+)/m)?.[1]);
  const xformers = leadingVersion(body.match(/\bxformers version: (\d\S*)/)?.[1]);
  const memory = body.match(/Total VRAM (\d+) MB/)?.[1];
  const packages: ListedPackage[] = xformers ? [{ name: 'xformers', version: xformers }] : [];
  return {
    program: 'the first lines of the log',
    at,
    ...systemOf(undefined, labelled(body, 'OS')),
    ...(python && { python }),
    packages,
    ...(torch && { builds: { torch: { version: torch } } }),
    ...(device && { gpus: [{ ...gpuNamed(device, 0), ...(memory && { memoryTotal: Number(memory) }) }] }),
  };
};
