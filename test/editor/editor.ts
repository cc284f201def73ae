/** The editor for tests. Shared resources are released after the last test of this process. */
import { after } from 'node:test';
import { endWorkbench } from './workbenchInUse.ts';

export { screenshots } from './actions.ts';
export * from './openEditor.ts';

after(endWorkbench);
