export { type EmbeddedSvg, embedSvg } from './embed-svg.js';
