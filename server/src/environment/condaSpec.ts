/** Conda requirements: `pytorch::pytorch=2.1=py3.10_cuda11.8*`, `python >=3.9,<3.12`. */
import { normalized } from '../published/packageName.ts';
import type { Requirement } from './environmentFile.ts';
import { spannedText } from './requirement.ts';

const SPEC = /^(\s*)(?:([\w./:-]+?)::)?([\w.-]+)(?:\[[^\]]*\])?(?:(\s*)((?:[=<>!~]|(?<=\s)[\d*]).*?))?\s*$/s;
const PARTS = /^(={0,2})(\s*)(\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)*)?(\.?\*)?(?:\s*=\s*|\s+)?([\w.*]+)?$/;

/** Reads a requirement that begins at an offset of its file; undefined if the text is not a requirement. */
export function readCondaSpec(text: string, offset: number): Requirement | undefined {
  const match = SPEC.exec(text);
  if (!match) return undefined;
  const [, before = '', channel, name = '', gap = '', version = ''] = match;
  const start = offset + before.length;
  const nameStart = start + (channel === undefined ? 0 : channel.length + 2);
  const versionStart = offset + text.lastIndexOf(gap + version) + gap.length;
  return {
    name: normalized(name),
    nameSpan: { start: nameStart, end: nameStart + name.length },
    span: { start, end: offset + text.trimEnd().length },
    manager: 'conda',
    ...condaVersion(version, versionStart),
    extras: [],
    marker: '',
    ...(channel !== undefined && { channel: channel.split('/').at(-1) }),
    sources: [],
  };
}

/** Reads a conda version that begins at an offset: "=2.1", "==2.1.0", "2.1.*", ">=2,<3", "=2.1=build". */
export function condaVersion(text: string, offset: number): Pick<Requirement, 'specifier' | 'pin' | 'build'> {
  if (text === '' || text === '*') return { specifier: '' };
  const [, operator = '', gap = '', version, star, build] = PARTS.exec(text) ?? [];
  if (version !== undefined) {
    // A single equals sign, or a star, allows any further numbers.
    const isOpen = star !== undefined || (operator === '=' && build === undefined);
    return {
      specifier: `==${version}${isOpen ? '.*' : ''}`,
      pin: spannedText(version, offset + operator.length + gap.length),
      build,
    };
  }
  const clauses = text.replace(/\s+/g, '').split(',');
  const isKnown = clauses.every((clause) => /^(?:>=|<=|<|>|!=|~=|==)[\d.]+(?:\.\*)?(?:a\d+|rc\d+)?$/.test(clause));
  return { specifier: isKnown ? clauses.join(',') : undefined };
}
