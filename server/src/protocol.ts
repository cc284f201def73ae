/** The messages beyond the Language Server Protocol, with their methods and parameters, for client and server. */

import type { DiagnosisSeverity } from './diagnosis/judgeStack.ts';
import type { SelectedBy } from './diagnosis/readout/stackOwner.ts';
import type { StackSummary } from './diagnosis/readout/summary.ts';
import type { SmokeReport } from './diagnosis/smoke/smoke.ts';
import type { Explanation, Unexplained } from './explain/explanation.ts';
import type { ExceptionInfo } from './explain/reading/debugger.ts';
import type { CellOutput } from './explain/reading/outputs.ts';
import type { PlannedChange } from './provision/environmentPlan.ts';
import type { CheckpointView, JudgementView, ShownLoadable } from './report/checkpointView.ts';
import type { FoundInterpreter } from './stack/readers/findInterpreters.ts';

export { fileToOpen, standsForFolder } from './checkpoint/folderFiles.ts';

/**
 * Globs for files that describe an environment. An editor sends these to the server regardless of their language, and a
 * watcher reports their changes on disk. `environment/kinds.ts` decides which of them are checked.
 */
export const ENVIRONMENT_FILES: readonly string[] = [
  '**/*{requirement,req,constraint}*.{txt,in}',
  '**/{requirement,requirements}/*.{txt,in}',
  '**/*{environment,conda,env}*.{yml,yaml}',
  '**/{pixi.toml,setup.cfg,Pipfile}',
  '**/*.{sh,bash,sbatch,slurm,def}',
  '**/*.gitlab-ci.{yml,yaml}',
  '**/{Singularity,Apptainer}*',
  '**/.github/workflows/*.{yml,yaml}',
  '**/*{Dockerfile,Containerfile,dockerfile,containerfile}*',
  '**/*compose*.{yml,yaml}',
  '**/{.devcontainer,devcontainer}.json',
];

/** The method of a request, typed by its parameters and its answer. */
export type RequestType<Params, Answer> = string & { readonly [TYPES]?: (params: Params) => Answer };

/** The method of a notification, typed by its parameters. */
export type NotificationType<Params> = string & { readonly [TYPES]?: (params: Params) => void };

/** Never present at run time; it only carries types. */
declare const TYPES: unique symbol;

/**
 * Node's options for the server: the maximum size of a semi-space in MiB; V8 takes three times as much for its young
 * generation.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8'];

/** Where the server reads the stack. */
export interface StackScope {
  /** The selected Python, a program or the folder of an environment. Without it, the server looks for one. */
  readonly interpreter?: string;
  /** The origin of this selection. */
  readonly selectedBy?: SelectedBy;
  /**
   * The kernel that the notebook in use was saved with. If it names a Python, it takes precedence over the selected
   * one.
   */
  readonly kernel?: string;
  /** Paths of the workspace's folders; the one in use comes first. */
  readonly folders: readonly string[];
  /**
   * True if the user trusts the workspace. In other workspaces the server uses nothing that the workspace names or
   * contains.
   */
  readonly trusted: boolean;
}

/**
 * Notification, client to server, carries a `StackScope`: starts reading the stack. Nothing is read before the first
 * one.
 */
export const WATCH_STACK: NotificationType<StackScope> = 'gpuDoctor/watchStack';

/** Notification, server to client, carries the current state; sent several times while the stack is read. */
export const STACK_CHANGED: NotificationType<StackChanged> = 'gpuDoctor/stackChanged';
export interface StackChanged extends StackSummary {
  /** Utilization and memory of the GPUs, while they are followed. */
  readonly load: string | null;
  /** Markdown with VS Code's icons; quoted text is escaped. */
  readonly tooltip: string;
  /** True if the workspace is about GPUs, or an installed framework cannot work as it should. */
  readonly isRelevant: boolean;
}

/** Notification, server to client: the same, if only the load of the GPUs or the tooltip has changed. */
export const LOAD_CHANGED: NotificationType<StackChanged> = 'gpuDoctor/loadChanged';

/**
 * Notification, client to server: whether the load of the GPUs is visible to the user. While it is, one process follows
 * the load; no process does before the first notification.
 */
export const WATCH_LOAD: NotificationType<LoadWatch> = 'gpuDoctor/watchLoad';
export interface LoadWatch {
  readonly watched: boolean;
}

/** Request, client to server: reads the stack again. Answered with null when done. */
export const REFRESH_STACK: RequestType<void, null> = 'gpuDoctor/refreshStack';

/** Request, client to server: the current read-out as a Markdown document. Answered with a string. */
export const STACK_DOCUMENT: RequestType<void, string> = 'gpuDoctor/stackDocument';

