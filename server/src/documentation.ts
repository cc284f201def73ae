/** Where the documentation is published; the pages of the rules are shipped below `docs/` as well. */
const DOCUMENTATION = 'https://github.com/gpu-doctor/gpu-doctor/blob/main/docs';

/** Address of the page of a rule, of a verdict on the stack, or of a family of errors. */
export function documentationPage(kind: 'rules' | 'stack' | 'errors', name: string): string {
  return `${DOCUMENTATION}/${kind}/${name}.md`;
}
