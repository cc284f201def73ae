/** Replaces `node:os` in a browser, where there is no home folder. */
export const homedir = () => '/';
