import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, StandardFonts, degrees, rgb } from 'pdf-lib';
import type { Bench } from '../measure/bench.js';
import { compareWithPrograms } from '../measure/compare-programs.js';
import { benchFolder, textPdf } from '../measure/inputs.js';

const mark = { text: 'CONFIDENTIAL', fontSize: 30, rotation: 45, opacity: 0.5, spacer: 50 };

/**
 * Creates a page of tiles like those of the operation, for programs that put one page over all others. Returns its
 * path.
 */
export async function tilesPdf(): Promise<string> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([595, 842]);
  const step = (font.widthOfTextAtSize(mark.text, mark.fontSize) + mark.fontSize + 2 * mark.spacer) * Math.SQRT1_2;
  for (let y = 0; y <= 842 + step; y += step) {
    for (let x = 0; x <= 595 + step; x += step)
      page.drawText(mark.text, {
        x,
        y,
        size: mark.fontSize,
        font,
        rotate: degrees(mark.rotation),
        opacity: mark.opacity,
        color: rgb(0.83, 0.83, 0.83),
      });
  }
  const path = join(benchFolder, 'tiles.pdf');
  await writeFile(path, await document.save());
  return path;
}

/** Tiles a text over 500 pages, compared with qpdf, which gets the finished tiles as a page. */
export const watermark500: Bench = {
  name: 'watermark-500',
  run: async () => {
    const input = await textPdf(500);
    const tiles = await tilesPdf();
    const fields = {
      watermarkType: 'text',
      watermarkText: mark.text,
      fontSize: String(mark.fontSize),
      rotation: String(mark.rotation),
      opacity: String(mark.opacity),
      widthSpacer: String(mark.spacer),
      heightSpacer: String(mark.spacer),
    };
    const rows = await compareWithPrograms(
      { what: 'Text watermark on 500 pages', path: 'security/add-watermark', inputs: [input], fields },
      [
        {
          command: 'qpdf --overlay --repeat=1 (of tiles ready made)',
          program: 'qpdf',
          args: [input, '--overlay', tiles, '--repeat=1', '--', 'out.pdf'],
        },
      ],
    );
    return rows.map((row) => ({ ...row, target: '≤ 1', met: (row.ratio ?? Infinity) <= 1 }));
  },
};
