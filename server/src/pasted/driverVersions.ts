import { compareVersions, majorOf } from '../published/versions.ts';
import type { ReportReader } from './report.ts';

/** The kernel log, whose line may be wrapped; syslog encodes the end of a line as "#012". */
const KERNEL =
  /NVRM: API mismatch: the client has the version (\d[\d.]*\d), but\s*(?:#012)?(?:\[[ \d.]+\]\s*)?(?:NVRM: )?\s*this kernel module has the version (\d[\d.]*\d)/;

/** TensorFlow and JAX report the module first, and the library on separate lines. */
const DSO = /kernel version (\d+\.[\d.]+) does not match DSO version (\d+\.[\d.]+)/;
const BOTH = /libcuda reported version is: (\d+\.[\d.]+)[\s\S]{0,1500}?kernel reported version is: (\d+\.[\d.]+)/;

/**
 * Messages of programs and the kernel about an NVIDIA driver whose libraries are newer than its kernel module, as after
 * an update without a restart. In a container, the libraries may belong to its image.
 */
export const readDriverVersions: ReportReader = (text) => {
  if (/\b(?:docker|containers?)\b/i.test(text)) return undefined;
  const logged = KERNEL.exec(text);
  const dso = DSO.exec(text);
  const both = BOTH.exec(text);
  const [library = '', module = ''] = logged?.slice(1) ?? dso?.slice(1).reverse() ?? both?.slice(1) ?? [];
  if (compareVersions(library, module) <= 0) return undefined;
  // For a framework, libraries of a newer branch may come from the package cuda-compat.
  if (logged === null && majorOf(module) !== majorOf(library)) return undefined;
  const reason = `the kernel module is of ${module}, and libcuda of ${library}`;
  const at = (logged ?? dso ?? both)?.index ?? 0;
  return { program: "the driver's versions", at, noGpus: { cause: 'driverMismatch', reason } };
};
