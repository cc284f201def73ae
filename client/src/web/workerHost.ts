import type { ServerHost } from '../server.ts';
import { folderSchemes, fromServer, toServer } from './addresses.ts';

/** A server in a browser worker, for the open folders. */
export function workerHost(): ServerHost {
  return {
    load: () => import('./languageClient.ts'),
    fileSchemes: folderSchemes(),
    hasMachine: false,
    uriConverters: { code2Protocol: toServer, protocol2Code: fromServer },
  };
}
