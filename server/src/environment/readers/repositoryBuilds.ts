/** Packages that pip builds from a repository. */
import { buildsWithTorch } from '../catalogue/catalogue.ts';
import type { EnvironmentKind, SpannedText } from '../environmentFile.ts';
import { spannedText } from '../requirement.ts';

/** Tools of other files may declare what a build needs. */
const READ: readonly EnvironmentKind[] = [
  ...(['requirements', 'requirementsIn', 'conda', 'shell', 'dockerfile', 'workflow', 'gitlabCi', 'apptainer'] as const),
];

const REPOSITORY =
  /git\+(?:https?|ssh):\/\/(?:git@)?github\.com[/:]([\w.-]+\/[\w-]+(?:\.(?!git\b)[\w-]+)*)[^\s"';|&]*/g;

/** Returns the repositories that a file installs in an isolated build and whose build imports torch. */
export function torchBuildsIn(kind: EnvironmentKind, text: string): SpannedText[] {
  if (!READ.includes(kind) || !text.includes('git+') || /PIP_NO_BUILD_ISOLATION/.test(text)) return [];
  const plain = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  return [...plain.matchAll(REPOSITORY)].flatMap(({ 0: url, 1: repository = '', index }) => {
    const end = plain.indexOf('\n', index);
    const line = plain.slice(plain.lastIndexOf('\n', index) + 1, end < 0 ? plain.length : end);
    const before = plain.slice(plain.lastIndexOf('\n', index) + 1, index);
    if (!buildsWithTorch(repository) || /(?:^|\s)#|\becho\b/.test(before)) return [];
    return /--no-build-isolation/.test(line) ? [] : [spannedText(url, index)];
  });
}
