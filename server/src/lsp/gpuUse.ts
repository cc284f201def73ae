import { setImmediate } from 'node:timers/promises';
import { environmentKind } from '../environment/kinds.ts';
import { readDocument } from '../files/document.ts';
import { findFiles } from '../files/findFiles.ts';
import { readEnvironmentText } from '../lint/lintEnvironment.ts';
import { readProjectFile } from '../projectFile.ts';
import { scanImports } from '../projectIndex/importScan.ts';
import { computesOnGpus, computingModules } from '../published/knownPackages.ts';
import type { Source } from '../python/semantic/source.ts';

/** Evidence that a workspace is about GPUs: a program imports, or a file installs, a package that computes on them. */
interface WorkspaceGpuUse {
  /** False until a file shows it. */
  isKnown(): boolean;
  /** Looks at an open document, as it is edited. */
  look(source: Source | undefined): void;
  /** Looks at the files of folders, in the background. */
  lookIn(folders: readonly string[]): void;
}

/** Maximum number of files that are read: a workspace about GPUs shows it in one of the first. */
const MAX_FILES = 2000;

/** Calls `changed` when a file shows that the workspace is about GPUs. */
export function followGpuUse(changed: () => void, failed: (error: unknown) => void): WorkspaceGpuUse {
  let isAboutGpus = false;
  let folders = '';
  const found = () => {
    if (isAboutGpus) return;
    isAboutGpus = true;
    changed();
  };
  const search = async (wanted: readonly string[]) => {
    // Between two folders, the server answers requests.
    const { files } = await findFiles(wanted, async () => {
      await setImmediate();
      return () => 'byName';
    });
    const isProgram = (path: string) => environmentKind(path) === undefined;
    const inOrder = files.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)));
    for (const path of inOrder.slice(0, MAX_FILES)) {
      if (isAboutGpus || folders !== JSON.stringify(wanted)) return;
      await setImmediate();
      const source = sourceAt(path);
      if (source && usesGpus(source)) found();
    }
  };
  return {
    isKnown: () => isAboutGpus,
    look(source) {
      if (!isAboutGpus && source && usesGpus(source)) found();
    },
    lookIn(wanted) {
      if (folders === JSON.stringify(wanted)) return;
      folders = JSON.stringify(wanted);
      isAboutGpus = false;
      void search(wanted).catch(failed);
    },
  };
}

function usesGpus(source: Source): boolean {
  const kind = environmentKind(source.path);
  if (kind !== undefined)
    return readEnvironmentText(kind, source).environment.installations.some(
      ({ requirements, image }) =>
        requirements.some(({ name }) => computesOnGpus(name)) || /cuda|rocm|torch|tensorflow/.test(image?.text ?? ''),
    );
  const modules = computingModules();
  return source.cells.some(({ text }) =>
    scanImports(text).some(({ module }) => modules.has(module.split('.', 1)[0] ?? '')),
  );
}

/** Returns a file as it is on disk; undefined if it is too large or cannot be read. */
function sourceAt(path: string): Source | undefined {
  try {
    return readDocument(path, readProjectFile(path, 'importedProgram')).source;
  } catch {
    return undefined;
  }
}
