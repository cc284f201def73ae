/** The catalogues as JSON, by name. The build puts them here: a browser has no files beside the program. */
export const BUNDLED: Readonly<Record<string, string>> = {};
