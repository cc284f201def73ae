/** A command line begins with a program, after what is set for it: no call, no assignment and no statement of Python. */
const COMMAND_LINE =
  /^(?:[A-Z][A-Z\d_]*=\S*\s+)*(?!(?:import|from|assert|with|for|if|def|class|return|raise|print)\b)[a-z][\w.+-]*(?=$|;|\s)(?!\s*[-+*]?=)/;

/** Whether what a remedy has to be written is for a shell, not for a program or a file. */
export function isCommandLine(text: string): boolean {
  // A line end or another control character would do something in a terminal, which is only to hold the line.
  return COMMAND_LINE.test(text) && !/\p{Cc}/u.test(text);
}
