import { extname } from 'node:path';
import { shownPath, slashed } from '../files/paths.ts';
import type { Problem } from './problem.ts';
import { UNCHECKED } from './uncheckedFile.ts';

/**
 * JUnit XML, which most CI servers show as failed tests: a suite for each file, a case for each problem. It has exactly
 * the attributes that the schema of Jenkins's xUnit plugin requires. Problems that do not fail the run are output of
 * their case.
 */
export function renderJunit(problems: readonly Problem[], failsRun: (problem: Problem) => boolean): string {
  const verdicts = new Map(problems.map((problem) => [problem, verdictOf(problem, failsRun)]));
  const files = new Map<string, Problem[]>();
  for (const problem of problems) {
    const ofFile = files.get(problem.filename);
    if (ofFile) ofFile.push(problem);
    else files.set(problem.filename, [problem]);
  }
  const suites =
    problems.length > 0
      ? [...files].map(([filename, ofFile]) => renderSuite(slashed(shownPath(filename)), ofFile, verdicts))
      : // Some servers treat a report without any case as broken.
        [
          '  <testsuite name="gpu-doctor" tests="1" failures="0" errors="0">\n    <testcase name="No problems found"/>\n  </testsuite>\n',
        ];
  const counts = countsOf(problems, verdicts).replace('tests="0"', 'tests="1"');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gpu-doctor" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function renderSuite(path: string, problems: readonly Problem[], verdicts: Verdicts): string {
  const counts = countsOf(problems, verdicts);
  const className = escapeXml(path.slice(0, path.length - extname(path).length));
  const cases = problems
    .map((problem) => renderCase(problem, verdicts.get(problem) ?? 'failure', path, className))
    .join('');
  return `  <testsuite name="${escapeXml(path)}" ${counts}>\n${cases}  </testsuite>\n`;
}

function renderCase(problem: Problem, verdict: Verdict, path: string, className: string): string {
  const { code, name, cell, location, message } = problem;
  const inCell = cell === null ? '' : `cell ${cell}:`;
  const place = `${path}:${inCell}${location.row}:${location.column}`;
  return `    <testcase name="${code} at ${inCell}${location.row}:${location.column}" classname="${className}">
      <${verdict}${verdict === 'system-out' ? '' : ` type="${code}" message="${escapeXml(message)}"`}>${escapeXml(`${place}: ${code} ${message} (${name})`)}</${verdict}>
    </testcase>
`;
}

/** The element in a problem's case. */
type Verdict = 'failure' | 'error' | 'system-out';
type Verdicts = ReadonlyMap<Problem, Verdict>;

function verdictOf(problem: Problem, failsRun: (problem: Problem) => boolean): Verdict {
  if (problem.code === UNCHECKED) return 'error';
  return failsRun(problem) ? 'failure' : 'system-out';
}

function countsOf(problems: readonly Problem[], verdicts: Verdicts): string {
  const count = (verdict: Verdict) => problems.filter((problem) => verdicts.get(problem) === verdict).length;
  return `tests="${problems.length}" failures="${count('failure')}" errors="${count('error')}"`;
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
