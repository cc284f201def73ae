import {
  type CodeAction,
  CodeActionKind,
  type CodeActionOptions,
  CodeActionTriggerKind,
  type Connection,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver';
import { UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import { suppressionFixes } from '../lint/suppressionFixes.ts';
import { IGNORE_IN_WORKSPACE, SHOW_DOCUMENTATION, SHOW_PAGE } from '../protocol.ts';
import type { Fix } from '../rules/edits/fix.ts';
import type { Finding } from '../rules/engine/contract.ts';
import { pageOf } from '../rules/queries/pages.ts';
import type { Analysis } from './analysis.ts';
import { filePath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import { diagnosticOf } from './diagnosticsIn.ts';
import { withPreview, workspaceEditOf, workspaceEditTo } from './edits.ts';
import type { Folders } from './folders.ts';
import { meantNames } from './meantNames.ts';
import { hasCells } from './opened.ts';
import { ownClient } from './ownClient.ts';
import { canEdit, ignoreInProject, settingsFileOf, shownName } from './projectSettingsFile.ts';
import { findingsAt, locationOf, type Session } from './session.ts';

const FIX_ALL = `${CodeActionKind.SourceFixAll}.gpuDoctor`;

/** Fixes a whole notebook: on save, and among the source actions of a cell. */
const FIX_NOTEBOOK_ON_SAVE = `notebook.${FIX_ALL}`;
const FIX_NOTEBOOK = `${CodeActionKind.Source}.fixNotebook.gpuDoctor`;

export const codeActionOptions: CodeActionOptions = {
  codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL, FIX_NOTEBOOK_ON_SAVE, FIX_NOTEBOOK],
  resolveProvider: true,
};

/** Identifies the edits of an action, so that they can be computed when the user chooses it. */
interface ActionData {
  readonly uri: string;
  readonly revision: number;
  /** The document for which the action was requested. */
  readonly document: string;
  readonly wanted: OneFix | AllFixes | IgnoredRule;
}

interface OneFix {
  readonly code: string;
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

interface AllFixes {
  /** Limits the fixes to this rule. */
  readonly code?: string;
  /** Limits the fixes to the document for which the action was requested. */
  readonly inDocument?: boolean;
  /** True if a person requested it, so that a preview may be shown. */
  readonly isInvoked?: boolean;
}

/** An action that ignores a rule in the project's settings. */
interface IgnoredRule {
  readonly ignored: string;
}

/**
 * Offers a quick fix for each way to fix a finding, for all findings of a rule, and for everything ("fix all" and on
 * save).
 */
export function provideCodeActions(
  connection: Connection,
  session: Session,
  folders: Folders,
  failureActions: (document: string, range: Range) => Promise<readonly CodeAction[]>,
): void {
  const { codeAction } = session.capabilities.textDocument ?? {};
  const resolves = codeAction?.dataSupport === true && codeAction.resolveSupport?.properties.includes('edit') === true;
  const complete = async (analysis: Analysis, action: CodeAction): Promise<CodeAction> =>
    resolves || action.command ? action : { ...action, ...(await editOf(session, folders, analysis, action.data)) };

  connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const isAskedFor = (kind: string) => context.only?.some((only) => contains(only, kind)) === true;
    const wantsFixes = !context.only || isAskedFor(CodeActionKind.QuickFix);
    const ofFailures = wantsFixes ? await failureActions(uri, range) : [];
    const ofNames = wantsFixes ? meantNames(session.documents.text(uri), context.diagnostics) : [];
    if (!analysis) return [...ofNames, ...ofFailures];
    const isInvoked = context.triggerKind !== CodeActionTriggerKind.Automatic;
    const here = wantsFixes ? shownFindings(analysis, uri, range, context.diagnostics) : [];
    const actions = quickFixes(analysis, uri, here, isInvoked);
    const ofRules = await ruleActions(session, folders, analysis, uri, here);
    const titles = new Set(actions.map(({ title }) => title));
    // Unless it is requested explicitly, no action is offered without a finding: it would appear on every line.
    const fixable = analysis.findings.filter(isFixable);
    const inDocument = context.only ? fixable.filter((finding) => isIn(analysis, finding, uri)) : [];
    const fixableHere = context.only ? [] : findingsAt(analysis, uri, [range]).filter(isFixable);
    const isNotebook = hasCells(analysis.opened);
    if (fixableHere.length > 0 || (inDocument.length > 0 && isAskedFor(FIX_ALL))) {
      const title = `Fix all GPU Doctor findings${isNotebook ? ' in this cell' : ''}`;
      actions.push(actionOf(analysis, uri, title, FIX_ALL, { inDocument: true, isInvoked }));
    }
    if (isNotebook && fixable.length > 0)
      for (const kind of [FIX_NOTEBOOK_ON_SAVE, FIX_NOTEBOOK].filter(isAskedFor))
        actions.push(actionOf(analysis, uri, 'Fix all GPU Doctor findings in this notebook', kind, { isInvoked }));
    // A rule's fix is also a remedy for what failed.
    const ours = await Promise.all([...actions, ...ofRules].map((action) => complete(analysis, action)));
    return [...ofNames, ...ofFailures.filter(({ title }) => !titles.has(title)), ...ours.filter(isOfUse)];
  });

  connection.onCodeActionResolve(async (action, token) => {
    const data = action.data as ActionData | undefined;
    // The action already has its edit.
    if (typeof data?.document !== 'string') return action;
    const analysis = await session.analysisOf(data.document, token);
    // The text has changed since the action was offered. No edit is better than a wrong edit.
    if (analysis?.opened.revision !== data.revision) return action;
    return { ...action, ...(await editOf(session, folders, analysis, data)) };
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

/** False for an action without effect, such as one whose edit a client without resolve support cannot receive. */
const isOfUse = ({ edit, command, data }: CodeAction): boolean =>
  edit !== undefined || command !== undefined || data !== undefined;

/** Returns the findings at a range. Some editors request the cursor's position and send the diagnostics of its line. */
function shownFindings(analysis: Analysis, uri: string, range: Range, shown: readonly Diagnostic[]): Finding[] {
  const places = [range, ...shown.flatMap((diagnostic) => (diagnostic.source === SOURCE ? [diagnostic.range] : []))];
  return findingsAt(analysis, uri, places);
}

function quickFixes(analysis: Analysis, uri: string, here: readonly Finding[], isInvoked: boolean): CodeAction[] {
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
    ...fixesOfWholeRules(analysis, uri, here, isInvoked),
    ...oneByOne((finding) => suppressionsOf(analysis, finding)),
  ];
}

/**
 * Returns the comments that suppress a finding; a finding about a comment is fixed instead. Empty while the text is
 * broken.
 */
function suppressionsOf({ program, stale }: Analysis, finding: Finding): readonly Fix[] {
  const isOffered = finding.code !== UNUSED_SUPPRESSION && !stale.has(program.placeOf(finding.span.start).cell);
  return isOffered ? suppressionFixes(program, finding) : [];
}

/** Returns "Fix all GPU101" for each rule that has more than one fixable finding. */
function fixesOfWholeRules(
  analysis: Analysis,
  uri: string,
  here: readonly Finding[],
  isInvoked: boolean,
): CodeAction[] {
  const where = analysis.opened.source.kind === 'notebook' ? 'notebook' : 'file';
  return [...new Set(here.filter(isFixable).map(({ code }) => code))].flatMap((code) => {
    const fixable = analysis.findings.filter((finding) => finding.code === code && isFixable(finding));
    if (fixable.length < 2) return [];
    return [actionOf(analysis, uri, `Fix all ${code} in this ${where}`, CodeActionKind.QuickFix, { code, isInvoked })];
  });
}

/**
 * Returns, for each rule of the given findings, the actions to ignore it in the project or workspace and to open its
 * page.
 */
async function ruleActions(
  session: Session,
  folders: Folders,
  analysis: Analysis,
  uri: string,
  here: readonly Finding[],
): Promise<CodeAction[]> {
  const path = filePath(analysis.opened.uri);
  const codes = [...new Set(here.map(({ code }) => code))];
  const own = ownClient(session.capabilities);
  const kind = CodeActionKind.QuickFix;
  const actions = codes.map(async (code): Promise<CodeAction[]> => {
    const diagnostics = here
      .filter((finding) => finding.code === code)
      .map((finding) => diagnosticOf(analysis, finding));
    const running = (title: string, command: string, argument: string): CodeAction => ({
      title,
      kind,
      diagnostics,
      command: { title, command, arguments: [argument] },
    });
    const isOfProject = path !== undefined && folders.around(path) !== undefined;
    const file = isOfProject ? await settingsFileOf(session, folders, path) : undefined;
    const inProject = file && canEdit(session, file) && `Ignore ${code} in this project (${shownName(file)})`;
    const showing = `Show documentation for ${code}`;
    return [
      ...(inProject ? [{ ...actionOf(analysis, uri, inProject, kind, { ignored: code }), diagnostics }] : []),
      ...(own?.editsSettings && isOfProject
        ? [running(`Ignore ${code} in this workspace (settings)`, IGNORE_IN_WORKSPACE, code)]
        : []),
      ...(own?.opensCheckpoints ? [running(showing, SHOW_PAGE, pageOf(code))] : []),
      ...(!own && session.capabilities.window?.showDocument?.support
        ? [running(showing, SHOW_DOCUMENTATION, code)]
        : []),
    ];
  });
  return (await Promise.all(actions)).flat();
}

/** Returns the edit for an action's data; undefined if the finding no longer exists. */
async function editOf(
  session: Session,
  folders: Folders,
  analysis: Analysis,
  { document, wanted }: ActionData,
): Promise<Pick<CodeAction, 'edit' | 'data'>> {
  if ('ignored' in wanted) {
    const path = filePath(analysis.opened.uri);
    const file = path === undefined ? undefined : await settingsFileOf(session, folders, path);
    const edit = file && (await ignoreInProject(session, file, wanted.ignored));
    return edit ? { edit } : { data: undefined };
  }
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
  const { source } = analysis.applySafeFixes((finding, program) => {
    const its = program.placeOf(finding.span.start).cell;
    const isWanted = wanted.code === undefined || finding.code === wanted.code;
    return isWanted && (!wanted.inDocument || json !== undefined || its === cell) && !analysis.stale.has(its);
  });
  return { edit: withPreview(session, workspaceEditTo(session, analysis, source), wanted.isInvoked === true) };
}
