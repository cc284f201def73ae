import { extname } from 'node:path';
import { shownPath, slashed } from '../files/paths.ts';
import type { Problem } from './problem.ts';

/**
 * JUnit XML, which most CI servers show as failed tests: a suite for each file, a case for each problem. It has exactly
 * the attributes that the schema of Jenkins's xUnit plugin requires.
 */
export function renderJunit(problems: readonly Problem[]): string {
  const files = new Map<string, Problem[]>();
  for (const problem of problems) {
    const ofFile = files.get(problem.filename);
    if (ofFile) ofFile.push(problem);
    else files.set(problem.filename, [problem]);
  }
  const suites =
    problems.length > 0
      ? [...files].map(([filename, ofFile]) => renderSuite(slashed(shownPath(filename)), ofFile))
      : // Some servers treat a report without any case as broken.
        [
          '  <testsuite name="gpu-doctor" tests="1" failures="0" errors="0">\n    <testcase name="No problems found"/>\n  </testsuite>\n',
        ];
  const counts = `tests="${Math.max(1, problems.length)}" failures="${problems.length}" errors="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gpu-doctor" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function renderSuite(path: string, problems: readonly Problem[]): string {
  const counts = `tests="${problems.length}" failures="${problems.length}" errors="0"`;
  const className = escapeXml(path.slice(0, path.length - extname(path).length));
  const cases = problems.map((problem) => renderCase(problem, path, className)).join('');
  return `  <testsuite name="${escapeXml(path)}" ${counts}>\n${cases}  </testsuite>\n`;
}

function renderCase({ code, name, cell, location, message }: Problem, path: string, className: string): string {
  const inCell = cell === null ? '' : `cell ${cell}:`;
  const place = `${path}:${inCell}${location.row}:${location.column}`;
  return `    <testcase name="${code} at ${inCell}${location.row}:${location.column}" classname="${className}">
      <failure type="${code}" message="${escapeXml(message)}">${escapeXml(`${place}: ${code} ${message} (${name})`)}</failure>
    </testcase>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Characters that XML 1.0 cannot represent, even as entities. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about.
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Surrogate}/gu;
/** Characters that move the cursor, or display text in another order than it is written. */
const MISLEADING = /[\x7F-\x9F]|\p{Bidi_Control}|\p{Zl}|\p{Zp}/gu;

function escapeXml(text: string): string {
  const plain = text.replace(UNWRITABLE, '\uFFFD').replace(MISLEADING, '\uFFFD');
  return plain.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
}
