export { type ReadPicture, recognizePages, type Recognized, type RecognizeOptions } from './recognize-pages.js';
export { readHocr, type ReadLine, type ReadPage, type ReadWord, textOfPage } from './hocr.js';
export { measureSkew } from './measure-skew.js';
export type { Samples } from './grey-picture.js';
