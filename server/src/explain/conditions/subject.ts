import { type Condition, shown } from './condition.ts';

/** How a text names the packages that have builds of their own for the GPU. */
const SUBJECTS = {
  torch: /torch/i,
  tensorflow: /tensorflow|\bkeras\b/i,
  jax: /\bjax(?:lib)?\b|XlaRuntimeError/i,
  onnxruntime: /onnxruntime/i,
  ctranslate2: /ctranslate2|faster[-_]whisper|whisperx/i,
  'llama-cpp': /llama[._-]cpp|\bggml|\.gguf\b/i,
  cupy: /cupy|\bnumba\b|\bcu(?:df|ml)\b/i,
  paddle: /paddle/i,
} as const;

/** Of a package: whether the text names it. */
function isAbout(subject: keyof typeof SUBJECTS): Condition {
  return ({ text }) => {
    const named = SUBJECTS[subject].exec(text)?.[0];
    return shown(named !== undefined, named === undefined ? 'the text does not name it' : `the text names ${named}`);
  };
}

/** Of torch, which most texts are about: not where another package is named and torch is not. */
const mayBeAboutTorch: Condition = ({ text }) => {
  if (SUBJECTS.torch.test(text)) return shown(true, 'the text names torch');
  const other = Object.values(SUBJECTS).find((signs) => signs.test(text));
  return other && shown(false, `the text names ${other.exec(text)?.[0]}`);
};

/** Conditions on what a text is about, by which remedies are chosen. */
export const subjectConditions = {
  'about-torch': mayBeAboutTorch,
  'about-tensorflow': isAbout('tensorflow'),
  'about-jax': isAbout('jax'),
  'about-onnxruntime': isAbout('onnxruntime'),
  'about-ctranslate2': isAbout('ctranslate2'),
  'about-llama-cpp': isAbout('llama-cpp'),
  'about-cupy': isAbout('cupy'),
  'about-paddle': isAbout('paddle'),
} satisfies Record<string, Condition>;
