import type { Connection } from 'vscode-languageserver';
import { shippedPage } from '../documentation.ts';
import { PAGE } from '../protocol.ts';
import { onRequest } from './messages.ts';

/** Hands out the pages of the documentation that are shipped. */
export function providePages(connection: Connection): void {
  onRequest(connection, PAGE, (page) => shippedPage(page) ?? null);
}
