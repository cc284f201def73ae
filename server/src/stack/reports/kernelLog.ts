import { compareVersions } from '../releases/cudaDriver.ts';
import type { ReportReader } from './report.ts';

/** The line may have been broken, and syslog writes the end of a line as "#012". */
const MISMATCH =
  /NVRM: API mismatch: the client has the version (\d[\d.]*\d), but\s*(?:#012)?(?:\[[ \d.]+\]\s*)?(?:NVRM: )?\s*this kernel module has the version (\d[\d.]*\d)/;

/** What the kernel's log has of NVIDIA's driver: that a program came with libraries of a newer one than its module. */
export const readKernelLog: ReportReader = (text) => {
  const found = MISMATCH.exec(text);
  const [, library = '', module = ''] = found ?? [];
  if (found === null || compareVersions(library, module) <= 0) return undefined;
  const reason = `the NVIDIA libraries are of ${library}, the loaded kernel module is of ${module}`;
  return { program: "the kernel's log", at: found.index, noGpus: { cause: 'driverMismatch', reason } };
};
