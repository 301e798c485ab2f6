export { recognizePages } from './recognize-pages.js';
export type { ReadPicture } from './recognition.js';
export type { Recognized, RecognizeOptions } from './recognition.js';
export { readHocr, type ReadLine, type ReadPage, type ReadWord, textOfPage } from './hocr.js';
export { measureSkew } from './measure-skew.js';
export type { Samples } from './grey-picture.js';
