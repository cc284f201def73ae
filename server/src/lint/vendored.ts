/** Code that a project contains but did not write: copies of other projects. */

import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isBelow, slashed } from '../files/paths.ts';
import { projectRoot, repositoryOf } from '../files/projectRoot.ts';
import type { Program } from '../guards/program.ts';
import type { Reason } from '../guards/reason.ts';
import { projectText } from '../projectFile.ts';
import { remembering } from '../published/remembering.ts';

/** The origin of a file, according to its path. */
export interface Origin {
  /** The reason why the file is a copy, whatever it contains. */
  readonly copied?: Reason;
  /**
   * The package that a folder around the file is named after: the file is a copy if its header names another author.
   */
  readonly packageName?: string;
  /** The text of the project's own licenses, which name its authors. */
  readonly licence?: string;
}

/** Names of folders for other people's code. */
const FOLDER = /^(third[-_]?party|3rd[-_]?party|vendor|vendored|_vendor|extern|externals?|submodules?)$/i;
/** Packages that projects often copy completely. */
const PACKAGES: ReadonlySet<string> = new Set(
  'detectron2 transformers mmcv mmdet mmseg mmengine apex fairseq timm diffusers open_clip yolov5 yolov7 ultralytics clip taming stylegan2'.split(
    ' ',
  ),
);
const LICENCE = /^(licen[cs]e|copying)([-._].*)?$/i;
const PACKAGING = /^(setup\.py|setup\.cfg|pyproject\.toml)$/;
/** The authors of a package, as stated in its packaging file. */
const AUTHOR = /\bauthors?\b[^\n]*/i;
/** Names of folders that hold several of a project's own packages. */
const OWN_PACKAGES = /^(packages|libs|apps|projects|services|examples|docs|plugins|modules)$/i;

/** Returns the origin of a file. `folders` are the folders that were opened or specified as a whole. */
export const originOf = (path: string, folders: readonly string[] = []): Origin =>
  originIn([dirname(path), ...folders].join('\0'));

/** Returns the origin of the files in a folder, which is followed by the opened ones. */
const originIn = remembering((key): Origin => {
  const [home = '', ...folders] = key.split('\0');
  const root = rootOf(home, folders);
  if (root === undefined) return {};
  const parts = slashed(relative(root, home)).split('/').filter(Boolean);
  const named = parts.findIndex((part) => FOLDER.test(part));
  if (named >= 0)
    return { copied: { because: `\`${parts.slice(0, named + 1).join('/')}/\` holds other projects' code` } };
  const submodule = submodulesIn(root).find(({ folder }) => isIn(home, folder));
  if (submodule) {
    const { line } = submodule;
    return {
      copied: { because: 'it is part of a Git submodule', at: { path: join(root, '.gitmodules'), line, character: 0 } },
    };
  }
  for (let count = 1; count <= parts.length; count++) {
    const foreign = foreignFileIn(join(root, ...parts.slice(0, count)), root);
    if (foreign)
      return {
        copied: { because: 'its folder is a package by other authors', at: { path: foreign, line: 0, character: 0 } },
      };
  }
  for (let count = 1; count < parts.length; count++) {
    const gathered = copiesIn(join(root, ...parts.slice(0, count)));
    const [first] = gathered;
    // A folder with a license of the project's own belongs to the project.
    const isOwn = papersIn(join(root, ...parts.slice(0, count + 1))).length > 0;
    if (first !== undefined && !isOwn)
      return {
        copied: {
          because: `\`${parts.slice(0, count).join('/')}/\` collects packages by other authors`,
          at: { path: first, line: 0, character: 0 },
        },
      };
  }
  const packageName = parts.find((part) => PACKAGES.has(part.toLowerCase()));
  return packageName === undefined ? {} : { packageName, licence: licenceOf(root) };
});

const isIn = (folder: string, around: string) => relative(around, folder) === '' || isBelow(folder, around);

