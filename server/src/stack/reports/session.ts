import { cudaVersion, gpuNamed, type ReportReader, torchSays, versionIn, yesOrNo } from './report.ts';

/** What is asked of torch or TensorFlow in a session of Python, with what it answers on the next line. */
export const readSession: ReportReader = (text) => {
  const answers = new Map<string, string>();
  let at = -1;
  for (const { index, 1: asked = '', 2: said = '' } of text.matchAll(QUESTION)) {
    const name = asked.replace(/\(0?\)$/, '');
    if (answers.has(name)) continue;
    if (at < 0) at = index;
    answers.set(name, said.replace(/^['"]|['"]$/g, ''));
  }
  const torch = versionIn(answers.get('torch.__version__'));
  const tensorflow = versionIn(answers.get('tf.__version__') ?? answers.get('tensorflow.__version__'));
  if (torch === undefined && tensorflow === undefined) return undefined;
  const told = answers.get('torch.version.cuda');
  const cuda = told === 'None' ? null : cudaVersion(told);
  const available = yesOrNo(answers.get('torch.cuda.is_available'));
  const name = answers.get('torch.cuda.get_device_name');
  return {
    program: 'a session of Python',
    at,
    builds: {
      ...(torch && { torch: { version: torch, ...(cuda !== undefined && { cuda }) } }),
      ...(tensorflow && { tensorflow: { version: tensorflow } }),
    },
    ...(name && { gpus: [gpuNamed(name, 0)] }),
    ...torchSays(available, torch, name ? [gpuNamed(name, 0)] : []),
  };
};

/** The marks of a quotation and those before a line of Python look alike, and may be gone. */
const QUESTION =
  /^[ \t]*(?:>>>|In ?\[\d*\]:|\$? ?python3? -c ["']import \w+; ?)?[ \t]*(?:print ?\()?((?:torch|tf|tensorflow)\.(?:__version__|version\.cuda|cuda\.is_available\(\)|cuda\.get_device_name\(0?\)))\)?["']?[ \t]*\n(?:Out ?\[\d*\]: ?)?[ \t]*(?!>>>|In ?\[|print|import|torch\.|tf\.)(\S[^\n]*?)[ \t]*$/gm;
