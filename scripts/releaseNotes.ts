/**
 * `npm run release:notes -- v1.2.3 [FILE]` writes a release's section of the changelog, and prints `version=` and
 * `prerelease=` for the release workflow. It fails if the tag, package.json and the changelog disagree.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './root.ts';
import { run } from './run.ts';

export interface Release {
  readonly version: string;
  readonly isPrerelease: boolean;
  /** The section of the changelog, without its heading. */
  readonly notes: string;
}

/** The Marketplace does not support version suffixes: pre-releases have odd minor numbers. */
export function isPrerelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/**
 * @throws an error whose message says what disagrees.
 */
export function releaseOf(tag: string, packageVersion: string, changelog: string): Release {
  const [, version] = /^v(\d+\.\d+\.\d+)$/.exec(tag) ?? [];
  if (!version) throw new Error(`\`${tag}\` is not a release tag such as v1.2.3.`);
  if (version !== packageVersion) throw new Error(`The tag is ${version}, but package.json has ${packageVersion}.`);
  const sections = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  if (!section) throw new Error(`CHANGELOG.md has no section \`## [${version}]\`.`);
  const [heading = '', ...lines] = section.split('\n');
  if (!/\] - \d{4}-\d{2}-\d{2}$/.test(heading)) throw new Error(`\`## ${heading}\` in CHANGELOG.md has no date.`);
  const notes = lines.filter((line) => !/^\[[^\]]+\]: /.test(line));
  return { version, isPrerelease: isPrerelease(version), notes: `${notes.join('\n').trim()}\n` };
}

if (import.meta.main)
  await run(async () => {
    const [tag = '', file] = process.argv.slice(2);
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const release = releaseOf(tag, version, await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'));
    if (!file) return void process.stdout.write(release.notes);
    await writeFile(file, release.notes);
    console.log(`version=${release.version}\nprerelease=${release.isPrerelease}`);
  });
