export { extractPages, extractToFile, type ExtractOptions, measureExtract } from './extract-pages.js';
export { partsOfCuts } from './split-pages.js';
export { type DocumentPart, splitToFiles, type SplitToFilesOptions } from './split-to-files.js';
export { SplitSource } from './split-source.js';
export { collectNames, plainName } from './content-names.js';
