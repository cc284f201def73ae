import { kerasHas } from '../../published/releases/kerasReleases.ts';
import { tensorflowStillHas } from '../../published/releases/tensorflowReleases.ts';
import { torchHas } from '../../published/releases/torchReleases.ts';
import { type Fact, knownValue } from '../../stack/facts/facts.ts';
import { type Condition, concernsFramework, not, onFacts, type ShownFact, shown } from './condition.ts';
import { systemConditions } from './system.ts';

type Target = 'cpu' | 'cuda' | 'rocm';

function torchIsFor(target: Target): Condition {
  return onFacts(({ frameworks: { torch } }, situation) => {
    const build = knownValue(torch);
    if (!build?.target || !concernsFramework('torch', situation)) return undefined;
    const made = build.cuda ? `CUDA ${build.cuda}` : build.rocm ? `ROCm ${build.rocm}` : build.target;
    return shown(
      build.target === target,
      `torch ${build.version} is built for ${made === 'cpu' ? 'the CPU' : made} (${torch.source})`,
    );
  });
}

function frameworkHas(
  name: 'torch' | 'tensorflow' | 'keras',
  title: string,
  has: (version: string) => boolean,
): Condition {
  return onFacts(({ frameworks }) => {
    const fact: Fact<{ readonly version: string } | null> = frameworks[name];
    const build = knownValue(fact);
    return build ? shown(has(build.version), `${title} ${build.version} is installed (${fact.source})`) : undefined;
  });
}

const tensorflowFrom211 = frameworkHas(
  'tensorflow',
  'TensorFlow',
  (version) => !tensorflowStillHas('windows_cuda', version),
);
const kerasFrom3 = frameworkHas('keras', 'Keras', (version) => kerasHas('keras_3', version));

/** Output that no release before 2.11 prints. */
function saysSo211(text: string): ShownFact | undefined {
  return /Could not find cuda drivers/.test(text) ? shown(true, 'it is a TensorFlow after 2.10') : undefined;
}

/** Conditions on installed packages, by name. */
export const installedConditions = {
  'torch-for-cpu': torchIsFor('cpu'),
  'torch-for-cuda': torchIsFor('cuda'),
  'torch-for-rocm': torchIsFor('rocm'),
  /** Also true if only the text shows its index or its tag. */
  'rocm-wheel': (situation) => {
    const reported = /(?:whl\/(?:nightly\/)?|\+)rocm\d[\d.]*|hipErrorNoDevice|no ROCm-capable device/.exec(
      situation.text,
    )?.[0];
    return torchIsFor('rocm')(situation) ?? shown(reported !== undefined);
  },
  'torch-pins-cudnn': onFacts(({ frameworks: { torch } }) => {
    const build = knownValue(torch);
    const pinned = build?.pinned.find(({ name }) => name.startsWith('nvidia-cudnn'));
    if (!build) return build === undefined ? undefined : shown(false);
    return shown(
      pinned !== undefined || build.target === 'cuda',
      `torch ${build.version} requires ${pinned ? `${pinned.name} ${pinned.version}` : 'its own cuDNN'} (${torch.source})`,
    );
  }),
  /** The missing library has the version that TensorFlow is built for, so that is the only problem. */
  'tensorflow-asks-for-it': onFacts(({ frameworks: { tensorflow } }, { parts: { library = '' } }) => {
    const build = knownValue(tensorflow);
    const number = library
      .match(/\.so\.(\d+)|64_(\d+)\.dll$/)
      ?.slice(1)
      .find(Boolean);
    if (build?.target !== 'cuda' || number === undefined) return undefined;
    const [part, version] = /cudnn/.test(library) ? ['cuDNN', build.cudnn] : ['CUDA', build.cuda];
    if (!version) return undefined;
    const [major = '', minor = ''] = version.split('.');
    const isIt = [major, `${major}${minor}`, `${major}0`].includes(number);
    return shown(isIt, `${build.name} ${build.version} is built for ${part} ${version} (${tensorflow.source})`);
  }),
  /** For any GPU: from TensorFlow 2.11 on there is no CUDA build for native Windows. */
  'tensorflow-without-windows-cuda': (situation) => {
    const system = systemConditions['on-windows'](situation);
    const found = tensorflowFrom211(situation) ?? saysSo211(situation.text);
    return system && found && shown(system.holds && found.holds, found.evidence);
  },
  'torch-from-2-6': frameworkHas('torch', 'torch', (version) => torchHas('weights_only_default', version)),
  'keras-3': kerasFrom3,
  'keras-2': not(kerasFrom3),
  'library-path-set': onFacts(({ libraryPath }) => {
    const folders = knownValue(libraryPath);
    if (!folders) return undefined;
    const [first] = folders;
    if (!first) return shown(false);
    return shown(
      true,
      `${first.variable} leads to ${first.folder}, which holds ${first.libraries.slice(0, 3).join(', ')}`,
    );
  }),
  'no-toolkit': onFacts(({ toolkits }) => {
    const found = knownValue(toolkits);
    return found && shown(found.length === 0, `no CUDA toolkit was found (${toolkits.source})`);
  }),
} satisfies Record<string, Condition>;
