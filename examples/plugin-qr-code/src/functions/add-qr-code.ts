import { type PDFDocument, rgb } from 'pdf-lib';
import encodeQR from 'qr';

/** White modules around the code (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4;

/** Draws a QR code of `size` points in the lower right corner of the first page's crop box. */
export async function drawQrCode(document: PDFDocument, text: string, size: number): Promise<void> {
  const modules = encodeQR(text, 'raw', { border: QUIET_ZONE });
  const page = document.getPage(0);
  const box = page.getCropBox();
  const module = size / modules.length;
  const [left, bottom] = [box.x + box.width - size, box.y];
  page.drawRectangle({ x: left, y: bottom, width: size, height: size, color: rgb(1, 1, 1) });
  for (const [row, cells] of modules.entries())
    for (const [column, dark] of cells.entries())
      if (dark)
        page.drawRectangle({
          x: left + column * module,
          y: bottom + size - (row + 1) * module,
          width: module,
          height: module,
          color: rgb(0, 0, 0),
        });
  await document.flush();
}
