export { TesseractRecognizeText } from './recognize-text.js';
