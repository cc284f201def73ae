/** The editor as tests use it: what it shares with other tests ends with the last test of this process. */
import { after } from 'node:test';
import { endWorkbench } from './workbenchInUse.ts';

export { screenshots } from './actions.ts';
export * from './openEditor.ts';

after(endWorkbench);
