import type { ClientCapabilities } from 'vscode-languageserver';
import type { ExperimentalCapabilities } from '../protocol.ts';

/** What our own client says of itself; undefined for any other. */
export function ownClient({ experimental }: ClientCapabilities): ExperimentalCapabilities['gpuDoctor'] {
  return (experimental as ExperimentalCapabilities | undefined)?.gpuDoctor;
}
