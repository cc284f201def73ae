import { message, type Quotation, quoted } from '../../../rules/engine/message.ts';
import type { Installation } from '../../environmentFile.ts';
import { knownImage } from '../../image.ts';
import { isBuilt, sourcesOf } from '../builtPackages.ts';
import { quotedName, requiredHere, requirementsNamed } from '../requirements.ts';
import { usesOwnCuda } from './baseImage.ts';
import type { Contradiction } from './contradiction.ts';

/** Reports a CUDA compiler that is called but missing, and one that is installed but not needed. */
export const toolkit: Contradiction = (installation, report) => {
  const { image, isPartial, requirements } = installation;
  if (!image) return;
  const installed = toolkitIn(installation);
  const flavour = knownImage(image.text)?.flavour;
  const related = [{ span: image.span, message: 'The image is chosen here.' }];
  const called = image.nvcc ?? (image.compiles ? image.compilesFor : undefined);
  if ((flavour === 'runtime' || flavour === 'base') && installed === undefined && called !== undefined)
    report({
      span: called,
      // Files that are not read may install it, and compiled code may not be GPU code.
      level: image.nvcc && !isPartial ? 'flag' : 'hint',
      message: message`${image.nvcc ? 'This image has no `nvcc`' : 'CUDA extensions need `nvcc`, which this image lacks'}: ${withCompiler(image.text)} has it.`,
      related,
    });
  const compiled = requirements.find((each) => isBuilt(each) && sourcesOf(each)?.nvcc);
  if (compiled && called === undefined && installed === undefined && lacksCompiler(image.text))
    report({
      span: compiled.span,
      level: 'hint',
      message: message`Without a matching wheel, ${quotedName(compiled)} needs \`nvcc\`, which this image lacks: use an image with \`devel\` in its tag.`,
      related,
    });
  const torch = requirementsNamed(installation, 'torch').find(({ manager }) => manager === 'pip');
  const isNeedless = !isPartial && !image.compiles && !image.compilesFor;
  if (installed?.span && torch && isNeedless && requirements.every(usesOwnCuda))
    report({
      span: installed.span,
      level: 'hint',
      message: message`${quoted(`\`${installed.name}\``)} needs gigabytes, and only compilers use it: torch wheels include CUDA libraries.`,
      related: [requiredHere(torch)],
    });
};

/** Returns the image of the same release that includes CUDA's compiler. */
const withCompiler = (image: string): Quotation =>
  quoted(`\`${image.replace(/(?<=-)(?:runtime|base)(?=-|$)/, 'devel')}\``);

/** True for images that are known to lack CUDA's compiler. */
function lacksCompiler(name: string): boolean {
  const known = knownImage(name);
  if (known !== undefined) return known.flavour === 'runtime' || known.flavour === 'base';
  return /^(?:docker\.io\/)?(?:library\/)?(?:python|ubuntu|debian)(?::|$)/.test(name);
}

/** Returns the package that provides nvcc; a system package with its place. */
function toolkitIn({ systemPackages = [], requirements }: Installation) {
  const system = systemPackages.find(({ text }) =>
    /^(?:nvidia-cuda-toolkit|cuda(?:-\d+-\d+)?$|cuda-(?:toolkit|nvcc|compiler|minimal-build)\b)/.test(text),
  );
  if (system !== undefined) return { name: system.text, span: system.span };
  const other = requirements.find(({ name }) =>
    /^(?:nvidia-)?cuda-nvcc|^cuda-toolkit$|^cudatoolkit-dev$|^cuda$/.test(name),
  );
  return other && { name: other.name };
}
