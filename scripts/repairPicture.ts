/**
 * Draws `images/repair.svg`: what `gpu-doctor repair` prints in one of the broken environments of `test/broken`. Needs uv
 * and PyPI.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { declaredEnvironments, freshEnvironment, shell } from '../test/broken/environments.ts';
import { build } from './build.ts';
import { root } from './root.ts';
import { run } from './run.ts';

const ENVIRONMENT = 'tokenizers-too-new';
const COMMAND = 'repair --yes -- .venv/bin/python train.py';

/** In characters. */
const WIDTH = 118;
/** In pixels. */
const [CHARACTER, LINE, MARGIN] = [7.83, 18, 16];

/** The colors of lines, the first that matches; others are plain. */
const COLORS: readonly (readonly [line: RegExp, color: string])[] = [
  [/^\$ /, '#ffffff'],
  [/^── ✔|^Works|^ {2}\S+ +\S+ → /, '#7ee787'],
  [/^── /, '#79c0ff'],
  [/^\w+Error: /, '#ff7b72'],
  [/^Traceback|^ {4}⋮/, '#8b949e'],
];

function wrapped(line: string): string[] {
  if (line.length <= WIDTH) return [line];
  const end = line.lastIndexOf(' ', WIDTH);
  return [line.slice(0, end), ...wrapped(line.slice(end + 1))];
}

function drawn(text: string): string {
  const lines = text.split('\n').flatMap((line) => {
    const color = COLORS.find(([pattern]) => pattern.test(line))?.[1] ?? '#e6edf3';
    return wrapped(line).map((part) => ({ part, color }));
  });
  const [width, height] = [Math.ceil(WIDTH * CHARACTER) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const rows = lines.map(({ part, color }, at) => {
    // Browsers collapse other spaces.
    const escaped = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00A0');
    return `<text x="${MARGIN}" y="${MARGIN + 13 + at * LINE}" fill="${color}">${escaped}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ' font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13">',
    '<title>gpu-doctor repair in a terminal</title>',
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

await run(async () => {
  await build();
  const declared = (await declaredEnvironments()).find(({ id }) => id === ENVIRONMENT);
  if (declared === undefined) throw new Error(`there is no environment ${ENVIRONMENT}`);
  const { project, env } = await freshEnvironment(declared);
  const cli = path.join(root, 'dist', 'cli.js');
  const program = 'mv prog.py train.py';
  const { status, output } = await shell(`${program} && "${process.execPath}" "${cli}" ${COMMAND} 2>&1`, project, env);
  if (status !== 0) throw new Error(`the repair failed:\n${output}`);
  const text = output
    // Neither a folder of this machine nor transformers' own lines are of interest.
    .replaceAll(project, '~/project')
    .replace(/^(Traceback.*\n)(?: .*\n)+/gm, '$1    ⋮\n')
    .trimEnd();
  await writeFile(path.join(root, 'images', 'repair.svg'), drawn(`$ gpu-doctor ${COMMAND}\n${text}`));
});
