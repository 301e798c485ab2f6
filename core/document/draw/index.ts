export { type StateBalance, stateBalance } from './balance.js';
export { PageOverlay } from './page-overlay.js';
export { type Colour, parseHexColour } from './colour.js';
