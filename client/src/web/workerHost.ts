import type { ServerHost } from '../server.ts';
import { folderSchemes, fromServer, toServer } from './addresses.ts';

/** A server in a worker of the browser, for the folders that are open now. */
export function workerHost(): ServerHost {
  return {
    load: () => import('./languageClient.ts'),
    fileSchemes: folderSchemes(),
    hasMachine: false,
    uriConverters: { code2Protocol: toServer, protocol2Code: fromServer },
  };
}
