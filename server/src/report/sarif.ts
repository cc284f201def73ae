import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shippedPage } from '../documentation.ts';
import { allRules } from '../lint/allRules.ts';
import { RULE_NAMES, UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import { printableJson } from '../printable.ts';
import type { ReportRange } from '../python/semantic/reportRange.ts';
import type { Severity } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Problem, RelatedProblem } from './problem.ts';
import { type RepositoryPaths, repositoryPaths } from './repositoryPaths.ts';
import type { UncheckedFile } from './uncheckedFile.ts';

const LEVELS: Record<Severity, string> = { error: 'error', warning: 'warning', information: 'note', hint: 'note' };

/**
 * A SARIF 2.1.0 log, for code scanning services. SARIF does not support cells: a problem in a notebook has its line in
 * the file, and its message names the cell. Only the rules with problems are described.
 */
export function renderSarif(
  problems: readonly Problem[],
  { unchecked, warnings }: { readonly unchecked: readonly UncheckedFile[]; readonly warnings: readonly string[] },
  version: string,
): string {
  const paths = repositoryPaths(problems.map(({ filename }) => filename));
  const codes = [...new Set(problems.map(({ code }) => code))];
  const run = {
    tool: {
      driver: {
        name: 'GPU Doctor',
        version,
        semanticVersion: version,
        informationUri: 'https://github.com/gpu-doctor/gpu-doctor',
        rules: codes.map(ruleOf),
      },
    },
    columnKind: 'unicodeCodePoints',
    originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(paths.root).href.replace(/\/$/, '')}/` } },
    automationDetails: { id: 'gpu-doctor/' },
    invocations: [
      {
        executionSuccessful: unchecked.length === 0,
        toolExecutionNotifications: [
          ...unchecked.map((file) => notificationOf(file, paths)),
          ...warnings.map((text) => ({ level: 'warning', message: { text } })),
        ],
      },
    ],
    results: problems.map((problem) => resultOf(problem, codes, paths)),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${printableJson(log, 2)}\n`;
}

function notificationOf({ filename, message: text, location }: UncheckedFile, paths: RepositoryPaths): object {
  const physicalLocation = location && {
    artifactLocation: artifactOf(filename, paths),
    region: { startLine: location.row, startColumn: location.column },
  };
  return { level: 'error', message: { text }, locations: physicalLocation && [{ physicalLocation }] };
}

/** The root of the repository, to which paths are relative. */
const BASE = 'SRCROOT';

function ruleOf(code: string): object {
  const { name, summary, severity, isOffByDefault } = allRules.find((rule) => rule.code === code) ?? UNUSED;
  const page = shippedPage(`rules/${code}.md`) ?? '';
  const [, text = ''] = page.split(/\n\n+/);
  return {
    id: code,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: text.replaceAll('\n', ' ').replaceAll('`', '') },
    help: { text: `${summary} See ${pageOf(code)}.`, markdown: page },
    helpUri: pageOf(code),
    defaultConfiguration: { level: LEVELS[severity], enabled: isOffByDefault ? false : undefined },
    properties: { tags: ['gpu', 'portability'] },
  };
}

/** The hint about comments that do not suppress anything, which is not a rule. */
const UNUSED = {
  name: RULE_NAMES.find(({ code }) => code === UNUSED_SUPPRESSION)?.name,
  summary: 'A comment suppresses nothing.',
  severity: 'hint',
  isOffByDefault: false,
} as const;

function resultOf(problem: Problem, codes: readonly string[], paths: RepositoryPaths): object {
  const { code, cell, severity, location, message, related, fix, filename, key } = problem;
  const where = cell === null ? '' : `Cell ${cell}, line ${location.row}: `;
  const artifactLocation = artifactOf(filename, paths);
  const replacements = fix?.edits.map((edit) => ({
    deletedRegion: regionOf(edit),
    insertedContent: { text: edit.content },
  }));
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: `${where}${message}` },
    locations: [{ physicalLocation: { artifactLocation, region: placeOf(problem) } }],
    partialFingerprints: { 'gpuDoctor/v1': `${key.line}:${key.above}:${key.below}` },
    ...(related.length > 0 && {
      relatedLocations: related.map((place) => ({
        physicalLocation: {
          artifactLocation: place.filename === undefined ? artifactLocation : artifactOf(place.filename, paths),
          region: place.fileRows && placeOf({ ...place, fileRows: place.fileRows }),
        },
        message: { text: place.cell === null ? place.message : `Cell ${place.cell}: ${place.message}` },
      })),
    }),
    ...(fix &&
      cell === null && {
        fixes: [{ description: { text: fix.message }, artifactChanges: [{ artifactLocation, replacements }] }],
      }),
  };
}

/** A range in a script; for a range in a notebook, the lines of the file that contain it. */
function placeOf(range: ReportRange & Required<Pick<RelatedProblem, 'fileRows'>>): object {
  const { cell, fileRows } = range;
  return cell === null ? regionOf(range) : { startLine: fileRows.first, endLine: fileRows.last };
}

function regionOf({ location, end_location }: ReportRange): object {
  return {
    startLine: location.row,
    startColumn: location.column,
    endLine: end_location.row,
    endColumn: end_location.column,
  };
}

function artifactOf(filename: string, { pathOf }: RepositoryPaths): object {
  const path = pathOf(filename);
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: BASE };
}
