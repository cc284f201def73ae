/** Stands in for `node:os` in a browser: nobody is at home. */
export const homedir = () => '/';
