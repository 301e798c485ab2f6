import { readFile, writeFile } from 'node:fs/promises';
import type { RecognizeText } from '@quire/registry';
import { PDFDocument } from 'pdf-lib';

/** Recognises one English word on every image (PGM). */
export const fakeRecogniser: RecognizeText = {
  offer: async () => ({ engine: 'fake', languages: ['eng'], atOnce: 1 }),
  async words(picture, words) {
    const [width, height] = await sizeOf(picture);
    const box = `bbox ${width >> 2} ${height >> 2} ${width >> 1} ${(height >> 2) + 40}`;
    await writeFile(
      words,
      `<div class='ocr_page' title='bbox 0 0 ${width} ${height}'><p class='ocr_par'><span class='ocr_line' ` +
        `title='${box}; baseline 0 -8; x_size 40'><span class='ocrx_word' title='${box}; x_wconf 90'>word</span>` +
        '</span></p></div>',
    );
  },
  async layer(picture, words, layer, options, signal) {
    await this.words(picture, words, options, signal);
    const [width, height] = await sizeOf(picture);
    const document = await PDFDocument.create({ updateMetadata: false });
    document.addPage([(width * 72) / options.dpi, (height * 72) / options.dpi]).drawText('word', { x: 20, y: 20 });
    await writeFile(layer, await document.save());
  },
};

async function sizeOf(picture: string): Promise<readonly [number, number]> {
  const [, width = 1, height = 1] = (
    /^P5\s(\d+) (\d+)\s/.exec((await readFile(picture)).toString('latin1', 0, 40)) ?? []
  ).map(Number);
  return [width, height];
}
