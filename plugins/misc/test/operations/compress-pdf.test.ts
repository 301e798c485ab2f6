import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import Joi from 'joi';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { compressPdf } from '../../src/operations/compress-pdf.op.js';

const picture = (): Promise<Uint8Array> => readFile(new URL('../../fixtures/picture.pdf', import.meta.url));
const validate = (params: Record<string, unknown>) => compressPdf.params(Joi).validate(params);

async function compress(
  params: Record<string, unknown>,
  pdf?: Uint8Array,
): Promise<{ bytes: Uint8Array; report: Readonly<Record<string, unknown>> }> {
  const context = await fakeContext();
  try {
    const { value, error } = validate(params);
    if (error !== undefined) throw error;
    if (compressPdf.files !== 'each') throw new Error('one file at a time');
    const result = await compressPdf.run(fakeFile('picture.pdf', pdf ?? (await picture())), value, context);
    if ('json' in result || result[0] === undefined) throw new Error('it gives one file');
    return { bytes: await context.read(result[0]), report: context.reports };
  } finally {
    await context.cleanup();
  }
}

/** A page of text on paper with grain, as a scanner stores it. */
async function scannedPdf(): Promise<Uint8Array> {
  const [width, height] = [1240, 1754];
  const lines = Array.from(
    { length: 34 },
    (_, i) =>
      `<text x="100" y="${120 + i * 44}" font-size="26" font-family="sans-serif">Paid ${i} times in full.</text>`,
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="#eee"/>${lines.join('')}</svg>`;
  const data = await sharp(Buffer.from(svg)).removeAlpha().blur(0.6).raw().toBuffer();
  for (let at = 0; at < data.length; at++) data[at] = data[at]! + ((at * 7919) % 11);
  const document = await PDFDocument.create();
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
  document.addPage([595, 842]).drawImage(await document.embedJpg(jpeg), { x: 0, y: 0, width: 595, height: 842 });
  return document.save();
}

describe('compress-pdf', () => {
  it('reports its results', async () => {
    const { bytes, report } = await compress({ optimizeLevel: '6' });
    expect(report).to.include({
      level: 6,
      achieved: true,
      unchanged: false,
      inputBytes: (await picture()).length,
      outputBytes: bytes.length,
    });
    expect(bytes.length).to.be.lessThan((await picture()).length);
  });

  it('reaches a target size', async () => {
    const { bytes, report } = await compress({ expectedOutputSize: '30 KB' });
    expect([report['achieved'], bytes.length <= 30 * 1024]).to.deep.equal([true, true]);
  });

  it('separates a scan from level 6 on, and says so', async () => {
    const scan = await scannedPdf();
    const { bytes, report } = await compress({ optimizeLevel: 6 }, scan);
    expect(report).to.include({ scans: 1, level: 6, outputBytes: bytes.length });
    expect(bytes.length).to.be.lessThan(scan.length / 8);
    expect((await compress({ optimizeLevel: 5 }, scan)).report).to.include({ scans: 0 });
    // Nothing is lost when the result is compressed again.
    const again = await compress({ optimizeLevel: 6 }, bytes);
    expect(again.report).to.include({ scans: 0 });
    expect(again.bytes.length).to.be.at.most(bytes.length);
  });

  it('treats an empty or one-character target as level mode', () => {
    for (const expectedOutputSize of ['', ' ', '5'])
      expect(validate({ expectedOutputSize }).value, `"${expectedOutputSize}"`)
        .to.include({ optimizeLevel: 5 })
        .and.not.have.property('expectedOutputSize');
  });

  it('limits the line art numbers to their range', () => {
    expect(validate({ lineArtThreshold: '170', lineArtEdgeLevel: '0' }).value).to.include({
      lineArtThreshold: 100,
      lineArtEdgeLevel: 1,
    });
  });

  it('refuses levels outside 1 to 9 and invalid target sizes', () => {
    for (const params of [
      { optimizeLevel: 0 },
      { optimizeLevel: 10 },
      { optimizeLevel: '5.5' },
      { expectedOutputSize: 'small' },
      { expectedOutputSize: '0KB' },
    ]) {
      expect(validate(params).error, JSON.stringify(params)).not.to.equal(undefined);
    }
  });
});
