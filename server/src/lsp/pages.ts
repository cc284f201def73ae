import type { Connection } from 'vscode-languageserver/node';
import { shippedPage } from '../documentation.ts';
import { PAGE } from '../protocol.ts';

/** Hands out the pages of the documentation that are shipped. */
export function providePages(connection: Connection): void {
  connection.onRequest(PAGE, (page: string) => shippedPage(page) ?? null);
}
