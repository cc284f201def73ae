import type { ClientCapabilities } from 'vscode-languageserver';
import type { ExperimentalCapabilities } from '../protocol.ts';

/** Returns what our own client declares; undefined for any other client. */
export function ownClient({ experimental }: ClientCapabilities): ExperimentalCapabilities['gpuDoctor'] {
  return (experimental as ExperimentalCapabilities | undefined)?.gpuDoctor;
}
