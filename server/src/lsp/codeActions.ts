import {
  type CodeAction,
  CodeActionKind,
  type CodeActionOptions,
  type Connection,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver/node';
import { UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import { suppressionFixes } from '../lint/suppressionFixes.ts';
import type { Fix } from '../rules/edits/fix.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { Analysis } from './analysis.ts';
import { SOURCE } from './diagnosticSource.ts';
import { diagnosticOf } from './diagnosticsIn.ts';
import { workspaceEditOf, workspaceEditTo } from './edits.ts';
import { meantNames } from './meantNames.ts';
import { hasCells } from './opened.ts';
import { findingsAt, locationOf, type Session } from './session.ts';

const FIX_ALL = `${CodeActionKind.SourceFixAll}.gpuDoctor`;

/** All of a notebook: when it is saved, and among the actions that concern the source of a cell. */
const FIX_NOTEBOOK_ON_SAVE = `notebook.${FIX_ALL}`;
const FIX_NOTEBOOK = `${CodeActionKind.Source}.fixNotebook.gpuDoctor`;

export const codeActionOptions: CodeActionOptions = {
  codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL, FIX_NOTEBOOK_ON_SAVE, FIX_NOTEBOOK],
  resolveProvider: true,
};

/** Names the edits that an action stands for, so that they can be computed when the action is chosen. */
interface ActionData {
  readonly uri: string;
  readonly revision: number;
  /** The document that the action was asked for. */
  readonly document: string;
  readonly wanted: OneFix | AllFixes;
}

interface OneFix {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

interface AllFixes {
  /** Only this rule's. */
  readonly code?: string;
  /** Only of findings in the document that the action was asked for. */
  readonly inDocument?: boolean;
}

/** A quick fix for each way to mend a finding, all of a rule at once, and everything at once for "fix all" and on save. */
export function provideCodeActions(
  connection: Connection,
  session: Session,
  failureActions: (document: string, range: Range) => Promise<readonly CodeAction[]>,
): void {
  const { codeAction } = session.capabilities.textDocument ?? {};
  const resolves = codeAction?.dataSupport === true && codeAction.resolveSupport?.properties.includes('edit') === true;
  const complete = (analysis: Analysis) => (action: CodeAction) =>
    resolves ? action : { ...action, ...editOf(session, analysis, action.data as ActionData) };

  connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const isAskedFor = (kind: string) => context.only?.some((only) => contains(only, kind)) === true;
    const wantsFixes = !context.only || isAskedFor(CodeActionKind.QuickFix);
    const ofFailures = wantsFixes ? await failureActions(uri, range) : [];
    const ofNames = wantsFixes ? meantNames(session.documents.text(uri), context.diagnostics) : [];
    if (!analysis) return [...ofNames, ...ofFailures];
    const actions: CodeAction[] = wantsFixes ? quickFixes(analysis, uri, range, context.diagnostics) : [];
    const titles = new Set(actions.map(({ title }) => title));
    // Unasked, nothing is offered where nothing was found: it would be offered at every line.
    const fixable = analysis.findings.filter(isFixable);
    const inDocument = context.only ? fixable.filter((finding) => isIn(analysis, finding, uri)) : [];
    const here = context.only ? [] : findingsAt(analysis, uri, [range]).filter(isFixable);
    const isNotebook = hasCells(analysis.opened);
    if (here.length > 0 || (inDocument.length > 0 && isAskedFor(FIX_ALL))) {
      const title = `Fix all GPU Doctor findings${isNotebook ? ' in this cell' : ''}`;
      actions.push(actionOf(analysis, uri, title, FIX_ALL, { inDocument: true }));
    }
    if (isNotebook && fixable.length > 0)
      for (const kind of [FIX_NOTEBOOK_ON_SAVE, FIX_NOTEBOOK].filter(isAskedFor))
        actions.push(actionOf(analysis, uri, 'Fix all GPU Doctor findings in this notebook', kind, {}));
    // What a rule would do is a remedy of what has failed, too.
    return [...ofNames, ...ofFailures.filter(({ title }) => !titles.has(title)), ...actions.map(complete(analysis))];
  });

  connection.onCodeActionResolve(async (action, token) => {
    const data = action.data as ActionData | undefined;
    // It came with its edit.
    if (typeof data?.document !== 'string') return action;
    const analysis = await session.analysisOf(data.document, token);
    // The text has changed since the action was offered: no edit rather than a wrong one.
    if (analysis?.opened.revision !== data.revision) return action;
    return { ...action, ...editOf(session, analysis, data) };
  });
}

