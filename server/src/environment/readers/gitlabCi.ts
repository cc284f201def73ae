/** GitLab's CI configuration: the packages that the scripts of each job install. */
import { locateYaml } from '../../located/located.ts';
import { type EnvironmentFile, type Installation, installationOf } from '../environmentFile.ts';
import { pythonOfImage } from '../imagePython.ts';
import type { Includes } from './includes.ts';
import { commentsOf } from './pipList.ts';
import { installationsOf } from './script.ts';
import { readCommands } from './shell.ts';
import { tableOf } from './texts.ts';
import { imageAt, scriptAt } from './workflow.ts';

/** Top-level keys that are no jobs. */
const NO_JOBS =
  /^(?:\..*|default|include|stages|variables|workflow|image|services|cache|spec|(?:before|after)_script)$/;

export function readGitlabCi(text: string, { listAt }: Includes): EnvironmentFile {
  const located = locateYaml(text);
  const comments = commentsOf(text);
  if (located.errors.length > 0) return { kind: 'gitlabCi', installations: [], comments, errors: located.errors };
  const root = tableOf(located.value);
  const defaults = tableOf(root.default);
  // A job's own key replaces the default, which may be at the top, too.
  const placeOf = (name: string, job: Record<string, unknown>, key: string) => {
    if (job[key] !== undefined) return { path: [name, key], value: job[key] };
    if (defaults[key] !== undefined) return { path: ['default', key], value: defaults[key] };
    return { path: [key], value: root[key] };
  };
  const installations = Object.entries(root).flatMap(([name, value]): Installation[] => {
    const job = tableOf(value);
    if (NO_JOBS.test(name) || job.script === undefined) return [];
    const { path: imagePath, value: imageValue } = placeOf(name, job, 'image');
    const image = imageAt(text, located, imagePath, imageValue);
    const scripts = [placeOf(name, job, 'before_script'), { path: [name, 'script'], value: job.script }].flatMap(
      ({ path, value: lines }) =>
        Array.isArray(lines)
          ? lines.flatMap((line, index) => scriptAt(text, located, [...path, index], line) ?? [])
          : (scriptAt(text, located, path, lines) ?? []),
    );
    const commands = scripts.flatMap((script) => readCommands(script.text, script.span.start, new Map(), listAt));
    const own = image && { image: { ...image, compiles: false } };
    return installationsOf(commands, image && pythonOfImage(image)).map((each) => ({ ...each, ...own }));
  });
  const found = installations.length > 0 ? installations : [installationOf([])];
  return { kind: 'gitlabCi', installations: found, comments, errors: [] };
}
