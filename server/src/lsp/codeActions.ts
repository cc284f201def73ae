import {
  CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionOptions,
  type Command,
  type Connection,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver';
import { UNUSED_SUPPRESSION } from '../lint/ruleNames.ts';
import { suppressionFix } from '../lint/suppressionFix.ts';
import { SHOW_SETTINGS_FILE } from '../protocol.ts';
import type { Fix } from '../rules/edits/fix.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { Analysis } from './analysis.ts';
import { showsDocuments } from './commands.ts';
import { filePath } from './configurationFiles.ts';
import { SOURCE } from './diagnosticSource.ts';
import { diagnosticOf } from './diagnosticsIn.ts';
import { type EditedDocument, editsTo, packedEdit, workspaceEditOf, workspaceEditTo } from './edits.ts';
import type { Folders } from './folders.ts';
import { meantNames } from './meantNames.ts';
import { hasCells } from './opened.ts';
import { programAt } from './programFiles.ts';
import { canEdit, ignoreInProject, settingsFileOf, shownName, uriOf } from './projectSettingsFile.ts';
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
  readonly wanted: OneFix | AllFixes | ProgramFixes | IgnoredLine | IgnoredRules;
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
}

/** The fixes of a rule in several files of a program. */
interface ProgramFixes {
  readonly code: string;
  readonly paths: readonly string[];
}

/** Suppresses the findings at a place with a comment. */
interface IgnoredLine {
  readonly line: readonly Pick<OneFix, 'code' | 'start' | 'end'>[];
}

/** Ignores rules in the project's settings. */
interface IgnoredRules {
  readonly ignored: readonly string[];
}

/** The most fixes that are offered for one finding, the best first. */
const MAX_FIXES = 2;

/**
 * Offers the fixes of a finding, one for all findings of its rule, and two ways to ignore it; and for everything
 * ("fix all" and on save).
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
    resolves ? action : { ...action, ...(await editOf(session, folders, analysis, action.data)) };

  connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token) => {
    const analysis = await session.analysisOf(uri, token);
    const isAskedFor = (kind: string) => context.only?.some((only) => contains(only, kind)) === true;
    const wantsFixes = !context.only || isAskedFor(CodeActionKind.QuickFix);
    const ofFailures = wantsFixes ? await failureActions(uri, range) : [];
    const ofNames = wantsFixes ? meantNames(session.documents.text(uri), context.diagnostics) : [];
    if (!analysis) return [...ofNames, ...ofFailures];
    const here = wantsFixes ? shownFindings(analysis, uri, range, context.diagnostics) : [];
    const actions = quickFixes(analysis, uri, here);
    const ofProject = await projectActions(session, folders, analysis, uri, here);
    const titles = new Set(actions.map(({ title }) => title));
    const fixable = analysis.findings.filter(isFixable);
    const isNotebook = hasCells(analysis.opened);
    if (isAskedFor(FIX_ALL) && fixable.some((finding) => isIn(analysis, finding, uri))) {
      const title = `Fix all GPU Doctor findings${isNotebook ? ' in this cell' : ''}`;
      actions.push(actionOf(analysis, uri, title, FIX_ALL, { inDocument: true }));
    }
    if (isNotebook && fixable.length > 0)
      for (const kind of [FIX_NOTEBOOK_ON_SAVE, FIX_NOTEBOOK].filter(isAskedFor))
        actions.push(actionOf(analysis, uri, 'Fix all GPU Doctor findings in this notebook', kind, {}));
    // A rule's fix is also a remedy for what failed.
    const ours = await Promise.all([...actions, ...ofProject].map((action) => complete(analysis, action)));
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

function quickFixes(analysis: Analysis, uri: string, here: readonly Finding[]): CodeAction[] {
  const fixes = here.flatMap((finding) => {
    const { code, span } = finding;
    const diagnostics = [diagnosticOf(analysis, finding)];
    return withEdits(finding).map(({ title, tier }, index): CodeAction => {
      const action = actionOf(analysis, uri, title, CodeActionKind.QuickFix, { code, ...span, title });
      return { ...action, diagnostics, isPreferred: index === 0 && tier === 'safe' };
    });
  });
  return [
    ...fixes,
    ...fixesOfWholeRules(analysis, uri, here),
    ...fixesOfPrograms(analysis, uri, here),
    ...suppressionActions(analysis, uri, here),
  ];
}

function withEdits(finding: Finding): Fix[] {
  return finding
    .fixes()
    .filter(({ edits }) => edits.length > 0)
    .slice(0, MAX_FIXES);
}

/** Returns the action that suppresses the findings at a place with one comment. */
function suppressionActions(analysis: Analysis, uri: string, here: readonly Finding[]): CodeAction[] {
  const findings = here.filter((finding) => isSuppressible(analysis, finding));
  const fix = suppressionFix(analysis.program, findings);
  if (!fix) return [];
  const line = findings.map(({ code, span }) => ({ code, ...span }));
  const action = actionOf(analysis, uri, fix.title, CodeActionKind.QuickFix, { line });
  return [{ ...action, diagnostics: findings.map((finding) => diagnosticOf(analysis, finding)) }];
}

