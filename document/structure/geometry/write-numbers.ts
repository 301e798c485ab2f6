import { type PDFArray, type PDFContext, PDFNumber } from 'pdf-lib';
import { arrayOf } from '../../file/objects/index.js';
import type { Box, Matrix } from './matrix.js';

/** Creates a number object, rounded to hide floating-point errors. */
export function tidyNumber(value: number): PDFNumber {
  return PDFNumber.of(Math.round(value * 1e4) / 1e4);
}

/** Creates a rectangle object. */
export function boxNumbers(context: PDFContext, box: Box): PDFArray {
  return arrayOf(context, box.map(tidyNumber));
}

/** Creates a matrix object. */
export function matrixNumbers(context: PDFContext, matrix: Matrix): PDFArray {
  return arrayOf(
    context,
    matrix.map((value) => PDFNumber.of(Math.round(value * 1e6) / 1e6)),
  );
}
