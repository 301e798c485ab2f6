/**
 * Version of the registry API that plugins are written against. Patch: wording; minor: optional field or token added;
 * major: removed or changed.
 */
export const API_VERSION = '1.19.0';
