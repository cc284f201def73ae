/** Exact torch versions as people write them: 'torch=="2.1.2"', "pytorch=1.8.0", "PyTorch 1.13.1+cu117". */
const NAMED = /\b(?:py)?torch(?: version)?[\s=:v]{1,4}["']?(\d\.\d{1,2}\.\d)(?:\+(cu\d{2,3}))?(?!\w|\.\d)/gi;

/** The torch releases that a text names, each with its build tag if given. */
export function torchesNamedIn(text: string): { readonly version: string; readonly tag: string | undefined }[] {
  return [...text.matchAll(NAMED)].map(([, version = '', tag]) => ({ version, tag }));
}
