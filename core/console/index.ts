export { consolePlugin } from './static/console-plugin.js';
