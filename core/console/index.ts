export { shownFieldSchema } from './endpoints/catalog-schema.js';
export { prepareOperations } from './shown-operations.js';
export { consolePlugin } from './static/console-plugin.js';
