import * as vscode from 'vscode';
import { OVERVIEW, type Overview, type OverviewItem } from '../../server/src/protocol.ts';
import { findCheckpoints, MAX_CHECKPOINTS, onCheckpointsChanged } from './checkpointFiles.ts';
import type { Server } from './server.ts';

const VIEW = 'gpuDoctor.overview';

type Item = OverviewItem & { readonly isSection?: boolean };

export interface OverviewView extends vscode.Disposable {
  /** Refreshes the view if it is visible. */
  refresh(): void;
}

/**
 * Registers the view "GPU Doctor": the stack, the GPUs with the processes that use their memory, and the checkpoints.
 */
export function registerOverview(server: Server): OverviewView {
  const changed = new vscode.EventEmitter<undefined>();
  const view = vscode.window.createTreeView<Item>(VIEW, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: treeItem,
      getChildren: async (item) => item?.items?.slice() ?? sections(await read(server)),
    },
  });
  const refresh = () => {
    if (view.visible) changed.fire(undefined);
  };
  const registrations = vscode.Disposable.from(
    changed,
    view,
    onCheckpointsChanged(refresh),
    vscode.commands.registerCommand('gpuDoctor.refreshOverview', refresh),
  );
  return { refresh, dispose: () => registrations.dispose() };
}

async function read(server: Server): Promise<Overview> {
  const checkpoints = (await findCheckpoints(MAX_CHECKPOINTS)).map(({ fsPath }) => fsPath);
  return server.request(OVERVIEW, { checkpoints: checkpoints.sort() });
}

function sections({ stack, gpus, checkpoints }: Overview): Item[] {
  const none: OverviewItem = { label: 'None in this workspace', icon: 'dash' };
  // Without any, the first row of the stack says so.
  const ofGpus: Item[] = gpus.length === 0 ? [] : [{ label: 'GPUs', icon: 'chip', items: gpus, isSection: true }];
  return [
    { label: 'GPU Stack', icon: 'pulse', items: stack, isSection: true },
    ...ofGpus,
    {
      label: 'Checkpoints',
      icon: 'package',
      items: checkpoints.length > 0 ? checkpoints : [none],
      isSection: true,
    },
  ];
}

function treeItem({ label, description, icon, command, items = [], isSection = false }: Item): vscode.TreeItem {
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, items.length === 0 ? None : isSection ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon(icon);
  // Findings are longer than the view is wide.
  item.tooltip = description === undefined ? label : `${label} · ${description}`;
  if (description !== undefined) item.description = description;
  if (command)
    item.command = {
      command: command.id,
      title: label,
      arguments: command.argument === undefined ? [] : [command.argument],
    };
  return item;
}