/** Request: the same document for an issue or a forum post, without the home folder and the user's name. */
export const SHAREABLE_STACK: RequestType<void, string> = 'gpuDoctor/shareableStack';

/**
 * Request, client to server: the Markdown of a documentation page, by its path below `docs/`. Answered with a string;
 * null if the page does not ship with the extension.
 */
export const PAGE: RequestType<string, string | null> = 'gpuDoctor/page';

/**
 * Request, client to server: the text of `gpu-stack.yaml` for this machine. Carries the current text of the file, whose
 * comments are kept. Answered once the stack is read.
 */
export const RECORD_STACK: RequestType<RecordRequest, RecordAnswer> = 'gpuDoctor/recordStack';
interface RecordRequest {
  readonly text?: string;
}
export interface RecordAnswer {
  readonly text: string;
  /** True if the current text of the file cannot be read, so that none of it is kept. */
  readonly replaces: boolean;
  /** Problems with this stack, as sentences: other users would assume that a recorded stack works. */
  readonly troubles: readonly string[];
}

/**
 * Request, client to server: an environment for the project in a folder that works on this machine. Answered with a
 * `PlanAnswer` once the stack is read.
 */
export const PLAN_ENVIRONMENT: RequestType<PlanRequest, PlanAnswer> = 'gpuDoctor/planEnvironment';
export interface PlanRequest {
  /** Path of the folder; without one, only the given requirements count. */
  readonly folder?: string;
  /** Requirements that replace those of the folder, such as "torch==2.6 vllm". */
  readonly requirements?: string;
  /** A change from an earlier answer; the plan is made with it. */
  readonly change?: PlannedChange;
}
export interface PlanAnswer {
  /** True if no file says what the environment is for, so that the user has to. */
  readonly isNeedless: boolean;
  /** The purpose of the environment, in a few words. */
  readonly purpose: string;
  /** The machine in a few words. */
  readonly machine: string;
  /** The builds that fit: "Python 3.12, torch 2.7.1 for CUDA 12.6"; null if nothing fits. */
  readonly summary: string | null;
  /** The driver that they need, if the present one is older. */
  readonly driver: string | null;
  /** The conflict in one sentence; null if there is none. */
  readonly trouble: string | null;
  /**
   * The smallest changes to the project's pins that make something fit, or fit the current driver; the nearest releases
   * first.
   */
  readonly changes: readonly PlannedChange[];
  /** A plan for each installer or file that fits, the project's own first. */
  readonly plans: readonly PlanOffer[];
}
export type { PlannedChange };
export interface PlanOffer {
  /** "pip", "Dockerfile". */
  readonly label: string;
  readonly text: string;
  /** VS Code's language of the text. */
  readonly language: string;
  /** The commands on one line; null for a plan that is a file, and if nothing fits. */
  readonly command: string | null;
}

/** Request, client to server: the Pythons on this machine. Answered with a `FoundInterpreters`. */
export const FIND_INTERPRETERS: RequestType<void, FoundInterpreters> = 'gpuDoctor/findInterpreters';
interface FoundInterpreters {
  readonly interpreters: readonly FoundInterpreter[];
  /** The path of the interpreter currently being read. */
  readonly inUse: string | null;
}

export type { FoundInterpreter };

/** Request, client to server: the available actions. Answered with a `StackMenu`. */
export const STACK_MENU: RequestType<void, StackMenu> = 'gpuDoctor/stackMenu';
export interface StackMenu {
  readonly title: string;
  readonly findings: readonly MenuFinding[];
  readonly entries: readonly MenuEntry[];
}

/** A diagnosis of the stack, with its remedies. */
export interface MenuFinding {
  readonly severity: DiagnosisSeverity;
  readonly finding: string;
  readonly entries: readonly MenuEntry[];
}

export interface MenuEntry {
  readonly label: string;
  readonly detail?: string;
  /** A product icon of VS Code. */
  readonly icon: string;
  readonly action: MenuAction;
}

export type MenuAction =
  /** Runs a command of the editor. An editor without the command omits the entry. */
  | { readonly kind: 'command'; readonly command: string; readonly argument?: string }
  | { readonly kind: 'copy'; readonly text: string }
  /** Inserts a line in a terminal for the user to check and run. */
  | { readonly kind: 'terminal'; readonly text: string }
  | { readonly kind: 'page'; readonly address: string };

/**
 * Request, client to server: test the GPUs with small computations, which takes up to a few minutes. Reports progress
 * by `workDoneToken`, ends when canceled, and fails in an untrusted workspace.
 */
export const SMOKE_TEST: RequestType<SmokeTestParams, SmokeTestResult> = 'gpuDoctor/smokeTest';
interface SmokeTestParams {
  readonly workDoneToken?: string | number;
}
export interface SmokeTestResult {
  readonly outcome: SmokeReport['outcome'];
  /** One sentence. */
  readonly summary: string;
  /** Markdown. */
  readonly document: string;
}

