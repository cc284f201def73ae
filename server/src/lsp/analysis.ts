import { getHeapStatistics } from 'node:v8';
import type { MentionedPath } from '../checkpoint/checkpointCache.ts';
import type { EnvironmentKind } from '../environment/environmentFile.ts';
import { environmentKind, kindOfNamed, namesGpuPackages } from '../environment/kinds.ts';
import { isNotebookPath, isPython } from '../files/document.ts';
import { type Program, parseProgram } from '../guards/program.ts';
import { isSetupScript } from '../lint/installing.ts';
import type { JudgedText } from '../lint/judgedText.ts';
import { applyFixes, judge, type LintOptions } from '../lint/lint.ts';
import type { EnvironmentText } from '../lint/lintEnvironment.ts';
import { namedCheckpoints } from '../lint/namedCheckpoints.ts';
import { hasTrigger } from '../lint/triggers.ts';
import type { Source } from '../python/semantic/source.ts';
import type { Finding } from '../rules/engine/contract.ts';
import type { FixAllResult } from '../rules/engine/fixAll.ts';
import { createBaselines } from './baselines.ts';
import type { FileConfiguration } from './configuration.ts';
import { filePath } from './configurationFiles.ts';
import { createHeap } from './heap.ts';
import { keepLastFindings, type LastFindings, type ShownFindings } from './lastFindings.ts';
import type { Opened } from './opened.ts';
import type { OpenProjects } from './projects.ts';

/**
 * The findings of the rules for one revision of a script, notebook or environment file. Fixes can be requested only
 * while the revision is current.
 */
export interface Analysis extends ShownFindings {
  readonly opened: Opened;
  readonly configuration: FileConfiguration;
  readonly options: LintOptions;
  readonly program: JudgedText;
  /** The same program, if it is in Python. */
  readonly python?: Program;
  readonly environment?: EnvironmentText;
  /** Returns the source with all safe fixes for the matching findings applied. */
  applySafeFixes(wanted: (finding: Finding, program: JudgedText) => boolean): FixAllResult;
}

export interface Analyses {
  /** Loads what `of` needs for a document with this address: most sessions open no environment file. */
  prepare(uri: string, configuration: FileConfiguration): Promise<void>;
  /** Returns the checkpoints that a program names; they are read before the program is analyzed. */
  checkpointsNamedIn(opened: Opened, configuration: FileConfiguration): readonly MentionedPath[];
  /**
   * Returns the analysis of an open document, which is reused until its text or configuration changes; undefined if no
   * rule could report anything or the document cannot be read.
   */
  of(opened: Opened, configuration: FileConfiguration): Analysis | undefined;
  /** Returns the analysis of a file that is not open, without keeping it. */
  once(opened: Opened, configuration: FileConfiguration): Analysis | undefined;
  forget(uri: string): void;
}

type Environments = typeof import('../lint/lintEnvironment.ts') &
  typeof import('../lint/lintInstallations.ts') &
  typeof import('../environment/readers/includes.ts');

type Linter = Pick<Analysis, 'program' | 'python' | 'environment' | 'applySafeFixes'> & { judge(): readonly Finding[] };

/**
 * The longest program that is analyzed between two keystrokes, in UTF-16 code units; longer programs are generated
 * data.
 */
const LONGEST_PROGRAM = 2_000_000;

/**
 * Total UTF-16 code units of programs that fit into memory. The densest programs, nothing but loads, take 230 bytes for
 * each unit; half of V8's heap is reserved for everything else.
 */
const MOST_CHARACTERS = Math.floor(getHeapStatistics().heap_size_limit / 2 / 250);

/**
 * The number of analyses that are kept, namely those of the most recently requested programs. Others are computed again
 * on request.
 */
const MOST_PROGRAMS = 16;

const NOTHING: LastFindings = new Map();

