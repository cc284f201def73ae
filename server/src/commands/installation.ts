import { normalized } from '../published/packageName.ts';
import type { Statement } from './statements.ts';

/** A package that a command names. */
export interface Asked {
  /** Normalized. */
  readonly name: string;
  readonly extras: readonly string[];
  /** A PEP 440 specifier without a local tag; empty if any version is accepted. */
  readonly specifier: string;
  /** The build tag, such as "cu124", if the version has one. */
  readonly tag?: string;
}

/** The packages that a command installs into a Python environment. */
export interface Installation {
  readonly from: 'pypi' | 'conda';
  readonly asked: readonly Asked[];
  /** The last part of the index that is used instead of PyPI, such as "cu124" or "rocm6.4"; undefined: PyPI. */
  readonly index?: string;
  /** True if files on a page or in a folder, which GPU Doctor does not know, are candidates, too. */
  readonly isOpen: boolean;
  /** True if installed packages stay unchanged. */
  readonly keeps: boolean;
}

/** Options of the installers that are followed by a value. */
const WITH_VALUE =
  /^(?:-[rcefitnp]|--(?:requirement|constraint|editable|index-url|extra-index-url|find-links|index|default-index|target|prefix|python|source|name|channel|file|no-binary|only-binary|reinstall-package|upgrade-package))$/;
const INDEX = /^(?:-i|--(?:index-url|index|default-index))$/;
const PAGE = /^(?:-f|--(?:find-links|extra-index-url|source))$/;

/** Returns the packages that a statement installs; undefined for any other statement. */
export function installationOf({ program, words }: Statement): Installation | undefined {
  const [first = ''] = words;
  if (/^(?:conda|mamba|micromamba)$/.test(program) && /^(?:install|create)$/.test(first))
    return fromConda(words.slice(1));
  const verb = verbOf(program, words);
  return verb < 0 ? undefined : fromPypi(words.slice(verb + 1));
}

/** The index of the word that makes an installer install from PyPI or a similar index; -1 without one. */
function verbOf(program: string, words: readonly string[]): number {
  const [first = '', second = ''] = words;
  if (first === 'run') {
    const [, ...rest] = words;
    const verb = verbOf(rest[0] ?? '', rest.slice(1));
    return verb < 0 ? -1 : verb + 2;
  }
  const isPip =
    /^pip[\d.]*$/.test(program) ||
    (program === 'uv' && first === 'pip') ||
    (/^py(?:thon[\d.]*)?$/.test(program) && first === '-m' && second === 'pip');
  if (isPip) return words.indexOf('install');
  if (/^(?:uv|poetry|pdm)$/.test(program)) return first === 'add' ? 0 : -1;
  if (program === 'pixi') return first === 'add' && words.includes('--pypi') ? 0 : -1;
  return program === 'pipenv' && first === 'install' ? 0 : -1;
}

function fromPypi(words: readonly string[]): Installation {
  const asked: Asked[] = [];
  let index: string | undefined;
  let isOpen = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, option = word, joined] = /^(--[\w-]+)=(.*)$/.exec(word) ?? [];
    if (!option.startsWith('-')) {
      const one = isLeftOpen(word) ? [] : askedOf(word);
      if (one === undefined) isOpen = true;
      else asked.push(...[one].flat());
      continue;
    }
    const value = joined ?? (WITH_VALUE.test(option) ? words[++at] : undefined);
    if (value === undefined) continue;
    const address = value.replace(/^[\w-]+=(?=https?:)/, '');
    if (INDEX.test(option) && /^https:\/\/download\.pytorch\.org\/whl\//.test(address))
      index = address.replace(/\/+$/, '').replace(/^.*\/whl\//, '');
    else if (INDEX.test(option) || PAGE.test(option)) isOpen = true;
  }
  return {
    from: 'pypi',
    asked,
    ...(index !== undefined && { index }),
    isOpen,
    keeps: !words.some((word) => /^(?:-U|--upgrade|--force-reinstall|--reinstall\S*|--upgrade-package)$/.test(word)),
  };
}

/** Channels are not inspected; only the names and versions count. */
function fromConda(words: readonly string[]): Installation {
  const asked: Asked[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (WITH_VALUE.test(word)) at++;
    else if (!word.startsWith('-')) {
      const [, name, version = ''] = word.match(/^(?:[\w-]+::)?([\w.-]+?)(?:[= ]=?([\d.]+\d)[^,]*|[<>!~].*)?$/) ?? [];
      if (name !== undefined)
        asked.push({ name: normalized(name), extras: [], specifier: version === '' ? '' : `==${version}.*` });
    }
  }
  return { from: 'conda', asked, isOpen: true, keeps: true };
}

const REQUIREMENT = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\[([^\]]*)\])?((?:[=<>!~]=?=?[\w.*+!-]+,?)*)$/;

/** A placeholder for a package or a version. */
function isLeftOpen(word: string): boolean {
  return /^[A-Z_]+$|[=<>~]=?[A-Z_]+$/.test(word);
}

/** Undefined for a path or a URL. */
function askedOf(word: string): Asked | undefined {
  const [, name, extras = '', versions = ''] = REQUIREMENT.exec(word) ?? [];
  if (name === undefined) return undefined;
  const tag = /\+([\w.]+)/.exec(versions)?.[1];
  return {
    name: normalized(name),
    extras: extras.split(',').filter((extra) => extra !== ''),
    specifier: versions.replace(/\+[\w.]+/g, '').replaceAll('===', '=='),
    ...(tag !== undefined && { tag }),
  };
}
