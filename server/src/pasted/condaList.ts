import { normalized } from '../published/packageName.ts';
import { type CondaRow, condaRow } from './packageRows.ts';
import type { ListedPackage, ReportReader } from './report.ts';

const HEADER = /^[ \t]*#\s*packages in environment at (\S.*?):?[ \t]*$/m;
const COLUMNS = /^[ \t#]*Name[ \t]+Version[ \t]+Build(?:[ \t]+Channel)?[ \t]*$/m;
const COMMAND = /^.*\b(?:conda|mamba|micromamba) list\b[^\n]*\|[^\n]*(?:grep|findstr|Select-String)[^\n]*$/m;

/** Marks a row with a channel, which only conda prints; people paste rows without the header. */
const ROW =
  /^(?=[ \t]*[a-z_][\w.-]*[ \t]+\d\S*[ \t]+[\w.+-]+[ \t]+(?:\[\w+\][ \t]+)?(?:pypi|conda-forge|pytorch|nvidia|defaults|pkgs\/main)[ \t]*$)/m;

/** The Python of a package's build: "py37h89c1867_0". */
function pythonOf(rows: readonly CondaRow[]): string | undefined {
  const reported = rows.flatMap(
    ({ build }) =>
      build
        .match(/^py([23])(\d{1,2})(?:h|_)/)
        ?.slice(1)
        .join('.') ?? [],
  );
  return new Set(reported).size === 1 ? reported[0] : undefined;
}

/** `conda list` and mamba's list, possibly filtered. */
export const readCondaList: ReportReader = (text) => {
  const header = HEADER.exec(text) ?? COLUMNS.exec(text) ?? COMMAND.exec(text) ?? ROW.exec(text);
  if (header === null) return undefined;
  const rows: CondaRow[] = [];
  for (const line of text.slice(header.index + header[0].length).split('\n')) {
    const row = condaRow(line);
    if (row !== undefined) rows.push(row);
    else if (rows.length > 0 && !/^\s*(#|$)/.test(line)) break;
  }
  if (rows.length === 0) return undefined;
  const ofPip = rows.filter(({ channel }) => channel === 'pypi');
  const ofConda = rows.filter(({ channel }) => channel !== 'pypi');
  const python = ofConda.find(({ name }) => name === 'python')?.version ?? pythonOf(ofConda);
  return {
    program: 'conda list',
    at: header.index,
    ...(python && { python }),
    packages: ofPip.map(({ name, version }): ListedPackage => ({ name: normalized(name), version })),
    conda: {
      prefix: header[1] ?? null,
      packages: ofConda.map(({ name, version, build }) => ({ name, version, build })),
    },
  };
};
