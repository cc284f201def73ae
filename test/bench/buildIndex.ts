/** Reads everything that the index of a project reads from all files in advance: `buildIndex.ts FOLDER`. */
import { diskFiles } from '../../server/src/projectIndex/diskFiles.ts';
import { createProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';

await createProjectIndex(diskFiles(process.argv[2] ?? '.')).prepare();
