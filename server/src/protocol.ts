/** The messages beyond the Language Server Protocol: their methods and what they carry, for both ends. */
import type { CheckpointView, Judgement } from './report/checkpointView.ts';
import type { Loadable } from './rules/checkpointHere.ts';
import type { StackSummary } from './stack/summary.ts';

/** Where the stack is to be read. */
export interface StackScope {
  /** The selected Python, a program or the folder of an environment; the server looks for one where none is given. */
  readonly interpreter?: string;
  /** Paths of the workspace's folders, the one in use first. */
  readonly folders: readonly string[];
  /** Whether the user trusts the workspace; in others nothing that it names or brings along is used. */
  readonly trusted: boolean;
}

/** Notification, client to server, carries a `StackScope`: the stack is wanted. Nothing is read before the first one. */
export const WATCH_STACK = 'gpuDoctor/watchStack';

/** Notification, server to client, carries what is known by now; it comes several times while the stack is read. */
export const STACK_CHANGED = 'gpuDoctor/stackChanged';
export type StackChanged = StackSummary;

/** Request, client to server: read it again. Answered with null when that is done. */
export const REFRESH_STACK = 'gpuDoctor/refreshStack';

/** Request, client to server: the whole read-out as known by now, as a Markdown document. Answered with a string. */
export const STACK_DOCUMENT = 'gpuDoctor/stackDocument';

/** Request, client to server, carries a path: what is inside the checkpoint there. Answered with a `CheckpointAnswer`. */
export const READ_CHECKPOINT = 'gpuDoctor/readCheckpoint';
export interface CheckpointAnswer {
  readonly view?: CheckpointView;
  /** Why there is none, as a sentence. */
  readonly trouble?: string;
}

/**
 * Request, client to server, carries a view's `Loadable`: whether it loads on this machine. Answered with a `Judgement`
 * once the stack has been read.
 */
export const JUDGE_CHECKPOINT = 'gpuDoctor/judgeCheckpoint';
export type { CheckpointView, Judgement, Loadable };