/** Returns the reasons why the program is not the project's own code; empty if it is. */
export function copiedFrom(program: Program, { copied, packageName, licence = '' }: Origin): readonly Reason[] {
  if (copied) return [copied];
  if (packageName === undefined) return [];
  const header = /(?:copyright|\(c\))[^\n]*/i.exec(program.text.slice(0, 1500));
  if (!header || namesAuthor(header[0], licence)) return [];
  const at = { start: header.index, end: header.index + header[0].length };
  return [{ because: `this is a copy of the third-party package \`${packageName}\``, at }];
}

/** True if a license contains a name from the header. */
function namesAuthor(header: string, licence: string): boolean {
  const names = header.match(/\b[A-Z][A-Za-z-]{2,}\b/g) ?? [];
  const known = names.filter(
    (name) => !/^(Copyright|All|Rights|Reserved|The|Inc|LLC|Licensed|Authors?|Team|and)$/i.test(name),
  );
  return known.length === 0 || known.some((name) => licence.includes(name));
}

/**
 * Returns the root of the repository, or else the folder that was opened or specified, or else the nearest package's
 * folder.
 */
function rootOf(home: string, folders: readonly string[]): string | undefined {
  const opened = folders.filter((folder) => isIn(home, folder)).sort((a, b) => b.length - a.length)[0];
  if (opened !== undefined) return repositoryOf(opened) ?? opened;
  return projectRoot(home) ?? undefined;
}

interface Submodule {
  readonly folder: string;
  /** 0-based, in `.gitmodules`. */
  readonly line: number;
}

const gitmodulesOf = remembering((root) => textOf(join(root, '.gitmodules')));

function submodulesIn(root: string): Submodule[] {
  return gitmodulesOf(root)
    .split(/\r?\n/)
    .flatMap((text, line) => {
      const path = /^\s*path\s*=\s*(.+?)\s*$/.exec(text)?.[1];
      return path === undefined ? [] : [{ folder: join(root, path) + sep, line }];
    });
}

/** Returns the names of licenses and packaging files. */
const papersIn = remembering((folder): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => LICENCE.test(name) || PACKAGING.test(name));
  } catch {
    return [];
  }
});

const licenceOf = remembering((root) =>
  papersIn(root)
    .map((name) => textOf(join(root, name)))
    .join('\n'),
);

/** Returns the license or packaging file of another author in a folder, if the project itself has such files. */
function foreignFileIn(folder: string, root: string): string | undefined {
  const names = papersIn(folder);
  if (names.length === 0 || papersIn(root).length === 0) return undefined;
  if (OWN_PACKAGES.test(basename(dirname(folder)))) return undefined;
  const own = licenceOf(root);
  const foreign = names.find((name) => {
    const text = textOf(join(folder, name));
    const author = (LICENCE.test(name) ? /copyright[^\n]*\d{4}[^\n]*/i : AUTHOR).exec(text)?.[0];
    if (author !== undefined) return !namesAuthor(author, own);
    // Some licenses name nobody: a license that the project does not use is someone else's.
    return LICENCE.test(name) && text.trim() !== '' && !squeezed(own).includes(squeezed(text).slice(0, 200));
  });
  return foreign === undefined ? undefined : join(folder, foreign);
}

/**
 * Returns the licenses of other authors in the subfolders of a collection of repositories. There must be several, and
 * at least half of the subfolders must have their own readme or papers; if so, the other subfolders are also copies.
 */
const copiesIn = remembering((folder: string): readonly string[] => {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const root = projectRoot(folder) ?? folder;
    const foreign = folders.flatMap(({ name }) => foreignFileIn(join(folder, name), root) ?? []);
    const whole = folders.filter(
      ({ name }) => hasReadme(join(folder, name)) || papersIn(join(folder, name)).length > 0,
    );
    return foreign.length >= 2 && whole.length >= folders.length / 2 ? foreign : [];
  } catch {
    return [];
  }
});

function hasReadme(folder: string): boolean {
  return readdirSync(folder).some((name) => /^readme(\.\w+)?$/i.test(name));
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

const textOf = (path: string): string => projectText(path, 'settings') ?? '';
