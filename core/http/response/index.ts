export { runHeaders } from './respond.js';
