/** Where the documentation is published; the pages of the rules are shipped below `docs/` as well. */
const DOCUMENTATION = 'https://github.com/gpu-doctor/gpu-doctor/blob/main/docs';

/** Address of the page of a rule or of a verdict on the stack. */
export function documentationPage(kind: 'rules' | 'stack', name: string): string {
  return `${DOCUMENTATION}/${kind}/${name}.md`;
}
