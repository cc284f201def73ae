/** The English of the sources, the interface and the documentation: plain words, short sentences (docs/style.md). */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../scripts/root.ts';

/** Words of an older or translated English, each with the present-day words for it. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, 'again, re-create'],
  [/\bkin\b/i, 'related'],
  [/\bmend(s|ed|ing)?\b/i, 'fix, repair'],
  [
    /\b(un)?told\b|(?<![Hh]ow to )\btell(s|ing)?\b(?! (apart|the (server|user|client|editor|system)\b))/i,
    'report, say, show, distinguish',
  ],
  [/\bwhatever it be\b/i, 'in any case'],
  [/\bparted by\b/i, 'separated by'],
  [/\bof (one|another) (time|age)\b/i, 'compatible, from the same period'],
  [/\b(with|have|has|had|by|the) leave\b/i, 'permission'],
  [/\bdeeds?\b|\bheed(s|ed)?\b/i, 'effect; follow, obey'],
  [/\btakes? for\b|\btaken for\b|\btook for\b/i, 'mistake for, treat as'],
  [/\bof its own accord\b/i, 'automatically'],
  [/\bby hand of\b/i, 'by'],
  [/\b(left|leaves?) in peace\b/i, 'not reported, left alone'],
  [/\bfor ever\b/i, 'forever; hangs'],
  [/(?<!\buser )\b(is|are|was|were|be) asked for\b|\basked for by\b/i, 'requested, required'],
  [/\bwhosoever\b|\bwhoever\b|\bwherein\b|\bthereof\b|\btherein\b/i, 'name the actor'],
  [/\bstands? (beside|written)\b/i, 'is next to, is written'],
  [/\b(of|about) which nothing is known\b|\bnothing is known of\b/i, 'unknown to GPU Doctor'],
];

/** Openings that put a relative clause or a genitive where a noun or a verb belongs. */
const OPENING = /^(What|Of|Whether|Those|Who|Whose)\b/;

/** Words of other programs, and of people, that the project quotes. */
const QUOTED = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”/g;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Comments of a TypeScript file with the line on which each begins: blocks, and runs of whole lines. */
function comments(source: string): { line: number; text: string; doc: boolean }[] {
  const found: { line: number; text: string; doc: boolean; open: boolean }[] = [];
  source.split('\n').forEach((code, index) => {
    const last = found.at(-1);
    const begins = /^\s*(\/\*\*?|\/\/)\s?(.*)$/.exec(code);
    const trailing = /^.*[;,{}()\]] \/\/ (.*)$/.exec(code);
    if (last?.open) {
      const ends = code.includes('*/');
      last.text += ` ${code.replace(/^\s*\*(?!\/) ?/, '').replace(/\s*\*\/.*$/, '')}`;
      last.open = !ends;
    } else if (begins?.[1] === '//' && last && !last.doc && last.line + last.text.split('\n').length === index + 1)
      last.text += `\n${begins[2]}`;
    else if (begins) {
      const text = begins[2]?.replace(/\s*\*\/.*$/, '') ?? '';
      const doc = begins[1] !== '//';
      found.push({ line: index + 1, text, doc, open: doc && !code.includes('*/') });
    } else if (trailing?.[1] && !/'[^']*\/\/[^']*$/.test(code))
      found.push({ line: index + 1, text: trailing[1], doc: false, open: false });
  });
  return found.map(({ line, text, doc }) => ({ line, text: text.replace(/\s+/g, ' ').trim(), doc }));
}

/** String literals of a TypeScript file that read like sentences: two words and more. */
function sentences(source: string): { line: number; text: string }[] {
  return source.split('\n').flatMap((code, index) => {
    if (/^\s*(\/\/|\/?\*)/.test(code)) return [];
    const literals = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g)];
    return literals
      .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
      .filter((text) => /[a-z] [a-z]+ [a-z]/i.test(text) && !/\(\?|\\b|\\s|\[\^/.test(text))
      .map((text) => ({ line: index + 1, text }));
  });
}

/** Lines of a Markdown, JSON or YAML file without fenced code and expressions that match the output of programs. */
function lines(source: string): { line: number; text: string }[] {
  let fenced = false;
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(```|~~~)/.test(text)) fenced = !fenced;
    const isExpression = /^\s*(- )?(said|words): /.test(text);
    return fenced || isExpression ? [] : [{ line: index + 1, text }];
  });
}

const wordsIn = (text: string) =>
  FORBIDDEN.flatMap(([word, instead]) => {
    const found = word.exec(text.replace(QUOTED, ''));
    return found ? [`"${found[0]}" (${instead})`] : [];
  });

function faultsOfCode(file: string): string[] {
  const source = read(file);
  const place = (line: number, fault: string) => `${file}:${line}: ${fault}`;
  return [
    ...comments(source).flatMap(({ line, text, doc }) => [
      ...(doc && OPENING.test(text) ? [place(line, `opens with "${text.split(' ', 4).join(' ')}"`)] : []),
      ...wordsIn(text).map((fault) => place(line, fault)),
    ]),
    ...sentences(source).flatMap(({ line, text }) => wordsIn(text).map((fault) => place(line, fault))),
  ];
}

const faultsOfText = (file: string) =>
  lines(read(file)).flatMap(({ line, text }) => wordsIn(text).map((fault) => `${file}:${line}: ${fault}`));

const report = (faults: readonly string[]) =>
  assert.equal(faults.length, 0, `${faults.length} places:\n${faults.slice(0, 400).join('\n')}`);

const rooms = globSync(['server/src/*', 'client/{src,webview}', 'scripts', 'test/*'], { cwd: root })
  .filter((room) => room !== 'test/prose.test.ts')
  .sort();

for (const room of rooms)
  test(`${room} is written in plain English`, () => {
    const files = room.endsWith('.ts') ? [room] : globSync(`${room}/**/*.ts`, { cwd: root });
    report(files.filter((file) => !file.includes('/fixtures/')).flatMap(faultsOfCode));
  });

test('pages are written in plain English', () => {
  const pages = ['README.md', 'EXTENSION.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'package.json'];
  report([...pages, ...globSync(['docs/**/*.md', '.github/**/*.md'], { cwd: root })].sort().flatMap(faultsOfText));
});

test('catalogues and tables are written in plain English', () => {
  report(globSync(['server/src/**/*.yaml', 'schemas/*.json'], { cwd: root }).sort().flatMap(faultsOfText));
});