/** Kinds are hierarchical: `source` contains `source.fixAll`; the empty kind contains all. */
function contains(kind: string, other: string): boolean {
  return kind === '' || other === kind || other.startsWith(`${kind}.`);
}

function isFixable(finding: Finding): boolean {
  return finding.fixes()[0]?.tier === 'safe';
}

function isIn(analysis: Analysis, finding: Finding, document: string): boolean {
  return locationOf(analysis, finding.span).uri === document;
}

function actionOf(
  { opened: { uri, revision } }: Analysis,
  document: string,
  title: string,
  kind: string,
  wanted: ActionData['wanted'],
): CodeAction {
  const data: ActionData = { uri, revision, document, wanted };
  return { title, kind, data };
}

function quickFixes(analysis: Analysis, uri: string, range: Range, shown: readonly Diagnostic[]): CodeAction[] {
  // Some editors ask for the cursor's place and name the diagnostics of its line.
  const places = [range, ...shown.flatMap((diagnostic) => (diagnostic.source === SOURCE ? [diagnostic.range] : []))];
  const here = findingsAt(analysis, uri, places);
  const oneByOne = (fixesOf: (finding: Finding) => readonly Fix[]) =>
    here.flatMap((finding) => {
      const diagnostics = [diagnosticOf(analysis, finding)];
      return fixesOf(finding).flatMap(({ title, tier, edits }, index): CodeAction[] => {
        if (edits.length === 0) return [];
        const { code, span } = finding;
        const wanted = { code, ...span, title };
        const action = actionOf(analysis, uri, title, CodeActionKind.QuickFix, wanted);
        return [{ ...action, diagnostics, isPreferred: index === 0 && tier === 'safe' }];
      });
    });
  return [
    ...oneByOne((finding) => finding.fixes()),
    ...fixesOfWholeRules(analysis, uri, here),
    ...oneByOne((finding) => suppressionsOf(analysis, finding)),
  ];
}

/** The comments that switch a finding off; one about a comment is mended instead. None while the text is broken. */
function suppressionsOf({ program, stale }: Analysis, finding: Finding): readonly Fix[] {
  const isOffered = finding.code !== UNUSED_SUPPRESSION && !stale.has(program.placeOf(finding.span.start).cell);
  return isOffered ? suppressionFixes(program, finding) : [];
}

/** "Fix all GPU101" for each rule of the findings at hand that has more than one to fix. */
function fixesOfWholeRules(analysis: Analysis, uri: string, here: readonly Finding[]): CodeAction[] {
  const where = analysis.opened.source.kind === 'notebook' ? 'notebook' : 'file';
  return [...new Set(here.filter(isFixable).map(({ code }) => code))].flatMap((code) => {
    const fixable = analysis.findings.filter((finding) => finding.code === code && isFixable(finding));
    if (fixable.length < 2) return [];
    return [actionOf(analysis, uri, `Fix all ${code} in this ${where}`, CodeActionKind.QuickFix, { code })];
  });
}

/** The edit that an action's data stand for; none when nothing like it is found any more. */
function editOf(session: Session, analysis: Analysis, { document, wanted }: ActionData): Pick<CodeAction, 'edit'> {
  if ('title' in wanted) {
    const finding = analysis.findings.find(
      ({ code, span }) => code === wanted.code && span.start === wanted.start && span.end === wanted.end,
    );
    const fixes = finding ? [...finding.fixes(), ...suppressionsOf(analysis, finding)] : [];
    const fix = fixes.find(({ title }) => title === wanted.title);
    return fix ? { edit: workspaceEditOf(session, analysis, fix.edits) } : {};
  }
  const { documents, json } = analysis.opened;
  const cell = documents.findIndex(({ uri }) => uri === document);
  const { source } = analysis.mend((finding, program) => {
    const its = program.placeOf(finding.span.start).cell;
    const isWanted = wanted.code === undefined || finding.code === wanted.code;
    return isWanted && (!wanted.inDocument || json !== undefined || its === cell) && !analysis.stale.has(its);
  });
  return { edit: workspaceEditTo(session, analysis, source) };
}