/** False for a finding about a comment, which is fixed instead, and while the text is broken. */
function isSuppressible({ program, stale }: Analysis, { code, span }: Finding): boolean {
  return code !== UNUSED_SUPPRESSION && !stale.has(program.placeOf(span.start).cell);
}

/** Returns "Fix all GPU101" for each rule that has more than one fixable finding. */
function fixesOfWholeRules(analysis: Analysis, uri: string, here: readonly Finding[]): CodeAction[] {
  const where = analysis.opened.source.kind === 'notebook' ? 'notebook' : 'file';
  return [...new Set(here.filter(isFixable).map(({ code }) => code))].flatMap((code) => {
    const fixable = analysis.findings.filter((finding) => finding.code === code && isFixable(finding));
    if (fixable.length < 2) return [];
    return [actionOf(analysis, uri, `Fix all ${code} in this ${where}`, CodeActionKind.QuickFix, { code })];
  });
}

/** Returns the action that fixes all places of one cause, also in the other files of the program. */
function fixesOfPrograms(analysis: Analysis, uri: string, here: readonly Finding[]): CodeAction[] {
  const shared = here.find((finding) => finding.sharedWith?.length && isFixable(finding));
  const own = filePath(analysis.opened.uri);
  if (!shared?.sharedWith || own === undefined) return [];
  const { code } = shared;
  const paths = [own, ...shared.sharedWith];
  const title = `Fix ${code} in all ${paths.length} files of this program`;
  const action = actionOf(analysis, uri, title, CodeActionKind.QuickFix, { code, paths });
  return [{ ...action, diagnostics: [diagnosticOf(analysis, shared)] }];
}

/** Returns the action that ignores the rules of the findings at a place in the project's settings file. */
async function projectActions(
  session: Session,
  folders: Folders,
  analysis: Analysis,
  uri: string,
  here: readonly Finding[],
): Promise<CodeAction[]> {
  const path = filePath(analysis.opened.uri);
  const codes = [...new Set(here.map(({ code }) => code))];
  if (codes.length === 0 || path === undefined || folders.around(path) === undefined) return [];
  const diagnostics = here.map((finding) => diagnosticOf(analysis, finding));
  const file = await settingsFileOf(session, folders, path);
  if (!canEdit(session, file)) return [];
  const title = `Ignore ${codes.join(' and ')} in this project (${shownName(file)})`;
  const action = actionOf(analysis, uri, title, CodeActionKind.QuickFix, { ignored: codes });
  // An edit of a file out of view would go unnoticed, and its undo is in that file.
  const command: Command = { title: 'Show the settings file', command: SHOW_SETTINGS_FILE, arguments: [uriOf(file)] };
  return [{ ...action, diagnostics, command: showsDocuments(session) ? command : undefined }];
}

/** Returns the edit for an action's data; undefined if the finding no longer exists. */
async function editOf(
  session: Session,
  folders: Folders,
  analysis: Analysis,
  { document, wanted }: ActionData,
): Promise<Pick<CodeAction, 'edit' | 'data' | 'command'>> {
  if ('ignored' in wanted) {
    const path = filePath(analysis.opened.uri);
    const file = path === undefined ? undefined : await settingsFileOf(session, folders, path);
    const edit = file && (await ignoreInProject(session, file, wanted.ignored));
    return edit ? { edit } : { data: undefined, command: undefined };
  }
  if ('paths' in wanted) return { edit: packedEdit(session, await editsInProgram(session, wanted)) };
  if ('line' in wanted || 'title' in wanted) {
    const fix =
      'line' in wanted
        ? suppressionFix(
            analysis.program,
            wanted.line.flatMap((place) => findingAt(analysis, place) ?? []),
          )
        : findingAt(analysis, wanted)
            ?.fixes()
            .find(({ title }) => title === wanted.title);
    return fix ? { edit: workspaceEditOf(session, analysis, fix.edits) } : {};
  }
  const { documents, json } = analysis.opened;
  const cell = documents.findIndex(({ uri }) => uri === document);
  const { source } = analysis.applySafeFixes((finding, program) => {
    const its = program.placeOf(finding.span.start).cell;
    const isWanted = wanted.code === undefined || finding.code === wanted.code;
    return isWanted && (!wanted.inDocument || json !== undefined || its === cell) && !analysis.stale.has(its);
  });
  return { edit: workspaceEditTo(session, analysis, source) };
}

/** Returns the safe fixes of a rule in files, as they are open or on disk. */
async function editsInProgram(session: Session, { code, paths }: ProgramFixes): Promise<EditedDocument[]> {
  const edited: EditedDocument[] = [];
  for (const path of paths) {
    const file = await programAt(session.documents, path);
    if (!file) continue;
    const { uri } = file.document;
    const analysis = file.isOpen
      ? await session.analysisOf(uri, CancellationToken.None)
      : (await session.analysisOfFile(file.document)).analysis;
    if (!analysis || analysis.stale.size > 0) continue;
    const edits = editsTo(analysis.opened, analysis.applySafeFixes((finding) => finding.code === code).source);
    edited.push(...edits.map((each) => (file.isOpen ? each : { ...each, version: null })));
  }
  return edited;
}

function findingAt({ findings }: Analysis, place: Pick<OneFix, 'code' | 'start' | 'end'>): Finding | undefined {
  return findings.find(({ code, span }) => code === place.code && span.start === place.start && span.end === place.end);
}
