import { loadPdfium } from './runtime.js';

const programs = new Map<string, Promise<Uint8Array>>();

/**
 * Returns the font program with which PDFium draws one of the 14 standard fonts (ISO 32000-1, 9.6.2.2): bare CFF with
 * the standard's glyph names and widths, which PDFium's licence allows to embed. `name` is one of the fourteen.
 */
export function standardFontProgram(name: string): Promise<Uint8Array> {
  let program = programs.get(name);
  if (program === undefined) {
    program = read(name);
    // A failure, such as a trap in PDFium, must not be cached.
    program.catch(() => programs.delete(name));
    programs.set(name, program);
  }
  return program;
}

async function read(name: string): Promise<Uint8Array> {
  const pdfium = await loadPdfium();
  const { wasmExports: heap } = pdfium.pdfium;
  const document = pdfium.FPDF_CreateNewDocument();
  const font = pdfium.FPDFText_LoadStandardFont(document, name);
  const length = heap.malloc(4);
  try {
    pdfium.FPDFFont_GetFontData(font, 0, 0, length);
    const size = new DataView(pdfium.pdfium.HEAPU8.buffer).getUint32(length, true);
    const data = heap.malloc(size);
    pdfium.FPDFFont_GetFontData(font, data, size, length);
    const program = pdfium.pdfium.HEAPU8.slice(data, data + size);
    heap.free(data);
    return program;
  } finally {
    heap.free(length);
    pdfium.FPDFFont_Close(font);
    pdfium.FPDF_CloseDocument(document);
  }
}
