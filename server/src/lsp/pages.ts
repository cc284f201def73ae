import type { Connection } from 'vscode-languageserver';
import { shippedPage } from '../documentation.ts';
import { PAGE } from '../protocol.ts';
import { onRequest } from './messages.ts';

/** Serves the documentation pages that ship with the extension. */
export function providePages(connection: Connection): void {
  onRequest(connection, PAGE, (page) => shippedPage(page) ?? null);
}
