import * as vscode from 'vscode';
import { EXPLAIN_ERROR, type ExplainRequest, type KnownFailure, REPORT_FAILURE } from '../../server/src/protocol.ts';
import { outputsOf } from './cellOutputs.ts';
import type { Server } from './server.ts';

const NOTEBOOK = 'jupyter-notebook';

/** Milliseconds without changes before a cell's outputs are read. */
const PAUSE = 200;

/** Offers an explanation at each cell whose outputs contain a known error, and reports the error to the server. */
export function registerNotebookErrors(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  /** The server's answers about reported cells, by document URI. */
  const reported = new Map<string, KnownFailure | null>();
  const running = new Set<string>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const changed = new vscode.EventEmitter<void>();

  const report = async (cell: vscode.NotebookCell): Promise<void> => {
    const id = idOf(cell);
    const outputs = outputsOf(cell);
    if (outputs.length === 0) return forget(id);
    if (!reported.has(id)) reported.set(id, null);
    try {
      const known = await server.request(REPORT_FAILURE, { id, failure: { document: id, outputs } });
      if (reported.has(id)) reported.set(id, known);
      changed.fire();
    } catch (error) {
      log.warn(`Could not read the output of a cell: ${error}`);
    }
  };
  const forget = async (id: string): Promise<void> => {
    clearTimeout(waiting.get(id));
    waiting.delete(id);
    if (!reported.delete(id)) return;
    changed.fire();
    await server.request(REPORT_FAILURE, { id, failure: null }).catch(() => {});
  };
  const schedule = (cell: vscode.NotebookCell) => {
    const id = idOf(cell);
    clearTimeout(waiting.get(id));
    const look = () => {
      waiting.delete(id);
      void report(cell);
    };
    if (cell.outputs.length === 0) void forget(id);
    else waiting.set(id, setTimeout(look, PAUSE));
  };
  const scheduleAll = (notebook: vscode.NotebookDocument) => {
    if (notebook.notebookType === NOTEBOOK) for (const cell of notebook.getCells()) schedule(cell);
  };
  const follow = ({ notebook, cellChanges, contentChanges }: vscode.NotebookDocumentChangeEvent) => {
    if (notebook.notebookType !== NOTEBOOK) return;
    for (const { removedCells } of contentChanges) for (const cell of removedCells) void forget(idOf(cell));
    for (const { addedCells } of contentChanges) for (const cell of addedCells) schedule(cell);
    for (const { cell, outputs, executionSummary } of cellChanges) {
      const id = idOf(cell);
      if (executionSummary) {
        if (hasEnded(executionSummary)) running.delete(id);
        else running.add(id);
      }
      if (running.has(id)) void forget(id);
      else if (outputs || executionSummary) schedule(cell);
    }
  };

  const items: vscode.NotebookCellStatusBarItemProvider = {
    onDidChangeCellStatusBarItems: changed.event,
    provideCellStatusBarItems(cell) {
      const known = reported.get(idOf(cell));
      return known ? [itemOf(idOf(cell), known)] : [];
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidOpenNotebookDocument(scheduleAll),
    vscode.workspace.onDidChangeNotebookDocument(follow),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const cell of notebook.getCells()) void forget(idOf(cell));
    }),
    server.onDidStart(() => vscode.workspace.notebookDocuments.forEach(scheduleAll)),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(NOTEBOOK, items),
    new vscode.Disposable(() => waiting.forEach(clearTimeout)),
  );
}

function idOf({ document }: vscode.NotebookCell): string {
  return document.uri.toString();
}

/** A running execution has neither yet. */
function hasEnded({ success, timing }: vscode.NotebookCellExecutionSummary): boolean {
  return success !== undefined || timing !== undefined;
}

function itemOf(id: string, { title, failed }: KnownFailure): vscode.NotebookCellStatusBarItem {
  const words = failed ? 'GPU Doctor: why this failed' : 'GPU Doctor: what this means';
  const item = new vscode.NotebookCellStatusBarItem(
    `$(lightbulb) ${words}`,
    vscode.NotebookCellStatusBarAlignment.Left,
  );
  const request: ExplainRequest = { failure: id };
  item.command = { command: EXPLAIN_ERROR, title: words, arguments: [request] };
  item.tooltip = title;
  item.accessibilityInformation = { label: `${words}: ${title}`, role: 'button' };
  return item;
}
