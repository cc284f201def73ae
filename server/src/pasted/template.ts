/** Text of an issue template: comments, unchecked boxes and example answers. */
const BROUGHT =
  /<!--[\s\S]{0,4000}?-->|^[ \t>]*[-*] \[ \].*$|[ \t]*[([](?:e\.? ?g\b\.?|i\.e\.|for example|such as|for instance|if (?:compiling|applicable|the issue|you)|use command|as opposed)[^()[\]\n]*[)\]]/gim;

/** Returns a text without its template, so that an example is not mistaken for an answer. */
export function withoutTemplate(text: string): string {
  return text.replace(BROUGHT, '');
}
