export { prepareOperations } from './shown-operations.js';
export { consolePlugin } from './static/console-plugin.js';
