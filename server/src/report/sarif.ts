import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shownPath, slashed } from '../files/paths.ts';
import { allRules } from '../lint/allRules.ts';
import { printableJson } from '../printable.ts';
import type { ReportRange } from '../python/semantic/reportRange.ts';
import type { Severity } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Problem } from './problem.ts';

const LEVELS: Record<Severity, string> = { error: 'error', warning: 'warning', information: 'note', hint: 'note' };

/**
 * A SARIF 2.1.0 log, for code scanning services. SARIF knows no cells: a problem in a notebook is told of the whole
 * file, with the place in words. `troubles` are the sentences about files that could not be judged.
 */
export function renderSarif(problems: readonly Problem[], troubles: readonly string[], version: string): string {
  const run = {
    tool: {
      driver: {
        name: 'GPU Doctor',
        version,
        informationUri: 'https://github.com/gpu-doctor/gpu-doctor',
        rules: allRules.map(({ code, name, summary, severity, isOffByDefault }) => ({
          id: code,
          name,
          shortDescription: { text: summary },
          helpUri: pageOf(code),
          defaultConfiguration: { level: LEVELS[severity], ...(isOffByDefault && { enabled: false }) },
        })),
      },
    },
    columnKind: 'unicodeCodePoints',
    originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(process.cwd())}/` } },
    invocations: [
      {
        executionSuccessful: troubles.length === 0,
        toolExecutionNotifications: troubles.map((text) => ({ level: 'error', message: { text } })),
      },
    ],
    results: problems.map(resultOf),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${printableJson(log, 2)}\n`;
}

function resultOf(problem: Problem): object {
  const { code, severity, cell, location, message, related, fix } = problem;
  const where = cell === null ? '' : `Cell ${cell}, line ${location.row}: `;
  const artifactLocation = artifactOf(problem.filename);
  const replacements = fix?.edits.map((edit) => ({
    deletedRegion: regionOf(edit),
    insertedContent: { text: edit.content },
  }));
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: `${where}${message}` },
    locations: [{ physicalLocation: { artifactLocation, ...(cell === null && { region: regionOf(problem) }) } }],
    ...(cell === null && {
      relatedLocations: related.map((place) => ({
        physicalLocation: {
          artifactLocation: place.filename === undefined ? artifactLocation : artifactOf(place.filename),
          ...(place.cell === null && { region: regionOf(place) }),
        },
        message: { text: place.message },
      })),
    }),
    ...(fix &&
      cell === null && {
        fixes: [{ description: { text: fix.message }, artifactChanges: [{ artifactLocation, replacements }] }],
      }),
  };
}

function regionOf({ location, end_location }: ReportRange): object {
  return {
    startLine: location.row,
    startColumn: location.column,
    endLine: end_location.row,
    endColumn: end_location.column,
  };
}

function artifactOf(filename: string): object {
  const path = shownPath(filename);
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: slashed(path).split('/').map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' };
}