/**
 * Request, client to server, carries a path: the contents of the checkpoint at that path. Answered with a
 * `CheckpointAnswer`.
 */
export const READ_CHECKPOINT: RequestType<string, CheckpointAnswer> = 'gpuDoctor/readCheckpoint';
export interface CheckpointAnswer {
  readonly view?: CheckpointView;
  /** The reason why there is no checkpoint, as a sentence. */
  readonly trouble?: string;
}

/**
 * Request, client to server, carries a view's `loadable`: whether the checkpoint loads on this machine. Answered with a
 * `JudgementHere` once the stack is read.
 */
export const JUDGE_CHECKPOINT: RequestType<ShownLoadable, JudgementHere> = 'gpuDoctor/judgeCheckpoint';
export interface JudgementHere extends JudgementView {
  /** The size of the weights and the memory of this machine, as sentences; empty for a file without weights. */
  readonly memory: readonly string[];
}
export type { CheckpointView, JudgementView, ShownLoadable };

/** Request, client to server, carries a `ComparisonRequest`: how the models of two checkpoints differ. Answered with a `ComparisonAnswer`. */
export const COMPARE_CHECKPOINTS: RequestType<ComparisonRequest, ComparisonAnswer> = 'gpuDoctor/compareCheckpoints';
interface ComparisonRequest {
  readonly paths: readonly [first: string, second: string];
}
export interface ComparisonAnswer {
  /** The tensors of both checkpoints, one per line, for a diff editor. */
  readonly texts?: readonly [first: string, second: string];
  /** The reason why there are none, as a sentence. */
  readonly trouble?: string;
}

/**
 * Request, client to server: the meaning of an error, its cause here and its remedies. Answered with an
 * `ExplainAnswer`.
 */
export const EXPLAIN: RequestType<ExplainRequest, ExplainAnswer> = 'gpuDoctor/explain';
export type ExplainRequest = (
  | {
      /** The error as it was printed, with the text around it. */
      readonly text: string;
      /** The folder for relative paths in the text. */
      readonly folder?: string;
    }
  /** A failure that was reported before: the id of its report. */
  | { readonly failure: string }
) & {
  /** The user's answers about possible causes, by their ids: true if a cause applies. */
  readonly answers?: Readonly<Record<string, boolean>>;
};
export interface ExplainAnswer {
  /** Absent for an unknown error. */
  readonly explanation?: Explanation;
  /** Other errors in the text. */
  readonly others?: readonly { readonly title: string; readonly url: string }[];
  /** The whole answer as Markdown; empty if nothing is known or suspected. */
  readonly document?: string;
  /** For an unknown error. */
  readonly unknown?: Unexplained;
  /** The Python of the failed cell of a notebook. */
  readonly python?: string;
}
export type { Explanation, Unexplained };

/**
 * Request, client to server: applies the edit of an explanation's remedy by `workspace/applyEdit`. The edit is computed
 * again. Answered with true if it was applied.
 */
export const APPLY_REMEDY: RequestType<RemedyRequest, boolean> = 'gpuDoctor/applyRemedy';
interface RemedyRequest {
  readonly error: ExplainRequest;
  /** The title of the remedy. */
  readonly remedy: string;
}

/**
 * Request, client to server: a program failed in a view of the editor. While its error is known, the failed line has a
 * diagnostic, and remedies that are edits are its code actions. Answered with a `KnownFailure` or null.
 */
export const REPORT_FAILURE: RequestType<FailureReport, KnownFailure | null> = 'gpuDoctor/reportFailure';
export interface FailureReport {
  /** The origin of the failure, such as the address of a cell: another report with this id replaces it. */
  readonly id: string;
  /** Null when the failure is over, as when the cell runs again. */
  readonly failure: CellOutputs | DebuggerStop | null;
}
/** The outputs of a cell in an open notebook. */
interface CellOutputs {
  /** Address of the cell's text document. */
  readonly document: string;
  /** In order, without pictures and other binary data; long outputs may be truncated. */
  readonly outputs: readonly CellOutput[];
}
/** The exception that stopped a Python debugger. */
interface DebuggerStop {
  readonly exception: ExceptionInfo;
  /** The folder for relative paths. */
  readonly folder?: string;
}
export interface KnownFailure {
  readonly title: string;
  /** False if the program continued and only printed the known error. */
  readonly failed: boolean;
}
export type { CellOutput, ExceptionInfo };

