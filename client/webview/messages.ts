/** Messages between the extension and the checkpoint page. */
import type { CheckpointView, JudgementHere, JudgementView } from '../../server/src/protocol.ts';

export type { CheckpointView, JudgementHere, JudgementView };

export type ToPage =
  /** A file is being read, without any content yet. */
  | { readonly kind: 'reading'; readonly file: string }
  | { readonly kind: 'read'; readonly file: string; readonly view: CheckpointView }
  /**
   * States whether the file loads on this machine. Follows `read`, and is sent again when the machine's stack changes.
   */
  | { readonly kind: 'judged'; readonly judgement: JudgementHere }
  | { readonly kind: 'failed'; readonly file: string; readonly trouble: string }
  /** The user wants to filter the tensors. */
  | { readonly kind: 'filter' };

export type FromPage =
  /** The page is ready and requests all data. */
  { readonly kind: 'ready' } | { readonly kind: 'retry' } | { readonly kind: 'copy'; readonly text: string };

/** The element below the pointer when the context menu opens, passed to the menu's command as `data-vscode-context`. */
export interface MenuContext {
  readonly webviewSection: 'tensor';
  readonly name: string;
  readonly preventDefaultContextMenuItems: true;
}
