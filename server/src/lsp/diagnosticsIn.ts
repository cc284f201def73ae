import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import { RULE_NAMES, UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import type { Finding, Severity } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Analysis } from './analysis.ts';
import { SOURCE } from './diagnosticSource.ts';
import { locationElsewhere, locationOf } from './session.ts';

export const DIAGNOSTIC_SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

const NAMES: ReadonlyMap<string, string> = new Map(RULE_NAMES.map(({ code, name }) => [code, name]));

/** Returns a finding as a diagnostic. */
export function diagnosticOf(
  analysis: Analysis,
  finding: Finding,
  range = locationOf(analysis, finding.span).range,
): Diagnostic {
  return {
    range,
    severity: DIAGNOSTIC_SEVERITIES[finding.severity],
    code: finding.code,
    codeDescription: { href: pageOf(finding.code) },
    source: SOURCE,
    message: messageOf(analysis, finding),
    tags: finding.code === UNUSED_SUPPRESSION ? [DiagnosticTag.Unnecessary] : undefined,
    relatedInformation: finding.related.map((related) => ({
      location: 'span' in related ? locationOf(analysis, related.span) : locationElsewhere(related.elsewhere),
      message: related.message,
    })),
    data: { rule: NAMES.get(finding.code) },
  };
}

/**
 * Returns the message of a finding. In the JSON of a notebook, it names the cell and line as readers of the notebook
 * see them.
 */
function messageOf({ program, opened }: Analysis, { span, message }: Finding): string {
  if (!opened.json) return message;
  const { cell, line } = program.placeOf(span.start);
  return `Cell ${(opened.source.cells[cell]?.index ?? 0) + 1}, line ${line + 1}: ${message}`;
}

/** Returns the diagnostics of all findings, in source order. */
export function diagnosticsIn(analysis: Analysis): Diagnostic[] {
  return analysis.findings.map((finding) => diagnosticOf(analysis, finding));
}
