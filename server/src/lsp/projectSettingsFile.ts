/** The file with a project's settings, for editing. */

import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateFile, TextDocumentEdit, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { projectRoot } from '../files/projectRoot.ts';
import { projectText } from '../projectFile.ts';
import { CONFIGURATION_FILES, readConfiguration } from '../settings/configuration.ts';
import { packedEdit } from './edits.ts';
import type { Folders } from './folders.ts';
import type { Session } from './session.ts';

interface SettingsFile {
  readonly path: string;
  /** Undefined for a file that does not exist yet. */
  readonly document: TextDocument | undefined;
  /** Null unless it is open. */
  readonly version: number | null;
}

/**
 * Returns the file whose settings apply to a program: the nearest one with any settings. If there is none, it is the
 * root's pyproject.toml or a new file in the root.
 */
export async function settingsFileOf(session: Session, folders: Folders, path: string): Promise<SettingsFile> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of CONFIGURATION_FILES) {
      const found = fileAt(session, join(folder, name));
      if (found.document && (await hasSettings(found.path, found.document.getText()))) return found;
    }
    if (folder === dirname(folder)) break;
  }
  const root = folders.around(path) ?? projectRoot(dirname(path)) ?? dirname(path);
  const [own, shared] = CONFIGURATION_FILES.map((name) => fileAt(session, join(root, name)));
  return shared?.document ? shared : (own as SettingsFile);
}

function fileAt({ documents }: Session, path: string): SettingsFile {
  const open = documents.ofFile(path);
  if (open) return { path, document: open, version: open.version };
  const text = projectText(path, 'settings');
  const document = text === undefined ? undefined : TextDocument.create(pathToFileURL(path).href, '', 0, text);
  return { path, document, version: null };
}

async function hasSettings(path: string, text: string): Promise<boolean> {
  const { settings, problems } = await readConfiguration(path, text);
  return settings !== undefined || problems.length > 0;
}

/** Returns the edit that makes a project's settings ignore rules; undefined if no edit does only that. */
export async function ignoreInProject(
  session: Session,
  { path, document, version }: SettingsFile,
  codes: readonly string[],
): Promise<WorkspaceEdit | undefined> {
  const { ignoringRules } = await import('../settings/ignoreRules.ts');
  const changes = ignoringRules(path, document?.getText() ?? '', codes);
  if (!changes) return undefined;
  const uri = uriOf({ path, document });
  const edits = changes.map(({ span, newText }): TextEdit => {
    const at = (offset: number) => document?.positionAt(offset) ?? { line: 0, character: 0 };
    return { range: { start: at(span.start), end: at(span.end) }, newText };
  });
  return document ? packedEdit(session, [{ uri, version, edits }]) : newFile(session, uri, edits);
}

/** True if the client can edit the file: some clients cannot create files. */
export function canEdit(session: Session, { document }: SettingsFile): boolean {
  return document !== undefined || createsFiles(session);
}

function createsFiles({ capabilities }: Session): boolean {
  const { documentChanges, resourceOperations = [] } = capabilities.workspace?.workspaceEdit ?? {};
  return documentChanges === true && resourceOperations.includes('create');
}

/** Returns the edit that creates a file; undefined for a client that cannot create files. */
function newFile(session: Session, uri: string, edits: TextEdit[]): WorkspaceEdit | undefined {
  if (!createsFiles(session)) return undefined;
  return { documentChanges: [CreateFile.create(uri), TextDocumentEdit.create({ uri, version: null }, edits)] };
}

export const uriOf = ({ path, document }: Pick<SettingsFile, 'path' | 'document'>): string =>
  document?.uri ?? pathToFileURL(path).href;

/** The file's name, as shown in the title of an action. */
export const shownName = ({ path }: SettingsFile): string => basename(path);

const NEW_SETTINGS = `# GPU Doctor's settings for this project. Uncomment those that you want.
# All of them: https://github.com/gpu-doctor/gpu-doctor/blob/main/docs/configuration.md

# Rules to disable, by code, prefix of a code, or name.
# ignore: [GPU301]

# Severities instead of the rules' own: error, warning, information, hint or off.
# severity:
#   GPU101: error

# Files and folders to exclude, as in .gitignore.
# exclude: [generated/]

# Rules to disable in some files.
# per-file-ignores:
#   "benchmarks/**": [GPU2]

# Findings that are accepted: \`gpu-doctor check --write-baseline\` writes the file.
# baseline: gpu-doctor-baseline.json

# The project's own names that mean "a GPU is available".
# guards:
#   functions: [mylib.devices.has_gpu]
`;

/** Returns the settings file of a folder, with the edit that creates it if it does not exist. */
export async function settingsFileIn(
  session: Session,
  folder: string,
): Promise<{ readonly uri: string; readonly edit: WorkspaceEdit | undefined; readonly isThere: boolean }> {
  for (const name of CONFIGURATION_FILES) {
    const { path, document } = fileAt(session, join(folder, name));
    if (document && (await hasSettings(path, document.getText())))
      return { uri: document.uri, edit: undefined, isThere: true };
  }
  const uri = pathToFileURL(join(folder, CONFIGURATION_FILES[0])).href;
  const start = { line: 0, character: 0 };
  const edit = newFile(session, uri, [{ range: { start, end: start }, newText: NEW_SETTINGS }]);
  return { uri, edit, isThere: false };
}
