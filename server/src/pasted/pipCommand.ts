import { type ReportReader, WRITTEN } from './report.ts';

/** A pip command for one exact version of torch, at a prompt, in a cell or in a sentence. */
const COMMAND =
  /\bpip3? install\b[^\n]{0,120}?\btorch={2,3}(\d+\.\d+\.\d+(?:\+(?:cpu|cu\d+|rocm\d[\d.]*))?)(?![\w.+])/g;

/** Marks the use of torch after it. */
const USED = /\bimport torch\b|\btorch\.(?:cuda|version|__version__)|[\\/]torch[\\/]/;

/** pip failed to install it. */
const REFUSED = /No matching distribution|Could not find a version|Cannot install |is not a supported wheel/;

/** The torch in a pip command, if the text then uses it and requests no other version. */
export const readPipCommand: ReportReader = (text) => {
  const commands = [...text.matchAll(COMMAND)];
  const [version, another] = new Set(commands.map(([, asked]) => asked));
  const last = commands.at(-1);
  if (version === undefined || another !== undefined || last === undefined || REFUSED.test(text)) return undefined;
  if (!USED.test(text.slice(last.index + last[0].length))) return undefined;
  return { program: WRITTEN.command, isWritten: true, at: text.length, builds: { torch: { version } } };
};
