/** The catalogues as JSON, by name. The build inserts them here, because a browser has no files beside the program. */
export const BUNDLED: Readonly<Record<string, string>> = {};