/** Request, client to server, carries a line of a terminal: the known errors in it. Answered with a list of `FoundError`. */
export const FIND_ERRORS: RequestType<string, readonly FoundError[]> = 'gpuDoctor/findErrors';
export interface FoundError {
  /** In UTF-16 code units from the start of the line. */
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

/**
 * Request, client to server, carries a text with an error: the line of it that an explanation is about, such as the
 * exception's line. Null for an empty text.
 */
export const ERROR_LINE: RequestType<string, string | null> = 'gpuDoctor/errorLine';

/** Request, carries an `OverviewRequest`: the items of the view "GPU Doctor". */
export const OVERVIEW: RequestType<OverviewRequest, Overview> = 'gpuDoctor/overview';

interface OverviewRequest {
  /** Paths of the checkpoints in the workspace. */
  readonly checkpoints: readonly string[];
}

export interface OverviewItem {
  readonly label: string;
  readonly description?: string;
  /** A product icon of VS Code. */
  readonly icon: string;
  /** The command that a click runs. */
  readonly command?: { readonly id: string; readonly argument?: string };
  readonly items?: readonly OverviewItem[];
}

export interface Overview {
  readonly stack: readonly OverviewItem[];
  readonly gpus: readonly OverviewItem[];
  readonly checkpoints: readonly OverviewItem[];
}

/** Command of the client, carries a path: shows the contents of the checkpoint at that path. Hovers link to it. */
export const INSPECT_CHECKPOINT = 'gpuDoctor.inspectCheckpoint';

/** Command of the client, carries the address of a documentation page: shows the page. Hovers link to it. */
export const SHOW_PAGE = 'gpuDoctor.showPage';

/**
 * Command of the server, carries the address of a folder: makes the client create a commented settings file there and
 * show it; an existing file is only shown.
 */
export const CREATE_CONFIGURATION = 'gpu-doctor.createConfigurationFile';

/**
 * Command of the client, carries an `ExplainRequest`, or nothing to prompt for a text: shows the explanation. Code
 * actions run it.
 */
export const EXPLAIN_ERROR = 'gpuDoctor.explainError';

/** Command of the client, carries the path of a Python: tries the remedies of its stack in copies, in a terminal. */
export const REPAIR_STACK = 'gpuDoctor.repairStack';

/**
 * Command of the server, for `workspace/executeCommand`: checks all files of the workspace, and again when they change.
 * Reports progress by `workDoneToken`, ends when canceled, and is answered with a `WorkspaceCheck`.
 */
export const CHECK_WORKSPACE = 'gpu-doctor.checkWorkspace';
export interface WorkspaceCheck {
  readonly files: number;
  /**
   * A line for each finding except hints, as `gpu-doctor check --output-format concise` writes them, with absolute
   * paths.
   */
  readonly findings: readonly string[];
  readonly isCancelled: boolean;
}

/** Command of the server: shows the settings file with a URI, after an action has edited it. */
export const SHOW_SETTINGS_FILE = 'gpu-doctor.showSettingsFile';

/** Our client's declarations under `experimental`. */
export interface ExperimentalCapabilities {
  readonly gpuDoctor?: {
    /** The client has `INSPECT_CHECKPOINT` and `SHOW_PAGE`, and hovers may run them. */
    readonly opensCheckpoints?: boolean;
    /** The client has `EXPLAIN_ERROR`, and code actions may run it. */
    readonly opensExplanations?: boolean;
  };
}

/**
 * Request, client to server: calls a language model's tool in the folders and with the Python of the last `StackScope`.
 * Nothing is written. In an untrusted workspace the answer is an error.
 */
export const CALL_TOOL: RequestType<ToolCall, ToolCallResult> = 'gpuDoctor/callTool';
export interface ToolCall {
  /** The name of the tool in `gpu-doctor mcp`. */
  readonly tool: string;
  readonly input: object;
}
export interface ToolCallResult {
  /** Text for the model; for an error, a sentence. */
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Request, server to client, in a browser, where the server has no disk: the addresses of the workspace's files,
 * without environments, repository data, installed packages and folders beyond the limit.
 */
export const LIST_FILES: RequestType<void, string[]> = 'gpuDoctor/listFiles';

/**
 * Request, server to client, in a browser: the contents of these files, without files that are too large or cannot be
 * read.
 */
export const READ_FILES: RequestType<ReadFiles, HandedFile[]> = 'gpuDoctor/readFiles';
export interface ReadFiles {
  readonly uris: readonly string[];
}

/**
 * Notification, client to server, in a browser: a file was written or deleted. It precedes the notification for watched
 * files.
 */
export const FILE_CHANGED: NotificationType<HandedFile> = 'gpuDoctor/fileChanged';
export interface HandedFile {
  readonly uri: string;
  /** Null for a file or folder that was deleted, and for a file that is too large. */
  readonly content: Uint8Array | null;
}

/** Notification, server to client: the user wants to edit the extension's settings. */
export const OPEN_SETTINGS: NotificationType<void> = 'gpuDoctor/openSettings';
