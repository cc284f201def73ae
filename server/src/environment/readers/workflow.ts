/** GitHub workflows: the packages that the steps of each job install. */
import { posix } from 'node:path';
import { type Located, locateYaml } from '../../located/located.ts';
import {
  type EnvironmentFile,
  type Installation,
  installationOf,
  type SpannedText,
  type VersionRange,
} from '../environmentFile.ts';
import { pythonOfImage } from '../imagePython.ts';
import { spannedText } from '../requirement.ts';
import type { Includes } from './includes.ts';
import { commentsOf, UNREAD } from './pipList.ts';
import { installationBy, installationsOf } from './script.ts';
import { type InstallingCommand, readCommands } from './shell.ts';
import { tableOf, textAt } from './texts.ts';

/** Commands run in the repository folder, two levels above its workflows. */
const REPOSITORY = '../..';

export function readWorkflow(text: string, { listAt }: Includes): EnvironmentFile {
  const located = locateYaml(text);
  const comments = commentsOf(text);
  if (located.errors.length > 0) return { kind: 'workflow', installations: [], comments, errors: located.errors };
  const installations = Object.entries(tableOf(tableOf(located.value).jobs)).flatMap(([name, value]) => {
    const { steps, container } = tableOf(value);
    const place = ['jobs', name];
    const list = (Array.isArray(steps) ? steps : []).map((step) => tableOf(step));
    const image = imageAt(text, located, [...place, 'container'], container);
    const python = pythonOfSteps(text, located, [...place, 'steps'], list) ?? (image && pythonOfImage(image));
    const commandsOf = (step: Record<string, unknown>, index: number): InstallingCommand[] => {
      const script = scriptAt(text, located, [...place, 'steps', index, 'run'], step.run);
      if (script === undefined) return [];
      const isElsewhere = step['working-directory'] !== undefined;
      return readCommands(script.text, script.span.start, new Map(), (path, named) =>
        isElsewhere ? UNREAD : listAt(posix.join(REPOSITORY, path), named),
      );
    };
    const always = list.flatMap((step, index) => (step.if === undefined ? commandsOf(step, index) : []));
    const sometimes = list.map((step, index) => (step.if === undefined ? [] : commandsOf(step, index)));
    const own = image && { image: { ...image, compiles: false } };
    return [...installationsOf(always, python), ...sometimes.map((commands) => installationBy(commands, python))].map(
      (installation): Installation => ({ ...installation, ...own }),
    );
  });
  const found = installations.filter(({ requirements }) => requirements.length > 0);
  return { kind: 'workflow', installations: found.length > 0 ? found : [installationOf([])], comments, errors: [] };
}

/** Returns the Python version that a step sets up; undefined if there is none or if it depends on a matrix. */
function pythonOfSteps(
  text: string,
  located: Located,
  path: readonly (string | number)[],
  steps: readonly Record<string, unknown>[],
): VersionRange | undefined {
  const found = steps.flatMap(({ uses, with: options }, index) => {
    if (typeof uses !== 'string' || !('python-version' in tableOf(options))) return [];
    const { start, end } = located.valueAt([...path, index, 'with', 'python-version']);
    // The number 3.10 would be 3.1.
    const [, before = '', version] = /^(["']?)(3\.\d+)/.exec(text.slice(start, end)) ?? [];
    if (version === undefined) return [undefined];
    return [
      {
        specifier: `==${version}.*`,
        span: { start: start + before.length, end: start + before.length + version.length },
      },
    ];
  });
  return found.length === 1 ? found[0] : undefined;
}

export function imageAt(
  text: string,
  located: Located,
  path: readonly string[],
  value: unknown,
): SpannedText | undefined {
  const found = textAt(text, located, path, value) ?? textAt(text, located, [...path, 'image'], tableOf(value).image);
  return found && !found.text.includes('${{') ? found : undefined;
}

/** Returns the commands of a step, with spaces in place of other text, to keep offsets. */
export function scriptAt(
  text: string,
  located: Located,
  path: readonly (string | number)[],
  value: unknown,
): SpannedText | undefined {
  if (typeof value !== 'string' || !value.includes('install')) return undefined;
  const { start, end } = located.valueAt(path);
  const raw = text.slice(start, end);
  const blanks = (part: string) => ' '.repeat(part.length);
  const [head] = /^[|>][^\n]*\n/.exec(raw) ?? [];
  if (head === undefined) {
    const plain = textAt(text, located, path, value);
    return plain && { ...plain, text: plain.text.replace(/\$\{\{.*?\}\}/gs, blanks) };
  }
  const body = raw
    .slice(head.length)
    .replace(/\\\r?\n/g, blanks)
    .replace(/\$\{\{.*?\}\}/gs, (part) => `$${'X'.repeat(part.length - 1)}`);
  return spannedText(head.startsWith('>') ? body.replace(/\n/g, ' ') : body, start + head.length);
}