/** Analyzes programs. Calls `log` once for each problem of a file. */
export function createAnalyses(
  log: (sentence: string) => void,
  projects: Pick<OpenProjects, 'projectOf' | 'isOutdated' | 'judging'>,
): Analyses {
  const heap = createHeap();
  const baselines = createBaselines(log);
  const current = new Map<string, Analysis>();
  const shownLast = new Map<string, { readonly basis: object; readonly last: LastFindings }>();
  const logged = new Map<string, Set<string>>();
  let environments: Environments | undefined;

  const logOnce = (uri: string, sentence: string) => {
    const before = logged.get(uri) ?? new Set();
    if (!before.has(sentence)) log(sentence);
    logged.set(uri, before.add(sentence));
  };

  /** The last program that was read, kept for the analysis that follows. */
  let latest:
    | (Pick<Opened, 'uri' | 'revision'> & { guardNames: LintOptions['guardNames']; program: Program })
    | undefined;

  /** Returns the program for a revision; it is read only once, for its names and its findings. */
  const programOf = ({ uri, revision, source }: Opened, { guardNames }: LintOptions): Program => {
    if (latest?.uri === uri && latest.revision === revision && latest.guardNames === guardNames) return latest.program;
    const held = current.get(uri);
    if (held?.python && held.opened.revision === revision && held.options.guardNames === guardNames) return held.python;
    const program = parseProgram(source, { guardNames });
    latest = { uri, revision, guardNames, program };
    return program;
  };

  /** Returns the reader for files next to a document; undefined for documents that are not on this machine. */
  const readerBeside = (uri: string) => {
    const path = filePath(uri);
    return path === undefined ? undefined : environments?.readBeside(path);
  };

  /** True if the requirement lists that an environment file names have not changed since they were read. */
  const hasSameLists = ({ opened, environment }: Analysis): boolean => {
    const { included = [] } = environment?.environment ?? {};
    const read = readerBeside(opened.uri);
    return included.length === 0 || !read || environments?.areUnchanged(included, read) === true;
  };

  /** Returns the linter for a source. */
  const linterOf = (opened: Opened, options: LintOptions): Linter | undefined => {
    const { source } = opened;
    const kind = kindOf(opened);
    if (kind === undefined) {
      const python = programOf(opened, options);
      return {
        program: python,
        python,
        judge: () => judge(python, options),
        applySafeFixes: (wanted) => applyFixes(source, { ...options, judgeInstallations: undefined }, wanted),
      };
    }
    if (environments === undefined) return undefined;
    const { judgeEnvironment, applyEnvironmentFixes, readEnvironmentText } = environments;
    const read = readerBeside(opened.uri);
    const environment = readEnvironmentText(kind, source, read);
    return {
      program: environment,
      environment,
      judge: () => judgeEnvironment(environment, options),
      applySafeFixes: (wanted) => applyEnvironmentFixes(kind, source, options, wanted, read),
    };
  };

  /** Analyzes a document. `before` has the findings for the last text that could be read. */
  const analyse = (
    opened: Opened,
    configuration: FileConfiguration,
    before: LastFindings,
    isNew: boolean,
  ): Analysis | undefined => {
    const { uri, source } = opened;
    projects.judging(uri);
    if (!isChecked(opened, configuration) || !isWorthParsing(opened, configuration.words)) return undefined;
    const trouble = whyUnreadable(source);
    if (trouble) {
      logOnce(uri, `${source.path} is not checked: ${trouble}.`);
      return undefined;
    }
    const options: LintOptions = {
      ...configuration.options,
      projectOf: (program) => projects.projectOf(uri, program),
      judgeInstallations:
        environments && ((program, given) => environments?.judgeInstallations(program, given, readerBeside(uri)) ?? []),
      onRuleError: (code, error) =>
        logOnce(uri, `${code} failed in ${source.path}, and may miss findings: ${String(error)}.`),
    };
    try {
      const linter = linterOf(opened, options);
      latest = undefined;
      if (linter === undefined) return undefined;
      const { judge: judgeNow, ...read } = linter;
      if (isNew) heap.grew();
      const path = filePath(uri);
      const { baseline } = configuration;
      const judgeAndAccept = () =>
        baseline && path !== undefined ? baselines.withAccepted(baseline, path, read.program, judgeNow()) : judgeNow();
      const shown = keepLastFindings(opened, read.program, judgeAndAccept, before);
      return { opened, configuration, options, ...read, ...shown };
    } catch (error) {
      logOnce(uri, `${source.path} is not checked: ${String(error)}.`);
      return undefined;
    }
  };

  return {
    async prepare(uri, { included }) {
      const isEnvironment = (included ? kindOfNamed(uri) : environmentKind(uri)) !== undefined;
      if (!isEnvironment && !isNotebookPath(uri) && !isSetupScript(uri)) return;
      environments ??= {
        ...(await import('../lint/lintEnvironment.ts')),
        ...(await import('../lint/lintInstallations.ts')),
        ...(await import('../environment/readers/includes.ts')),
      };
    },
    checkpointsNamedIn(opened, configuration) {
      const { uri, source, revision } = opened;
      const isHeld = current.get(uri)?.opened.revision === revision;
      if (!isChecked(opened, configuration) || kindOf(opened) !== undefined) return [];
      if (!isHeld && (!isWorthParsing(opened, configuration.words) || whyUnreadable(source))) return [];
      try {
        return namedCheckpoints(programOf(opened, configuration.options), configuration.options);
      } catch {
        // The analysis itself reports failures.
        return [];
      }
    },
    of(opened, configuration) {
      const { uri, revision } = opened;
      const previous = current.get(uri);
      const isSame = previous?.opened.revision === revision && previous.configuration === configuration;
      if (isSame && hasSameLists(previous) && !projects.isOutdated(uri)) return previous;
      current.delete(uri);
      // Findings from other settings are not reused.
      const basis = configuration.basis ?? configuration;
      const earlier = shownLast.get(uri);
      const analysis = analyse(opened, configuration, earlier?.basis === basis ? earlier.last : NOTHING, !previous);
      if (analysis === undefined) return undefined;
      shownLast.set(uri, { basis, last: analysis.last });
      current.set(uri, analysis);
      for (const oldest of current.keys()) {
        const held = [...current.values()].reduce((sum, { opened }) => sum + lengthOf(opened.source), 0);
        if (oldest === uri || (current.size <= MOST_PROGRAMS && held <= MOST_CHARACTERS)) break;
        current.delete(oldest);
      }
      return analysis;
    },
    once: (opened, configuration) => analyse(opened, configuration, NOTHING, true),
    forget(uri) {
      current.delete(uri);
      shownLast.delete(uri);
      logged.delete(uri);
    },
  };
}

