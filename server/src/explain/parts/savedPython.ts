/** Authors' statements about the Python version under which a model was saved. */
const SAVED_UNDER =
  /\b(?:saved|written|trained|exported|created)\b[^\n.]{0,40}\b(?:under|with|by|in|on|using) [Pp]ython ?(3\.\d{1,2})\b/;

/** `savedPython`, the Python version under which a model was saved: "3.8"; empty if unknown. */
export function savedPythonParts(text: string): Readonly<Record<string, string>> {
  const [, savedPython] = SAVED_UNDER.exec(text) ?? [];
  return savedPython === undefined ? {} : { savedPython };
}
