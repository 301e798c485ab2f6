import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import type { Bench, BenchRow } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { benchFolder, cached, hash } from '../measure/inputs.js';

const PAGES = 10;

/** Pages that are drawn, not scanned: a table with rules, a chart of bars, and text. */
function drawnPdf(): Promise<string> {
  return cached(`drawn-${PAGES}.pdf`, async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let n = 0; n < PAGES; n++) {
      const page = document.addPage([595, 842]);
      page.setFont(font);
      for (let row = 0; row < 24; row++) {
        const y = 780 - row * 14;
        page.drawLine({ start: { x: 50, y }, end: { x: 545, y }, thickness: 0.5 });
        for (let column = 0; column < 5; column++)
          page.drawText(`${Math.round(hash(n * 997 + row * 31 + column) * 1e5) / 100}`, {
            x: 60 + column * 100,
            y: y + 3,
            size: 8,
          });
      }
      for (let bar = 0; bar < 40; bar++) {
        const height = 20 + 100 * hash(n * 131 + bar);
        page.drawRectangle({ x: 60 + bar * 6, y: 300, width: 5, height, color: rgb(0.1, 0.3, 0.6) });
      }
      for (let line = 0; line < 15; line++)
        page.drawText(`Line ${line} of the text under the chart of page ${n + 1}`, {
          x: 50,
          y: 270 - line * 13,
          size: 9,
        });
    }
    return document.save();
  });
}

/** Codes and photos are looked for at 500 dpi; beside it, drawing the pages at 500 dpi. */
export const drawn10: Bench = {
  name: 'drawn-10',
  run: async () => {
    const input = await drawnPdf();
    const args = ['-r', '500', '-gray', input, `${benchFolder}/out/page`];
    const natives = [{ command: 'pdftoppm -r 500 -gray', program: 'pdftoppm', args }];
    const rows: BenchRow[] = [];
    for (const [what, path] of [
      ['Look for divider pages among', 'misc/auto-split-pdf'],
      ['Crop photos out of', 'misc/extract-image-scans'],
    ] as const)
      rows.push(
        ...(await compareWithPrograms(
          { what: `${what} ${PAGES} drawn pages`, path, inputs: [input], fields: {} },
          natives,
          {
            warming: 2,
            measured: 3,
          },
        )),
      );
    return rows;
  },
};