/** Returns the kind of an environment file; undefined for a program. */
function kindOf({ source, isOptional }: Opened): EnvironmentKind | undefined {
  if (source.kind !== 'script') return undefined;
  const isOther = isOptional && !isPython(source.path, source.cells[0]?.text ?? '');
  return isOther ? kindOfNamed(source.path) : environmentKind(source.path);
}

/** False for a file that is excluded, and for one that would have to be included. */
function isChecked({ isOptional }: Opened, { excluded, included }: FileConfiguration): boolean {
  return !excluded && (included || !isOptional);
}

/**
 * False for a script without trigger words, because it cannot have findings. Unknown for other sources, which are
 * parsed.
 */
function isWorthParsing(opened: Opened, words: readonly string[]): boolean {
  const { source } = opened;
  if (kindOf(opened) !== undefined) return source.cells.some(({ text }) => namesGpuPackages(Buffer.from(text)));
  const isTriggered = (text: string) =>
    text.includes('\0') ||
    hasTrigger(text, words) ||
    (isSetupScript(source.path) && namesGpuPackages(Buffer.from(text)));
  return source.kind === 'notebook' || source.cells.some(({ text }) => isTriggered(text));
}

/** Returns why a source is not parsed, as a clause; undefined if it is. */
function whyUnreadable(source: Source): string | undefined {
  const length = lengthOf(source);
  if (length > LONGEST_PROGRAM) return `it is longer than ${LONGEST_PROGRAM / 1e6} million characters`;
  if (length > MOST_CHARACTERS) return `it has ${length} characters, and the server has memory for ${MOST_CHARACTERS}`;
  // Python itself rejects source text with null characters: this is a binary file with a Python name.
  if (source.cells.some((cell) => cell.text.includes('\0'))) return 'it contains null characters, like a binary file';
  return undefined;
}

/** In UTF-16 code units. */
function lengthOf(source: Source): number {
  return source.cells.reduce((sum, cell) => sum + cell.text.length, 0);
}
