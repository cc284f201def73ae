/** Paths that do not exist: the folder in a variable, or the target of a library's link. */

import { quotePath } from '../../commands/shells.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import { builtForCuda } from '../../stack/facts/installed.ts';
import type { Judge } from '../diagnosis.ts';

/** Compilers check CUDA_HOME first, even if the folder that it names does not exist. */
export const cudaHomeMissing: Judge = {
  id: 'cuda-home-missing',
  judge(facts) {
    const toolkits = knownValue(facts.toolkits);
    const home = knownValue(facts.variables)?.CUDA_HOME;
    const [framework] = builtForCuda(facts);
    if (!home || toolkits === undefined || framework === undefined) return [];
    // A text may mention one toolkit and omit others.
    if (toolkits.some(({ root, namedBy }) => root === home || namedBy === 'the text')) return [];
    const [other] = toolkits;
    return [
      {
        severity: 'information',
        finding: `CUDA_HOME is ${home}, but there is no toolkit there: compiling extensions here fails; everything else works without one.`,
        why: [
          { fact: `CUDA_HOME=${home}`, source: facts.variables.source },
          { fact: `no folder ${home}`, source: facts.toolkits.source },
        ],
        remedies: [
          ...(other === undefined
            ? []
            : [
                {
                  do: 'set' as const,
                  title: `Set CUDA_HOME to the installed toolkit${other.version === null ? '' : ` ${other.version}`}`,
                  variable: 'CUDA_HOME',
                  value: other.root,
                },
              ]),
          { do: 'unset', title: 'Remove the variable where it is set', variable: 'CUDA_HOME' },
        ],
      },
    ];
  },
};

/** A leftover link from an installation whose files are gone; the loader treats such a name as missing. */
export const libraryLinkBroken: Judge = {
  id: 'library-link-broken',
  judge(facts) {
    const broken = knownValue(facts.brokenLinks) ?? [];
    const [framework] = builtForCuda(facts);
    const [first] = broken;
    if (first === undefined || framework === undefined) return [];
    return [
      {
        severity: 'information',
        finding: `${listOf(broken.slice(0, 3))} ${broken.length > 1 ? 'are broken links' : 'is a broken link'}: programs that load the library from there fail ("cannot open shared object file").`,
        why: broken.map((link) => ({ fact: 'its target is gone', source: link })),
        remedies: [
          {
            do: 'run',
            title: "Install the library again, or remove the link and update the loader's cache",
            command: `sudo rm ${broken.map((link) => quotePath(link, 'posix')).join(' ')} && sudo ldconfig`,
          },
        ],
      },
    ];
  },
};
