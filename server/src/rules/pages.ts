/** Where the documentation of the rules is published; the same pages are shipped below `docs/rules/`. */
const PAGES = 'https://github.com/gpu-doctor/gpu-doctor/blob/main/docs/rules';

/** Address of a rule's page, for `codeDescription`, SARIF and `url`. */
export function pageOf(code: string): string {
  return `${PAGES}/${code}.md`;
}
