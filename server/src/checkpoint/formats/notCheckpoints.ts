/** Files that people find instead of a checkpoint that GPU Doctor reads. */
import { bytesText } from '../byteSizes.ts';
import type { FormatDeclaration } from './declaration.ts';
import { leadingText, startsWith } from './signature.ts';

/** Number of bytes of a text file that are read to explain it. */
const BEGINNING = 512;

export const gitLfsPointer: FormatDeclaration = {
  title: 'Git LFS pointer',
  noun: 'a Git LFS pointer',
  kind: 'other',
  hasSignature: ({ head }) => startsWith(head, 'version https://git-lfs.github.com/spec/v1'),
  read: async ({ bytes }) => {
    const size = /^size (\d+)/m.exec((await bytes.read(0, BEGINNING)).toString('latin1'))?.[1];
    const problem = `It is a Git LFS pointer to ${size ? `a file of ${bytesText(Number(size))}` : 'a file'}: run \`git lfs pull\` to download it.`;
    return (await import('../unreadCheckpoint.ts')).unreadCheckpoint('git-lfs-pointer', bytes.size, problem);
  },
};

export const tflite: FormatDeclaration = {
  title: 'TensorFlow Lite model',
  noun: 'a TensorFlow Lite model',
  kind: 'other',
  hasSignature: ({ head }) => head.toString('latin1', 4, 8) === 'TFL3',
  problem: 'It is a TensorFlow Lite model, which is not checked.',
};

export const html: FormatDeclaration = {
  title: 'web page',
  noun: 'a web page',
  kind: 'other',
  looksLikeIt: (head) => /^\s*<(!doctype|html|head|\?xml)/i.test(leadingText(head) ?? ''),
  problem: 'It is an HTML page: the download probably returned a login or error page.',
};

export const json: FormatDeclaration = {
  title: 'JSON text',
  noun: 'JSON text',
  kind: 'other',
  looksLikeIt: (head) => /^\s*[{[]/.test(leadingText(head) ?? ''),
  read: async ({ bytes, budget }) => (await import('./json.ts')).readJson(bytes, budget),
};

export const textFormat: FormatDeclaration = {
  title: 'text',
  noun: 'a text file',
  kind: 'other',
  looksLikeIt: (head) => leadingText(head) !== undefined,
  read: async ({ bytes }) => {
    const problem = problemOfText((await bytes.read(0, BEGINNING)).toString('utf8'));
    return (await import('../unreadCheckpoint.ts')).unreadCheckpoint('text', bytes.size, problem);
  },
};

export const empty: FormatDeclaration = {
  title: 'empty file',
  noun: 'an empty file',
  kind: 'other',
  problem: 'The file is empty.',
};

export const folder: FormatDeclaration = {
  title: 'folder',
  noun: 'a folder',
  kind: 'other',
  problem: 'It is a folder, but not a model in a folder format.',
};

export const unknownFormat: FormatDeclaration = {
  title: 'unknown format',
  noun: 'a file of an unknown format',
  kind: 'other',
  problem: 'GPU Doctor does not know its format.',
};

/** Explains a text file, which may be a pointer to a file stored elsewhere or a server's error message. */
function problemOfText(content: string): string {
  if (/^outs:\s*\n\s*- (md5|hash|size|path):/m.test(content))
    return 'It is a DVC pointer: run `dvc pull` to download it.';
  if (/^(\.\.\/)*(\.git)?\/annex\/objects\//.test(content))
    return 'It is a git-annex pointer: run `git annex get` to download it.';
  const [line = ''] = content.trim().split(/[\r\n]/, 1);
  if (line === '') return 'It is text, not a checkpoint.';
  // Only a server's message is quoted: any other file may hold private text.
  if (!SERVER_ANSWER.test(line)) return 'It is text, not a checkpoint.';
  return `It is text, not a checkpoint: a server responded \`${line.slice(0, 80).replaceAll('`', "'")}\`.`;
}

const SERVER_ANSWER =
  /^[\w\s.,:'"{}<>()/-]*\b(not found|denied|unauthori[sz]ed|forbidden|invalid (?:username|credentials|token)|quota|rate limit|too many requests|temporarily unavailable|gated repo|restricted)\b/i;
