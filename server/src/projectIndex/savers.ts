/** Finds the calls in a project that save a file. */
import type { ProjectSaver } from '../guards/projectView.ts';
import { mayBeSameFile } from '../python/semantic/fileNames.ts';
import type { Imports } from './imports.ts';
import type { FileSummary } from './summary.ts';

/** The queries on which the search depends. */
interface SaverQuestions extends Pick<Imports, 'definitionOf'> {
  /** Returns the files that may mention a data file of that name. */
  mentioning(fileName: string): readonly string[];
  summaryOf(path: string): Pick<FileSummary, 'saves' | 'outside'> | undefined;
}

/**
 * Returns the calls that save under a file name, except those in the file itself, which rules see when they check it.
 */
export function saversOf(path: string, fileName: string, questions: SaverQuestions): readonly ProjectSaver[] {
  return questions
    .mentioning(fileName)
    .flatMap((file) => [
      ...(file === path ? [] : directSavers(file, fileName, questions)),
      ...helpersOf(file, fileName, questions),
    ]);
}

function directSavers(file: string, fileName: string, { summaryOf }: SaverQuestions): ProjectSaver[] {
  return (summaryOf(file)?.saves ?? []).flatMap(({ fileName: saved, place, device, wrappings }) =>
    saved !== undefined && mayBeSameFile(saved, fileName)
      ? [{ place: { path: file, ...place }, device, isNamed: saved === fileName, wrappings }]
      : [],
  );
}

/** Functions in the project that a file calls to save under that name. */
function helpersOf(file: string, fileName: string, { definitionOf, summaryOf }: SaverQuestions): ProjectSaver[] {
  return (summaryOf(file)?.outside ?? []).flatMap(({ target, fileNames = {}, place }) =>
    Object.entries(fileNames).flatMap(([key, passedName]) => {
      const helper = mayBeSameFile(passedName, fileName) ? definitionOf(file, target) : undefined;
      const save =
        helper &&
        summaryOf(helper.path)?.saves.find(
          ({ parameter }) =>
            parameter?.function === helper.name && [parameter.name, String(parameter.position)].includes(key),
        );
      if (!helper || !save) return [];
      const { place: saved, device } = save;
      const calledAt = { path: file, ...place };
      // The caller determines the value that it passes to the helper.
      return [{ place: { path: helper.path, ...saved }, device, isNamed: passedName === fileName, calledAt }];
    }),
  );
}
