import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createCheckpointCache } from '../../server/src/checkpoint/checkpointCache.ts';
import { parseProgram } from '../../server/src/guards/program.ts';
import { namedCheckpoints } from '../../server/src/lint/namedCheckpoints.ts';
import { diskFiles } from '../../server/src/projectIndex/diskFiles.ts';
import { createProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import type { Finding } from '../../server/src/rules/engine/contract.ts';
import type { Rule } from '../../server/src/rules/engine/rule.ts';
import { rules } from '../../server/src/rules/index.ts';
import { SAME_CAUSE } from '../../server/src/rules/unguardedCuda.ts';
import { verdictFixtures } from './fixtures.ts';

/** Base folders for the paths in fixtures: files written by real libraries, and files mistaken for checkpoints. */
const folders = ['../checkpoint/fixtures', 'checkpoints'].map((name) => path.join(import.meta.dirname, name));
const checkpoints = createCheckpointCache();

/** The rules, of which none omits the findings of another: a fixture names them all. */
const allFindings = rules.map((rule): Rule => {
  const effects = Object.entries(rule.outranks ?? {}).filter(([, effect]) => effect !== 'omitted');
  return { ...rule, outranks: Object.fromEntries(effects) };
});

const projectOf = (folder: string) => createProjectIndex(diskFiles(folder)).viewFor;

/** ` same` for a hint only because the same cause is reported at another place. */
function levelOf({ severity, reasons }: Finding): string {
  if (severity !== 'hint') return '';
  return reasons.every(({ because }) => because === SAME_CAUSE) ? ' same' : ' hint';
}

/** The tiers of the fixes of each rule's findings, and how many of its fixtures have run: some may be filtered out. */
const offered = new Map<string, { tiers: Set<string>; fixtures: number }>();
const fixtures = verdictFixtures();

describe('verdicts of the fixtures', () => {
  for (const fixture of fixtures) {
    it(`${fixture.rule}/${fixture.name}`, async () => {
      const { project } = fixture;
      const program = parseProgram(fixture.source);
      const own = ({ code }: { code: string }) =>
        fixture.expected.some((verdict) => verdict.includes(code)) || code === fixture.rule;
      const failures: unknown[] = [];
      const inSight = checkpoints.visibleFrom(folders);
      const known = { ...fixture.known, checkpointsAt: inSight.checkpointsAt };
      await inSight.read(namedCheckpoints(program));
      const findings = checkProgram(program, allFindings, {
        // Including rules that are off by default.
        select: ['GPU', fixture.rule],
        known,
        root: project,
        projectOf: project ? projectOf(project) : undefined,
        onRuleError: (_, error) => failures.push(error),
      });
      const found = findings.filter(own).map((finding) => {
        const { cell, line } = program.placeOf(finding.span.start);
        return `${cell + 1}:${line + 1} ${finding.code}${levelOf(finding)}`;
      });
      for (const { code, severity, reasons } of findings)
        assert.equal(severity === 'hint', reasons.length > 0, `${code}: a hint, and no other finding, has a reason`);
      const { tiers, fixtures: run } = offered.get(fixture.rule) ?? { tiers: new Set(), fixtures: 0 };
      for (const { tier } of findings.filter(({ code }) => code === fixture.rule).flatMap((finding) => finding.fixes()))
        tiers.add(tier);
      offered.set(fixture.rule, { tiers, fixtures: run + 1 });
      assert.deepEqual(failures, []);
      assert.deepEqual(found.sort(), [...fixture.expected].sort());
    });
  }
});

describe("the fix named on a rule's page", () => {
  for (const { code } of rules) {
    it(code, (t) => {
      const { tiers, fixtures: run } = offered.get(code) ?? { tiers: new Set(), fixtures: 0 };
      if (run < fixtures.filter(({ rule }) => rule === code).length) return t.skip('some of its fixtures did not run');
      const page = readFileSync(path.join(import.meta.dirname, '../../docs/rules', `${code}.md`), 'utf8');
      const expected = tiers.has('safe') ? /available|sometimes/ : tiers.has('suggestion') ? /suggested/ : /none/;
      assert.match(/ · Fix: (\w+)/.exec(page)?.[1] ?? '', expected);
    });
  }
});
