import { tensorflowKeras } from '../../fit/tensorflowKeras.ts';
import { knownPackage } from '../../published/knownPackages.ts';
import { kerasHas } from '../../published/releases/kerasReleases.ts';
import { tensorflowHas } from '../../published/releases/tensorflowReleases.ts';
import { majorAndMinor } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import { listOf } from '../../stack/facts/gpuName.ts';
import type { Judge } from '../diagnosis.ts';

export const kerasBackendMissing: Judge = {
  id: 'keras-backend-missing',
  judge(facts) {
    const keras = knownValue(facts.frameworks.keras);
    if (!keras?.backend || keras.backend === 'numpy' || keras.installedBackends.includes(keras.backend)) return [];
    const { backend, backendFrom, installedBackends } = keras;
    const named = backendFrom !== 'default';
    const others = listOf(installedBackends);
    const real = knownPackage('keras')?.backends?.includes(backend);
    const [first] = installedBackends;
    return [
      {
        // Many programs select the backend themselves, above their import.
        severity: named ? 'error' : first === undefined ? 'warning' : 'information',
        finding: named
          ? `Keras is set to use ${backend}, which ${real ? 'is not installed' : 'is not a Keras backend'}.`
          : first === undefined
            ? `Keras ${keras.version} has no backend: TensorFlow, JAX and torch are all missing.`
            : `Keras ${keras.version} uses TensorFlow by default, but only ${others} is installed.`,
        why: [
          { fact: `backend ${backend}`, source: backendFrom ?? facts.frameworks.keras.source },
          { fact: `installed: ${others || 'none of the backends'}`, source: keras.folder },
        ],
        remedies: () => [
          ...(first === undefined
            ? []
            : [
                {
                  do: 'set' as const,
                  title: `Set KERAS_BACKEND to ${first}, which is installed, before Keras is imported`,
                  variable: 'KERAS_BACKEND',
                  value: first,
                },
              ]),
          ...(real ? [{ do: 'install' as const, requirements: [backend] }] : []),
        ],
      },
    ];
  },
};

/** How TensorFlow itself interprets the variable. */
const YES = ['1', 'true', 'True'];

function asksForLegacy({ variables }: StackFacts): boolean {
  return YES.includes(knownValue(variables)?.TF_USE_LEGACY_KERAS ?? '');
}

/** In new releases, `tf.keras` is Keras 3, unless TF_USE_LEGACY_KERAS selects Keras 2 from the package tf_keras. */
export const tfKerasMissing: Judge = {
  id: 'tf-keras-missing',
  judge(facts) {
    const { tfKeras, tensorflow } = facts.frameworks;
    const build = knownValue(tensorflow);
    if (!build || !tensorflowHas('keras_3', build.version) || !asksForLegacy(facts)) return [];
    const legacy = knownValue(tfKeras);
    if (legacy === undefined) return [];
    const [major, minor] = majorAndMinor(build.version);
    const matches = legacy !== null && majorAndMinor(legacy.version)[1] === minor;
    if (matches) return [];
    return [
      {
        severity: legacy === null ? 'error' : 'warning',
        finding:
          legacy === null
            ? `TF_USE_LEGACY_KERAS selects tf_keras, which is not installed, so tf.keras cannot be imported.`
            : `tf_keras ${legacy.version} does not match TensorFlow ${build.version}, which uses it as tf.keras.`,
        why: [
          {
            fact: `TF_USE_LEGACY_KERAS=${knownValue(facts.variables)?.TF_USE_LEGACY_KERAS}`,
            source: facts.variables.source,
          },
          { fact: `tf_keras ${legacy?.version ?? 'is not installed'}`, source: tfKeras.source },
          { fact: `TensorFlow ${build.version}`, source: tensorflow.source },
        ],
        remedies: () => [
          {
            do: 'install',
            title: 'Install the tf_keras version that matches this TensorFlow',
            requirements: [`tf-keras~=${major}.${minor}.0`],
          },
        ],
      },
    ];
  },
};

/** The installed TensorFlow, and a Keras that it does not work with. */
function unfitKeras({ frameworks: { keras, tensorflow } }: StackFacts) {
  const [build, installed] = [knownValue(tensorflow), knownValue(keras)];
  const found = build && installed ? tensorflowKeras(build.version, installed.version) : undefined;
  if (!build || !installed || found?.fit !== 'fails') return undefined;
  return { tensorflow: build.version, keras: installed.version, needed: found.needed };
}

export const kerasTooOld: Judge = {
  id: 'keras-too-old',
  judge(facts) {
    const found = unfitKeras(facts);
    if (found?.needed !== '3') return [];
    // In that case tf.keras is tf_keras, and Keras 2 is not imported.
    if (asksForLegacy(facts) && knownValue(facts.frameworks.tfKeras)) return [];
    return [
      {
        severity: 'error',
        finding: `TensorFlow ${found.tensorflow} needs Keras 3, but Keras ${found.keras} is installed, so tf.keras cannot be imported.`,
        why: [
          { fact: `TensorFlow ${found.tensorflow}`, source: facts.frameworks.tensorflow.source },
          { fact: `Keras ${found.keras}`, source: facts.frameworks.keras.source },
        ],
        remedies: () => [{ do: 'install', title: 'Install Keras 3', requirements: ['keras>=3'] }],
      },
    ];
  },
};

/** TensorFlow before Keras 3 imports the Keras of its own release; other releases lack names that TensorFlow imports. */
export const kerasOfOtherRelease: Judge = {
  id: 'keras-of-other-release',
  judge(facts) {
    const found = unfitKeras(facts);
    // There, Keras 3 is a separate package, which another diagnosis reports.
    if (found === undefined || found.needed === '3' || kerasHas('keras_3', found.keras)) return [];
    const { tensorflow, keras, needed } = found;
    return [
      {
        severity: 'warning',
        finding: `Keras ${keras} does not match TensorFlow ${tensorflow}, which imports it as tf.keras: the import fails, or their objects are incompatible.`,
        why: [
          { fact: `Keras ${keras}`, source: facts.frameworks.keras.source },
          { fact: `TensorFlow ${tensorflow} requires Keras ${needed}`, source: facts.frameworks.tensorflow.source },
        ],
        remedies: () => [
          {
            do: 'install',
            title: 'Install the Keras version that matches this TensorFlow',
            requirements: [`keras==${needed}.*`],
          },
        ],
      },
    ];
  },
};
