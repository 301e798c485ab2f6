import type { WorkerDocument } from './open.ts';
import { memoryView, withMemory } from './runtime.ts';

/** The letters of a page, in reading order. Boxes and baselines are in points of the page's own coordinates. */
export interface Letters {
  readonly count: number;
  /** Unicode; `LINE_HYPHEN` where a word is divided at the end of a line. */
  readonly codes: Uint32Array;
  /** 1 for spaces and line ends that PDFium adds between words and lines. */
  readonly generated: Uint8Array;
  /** Left, bottom, right, top of each. */
  readonly boxes: Float32Array;
  /** x, y on the baseline. */
  readonly origins: Float64Array;
  /** Counter-clockwise radians. */
  readonly angles: Float32Array;
}

export const LINE_HYPHEN = 0xfffe;
const OLD_LINE_HYPHEN = 2;

/** Reads the letters of a page. Throws ViewError for a page that cannot be read. */
export function readLetters(document: WorkerDocument, index: number): Letters {
  const { pdfium } = document;
  const page = document.take(index);
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    const count = text === 0 ? 0 : Math.max(0, pdfium.FPDFText_CountChars(text));
    return collect(document, text, count);
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text);
    document.giveBack(index, page);
  }
}

function collect({ pdfium }: WorkerDocument, text: number, count: number): Letters {
  const letters = {
    count,
    codes: new Uint32Array(count),
    generated: new Uint8Array(count),
    boxes: new Float32Array(count * 4),
    origins: new Float64Array(count * 2),
    angles: new Float32Array(count),
  };
  const calls = pdfium.pdfium.wasmExports;
  withMemory(pdfium, 40, (memory) => {
    let view = memoryView(pdfium);
    for (let i = 0; i < count; i++) {
      const code = calls.FPDFText_GetUnicode(text, i);
      letters.codes[i] = code === OLD_LINE_HYPHEN ? LINE_HYPHEN : code;
      letters.generated[i] = calls.FPDFText_IsGenerated(text, i) === 1 ? 1 : 0;
      const boxed = calls.FPDFText_GetLooseCharBox(text, i, memory) !== 0;
      // A font that is loaded now may have moved the memory.
      if (view.buffer !== pdfium.pdfium.HEAPU8.buffer) view = memoryView(pdfium);
      if (boxed) {
        // FS_RECTF: left, top, right, bottom.
        const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(memory + at, true));
        letters.boxes.set([left ?? 0, bottom ?? 0, right ?? 0, top ?? 0], i * 4);
      }
      if (calls.FPDFText_GetCharOrigin(text, i, memory, memory + 8) !== 0)
        letters.origins.set([view.getFloat64(memory, true), view.getFloat64(memory + 8, true)], i * 2);
      if (calls.FPDFText_GetMatrix(text, i, memory) !== 0)
        letters.angles[i] = Math.atan2(view.getFloat32(memory + 4, true), view.getFloat32(memory, true));
    }
  });
  return letters;
}

/** A letter as text: empty for control characters. */
export function letterText(code: number): string {
  if (code === LINE_HYPHEN || code === 0xad) return '-';
  if (code < 32 || code === 0xfffd || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '';
  return String.fromCodePoint(code);
}
