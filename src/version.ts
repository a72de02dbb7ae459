/** The one place where the code says which release it is; a test compares it with package.json. */
export const VERSION = '0.2.0';
