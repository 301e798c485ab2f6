export { extractPages, extractToFile, type ExtractOptions, measureExtract } from './extract-pages.js';
export { partsOfCuts } from './split-pages.js';
export { SplitSource } from './split-source.js';
