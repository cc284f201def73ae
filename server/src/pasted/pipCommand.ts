import { type ReportReader, WRITTEN } from './report.ts';

/** pip asked for one very version of torch, at a prompt, in a cell or within a sentence. */
const COMMAND =
  /\bpip3? install\b[^\n]{0,120}?\btorch={2,3}(\d+\.\d+\.\d+(?:\+(?:cpu|cu\d+|rocm\d[\d.]*))?)(?![\w.+])/g;

/** torch is used from there on. */
const USED = /\bimport torch\b|\btorch\.(?:cuda|version|__version__)|[\\/]torch[\\/]/;

/** pip did not install it. */
const REFUSED = /No matching distribution|Could not find a version|Cannot install |is not a supported wheel/;

/** The torch that pip was asked for, where a text goes on to use it and asks for no other one. */
export const readPipCommand: ReportReader = (text) => {
  const commands = [...text.matchAll(COMMAND)];
  const [version, another] = new Set(commands.map(([, asked]) => asked));
  const last = commands.at(-1);
  if (version === undefined || another !== undefined || last === undefined || REFUSED.test(text)) return undefined;
  if (!USED.test(text.slice(last.index + last[0].length))) return undefined;
  return { program: WRITTEN.command, isWritten: true, at: text.length, builds: { torch: { version } } };
};
