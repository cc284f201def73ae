import { gpuIn } from './form.ts';
import {
  cudaVersion,
  devicesOf,
  gpuNamed,
  labelled,
  type Report,
  type ReportReader,
  reportAt,
  versionIn,
} from './report.ts';
import { systemOf } from './system.ts';

/** What its issue form asks for, in the forms of all years, and `tf_env_collect.sh`, which answers it. */
export const readTensorflowForm: ReportReader = (text) => {
  const at = text.search(
    /^[ \t>*#-]*(?:OS Platform and Distribution|TensorFlow installed from|== check python =)|^[ \t>]*#{2,4}[ \t]*TensorFlow version[ \t]*$/im,
  );
  if (at < 0) return undefined;
  const body = reportAt(text, at);
  const version = versionIn(
    releaseIn(answer(body, 'TensorFlow version')) ?? labelled(body, 'tf\\.(?:version\\.)?VERSION'),
  );
  const python = versionIn(answer(body, 'Python version')?.replace(/^python\s*/i, ''));
  const both = answer(body, 'CUDA\\/cuDNN version') ?? '';
  // Three digits before the point are those of a driver.
  const cuda = cudaVersion(both.match(/(?<![\d.])\d{1,2}\.\d(?:\.\d+)?/)?.[0]);
  const gpu = answer(body, 'GPU model and memory');
  const found = gpuIn(gpu);
  return {
    program: "TensorFlow's form",
    at,
    ...systemOf(answer(body, 'OS Platform and Distribution'), undefined),
    ...(python && { python }),
    ...(version && { builds: { tensorflow: { version } } }),
    ...(cuda && { toolkit: { version: cuda, root: 'the CUDA that the form names' } }),
    ...(found && { gpus: [found] }),
  };
};

/** The form asks for `tf.version.GIT_VERSION` and `tf.version.VERSION` in one line: "v2.12.0-rc1-12-g0db597d0d75 2.12.0". */
function releaseIn(told: string | undefined): string | undefined {
  return told?.replace(/^.*-g[0-9a-f]{7,}[\s,]+|^(?:tf|v|tensorflow)[\s:=-]*/i, '');
}

/** On the same line in parentheses behind the question, or, in newer forms, in the paragraph below it. */
function answer(body: string, question: string): string | undefined {
  const line = labelled(body, `${question}(?:\\s*\\([^)\\n]*\\))?`);
  if (line !== undefined) return line;
  const below = new RegExp(`^[ \\t>]*#{2,4}[ \\t]*${question}[ \\t]*\\n[\\s>]*([^#\\s>][^\\n]*)`, 'im')
    .exec(body)?.[1]
    ?.trim();
  return below === undefined || /^_No response_$/i.test(below) ? undefined : below;
}

const DEVICE =
  /-> (?:physical GPU \()?device: (\d+), name: ([^,\n]+), pci bus id: [^,\n]+, compute capability: (\d+\.\d)|^.*Found device (\d+) with properties:\s*\n(?:[^\n]*?)name: ([^\n]+?) major: (\d) minor: (\d)|pciBusID: \S+ name: (\S[^\n]*?) computeCapability: (\d+\.\d)/gm;

/** What TensorFlow logs of the GPUs that it finds, and that it looks for CUDA at all. */
export const readTensorflowLog: ReportReader = (text) => {
  const at = text.search(
    /\btensorflow\/(?:stream_executor|compiler\/xla\/stream_executor|core\/common_runtime\/gpu|tsl)\/|external\/local_(?:xla|tsl)\//,
  );
  if (at < 0) return undefined;
  const seen = new Map<string, Report['gpus']>();
  for (const [, number, name, capability, second, older, major, minor, newer, its] of text.matchAll(DEVICE)) {
    const told = name ?? older ?? newer;
    if (told === undefined) continue;
    const which = number ?? second ?? '0';
    seen.set(which, [
      { ...gpuNamed(told.trim(), seen.size), computeCapability: capability ?? its ?? `${major}.${minor}` },
    ]);
  }
  const gpus = [...seen.values()].flatMap((each) => each ?? []);
  const driver = text.match(/kernel (?:reported )?version(?: is|:)?:? ?(\d{3}\.[\d.]+)/)?.[1];
  if (gpus.length === 0 && driver === undefined) return undefined;
  const isUsed = gpus.length > 0 && /Created (?:TensorFlow )?device \(?\/job:[^\n]{0,80}GPU:\d/.test(text);
  return {
    program: "TensorFlow's log",
    at,
    ...(gpus.length > 0 && { gpus }),
    ...(driver && { driver }),
    ...(isUsed && { runtime: { tensorflow: { available: true, devices: devicesOf(gpus) } } }),
  };
};
