import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { withDocument } from '../../document/engines/pdfium/index.js';
import { renderPage } from '../../document/engines/rendering/render-page.js';
import { sampleOf } from '../../test/suites/nightly.js';
import { carriers as otherCarriers, plantedPdf, STAYING } from './planted.js';
import { imageCarriers } from './planted-images.js';
import { readBack } from './read-back.js';

const WORD = 'Zanzibar';
const carriers = { ...otherCarriers, ...imageCarriers };

describe('words planted in every carrier', function () {
  this.timeout(300_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-security'] });
    url = await server.start();
  });
  after(() => server.stop());

  const redact = (bytes: Uint8Array, params: Record<string, unknown> = {}): Promise<OperationAnswer> =>
    callOperation(url, {
      path: 'security/auto-redact',
      files: [{ name: 'planted.pdf', bytes }],
      params: { listOfText: WORD, ...params },
      timeoutMs: 240_000,
    });
  const reportOf = (answer: OperationAnswer): Record<string, unknown> =>
    JSON.parse(String(answer.headers.get('x-tool-report'))) as Record<string, unknown>;

  // One of six alone, but in the nightly run all: the next test has all of them in one document.
  for (const [title, { plant, isShown }] of sampleOf(Object.entries(carriers), 6)) {
    it(`are gone from ${title}, and everything else stays`, async () => {
      const planted = await plantedPdf(WORD, [plant]);
      if (isShown !== true)
        expect((await readBack(planted, WORD, { withOcr: false })).places).not.to.deep.equal([], 'before');
      const answer = await redact(planted);
      expect(answer.status).to.equal(200);
      const { places, texts } = await readBack(answer.bytes, WORD, { withOcr: false });
      expect(places).to.deep.equal([]);
      for (const [reader, text] of Object.entries(texts)) expect(text, reader).to.include(STAYING);
      if (isShown === true) expect(reportOf(answer).matches).to.equal(1);
    });
  }

  it('are gone for every reader and for OCR when one document has all carriers, as text and as images', async () => {
    const planted = await plantedPdf(
      WORD,
      Object.values(carriers).map(({ plant }) => plant),
    );
    const shown = await readBack(planted, WORD, { withOcr: true });
    if (shown.texts.OCR !== undefined) expect(shown.places).to.include('OCR');
    for (const convertPDFToImage of [false, true]) {
      const answer = await redact(planted, { convertPDFToImage });
      expect(answer.status).to.equal(200);
      const { places, texts } = await readBack(answer.bytes, WORD, { withOcr: true });
      expect(places).to.deep.equal([]);
      if (texts.OCR !== undefined) expect(texts.OCR).to.include(STAYING);
    }
  });

  it('leave pictures as they were, but for differences that nobody sees', async () => {
    const planted = await plantedPdf(
      WORD,
      Object.values(imageCarriers).map(({ plant }) => plant),
    );
    const { bytes } = await redact(planted);
    const [before, after] = [await pixelsOf(planted), await pixelsOf(bytes)];
    expect(after.length).to.equal(before.length);
    const largest = before.reduce((most, pixel, i) => Math.max(most, Math.abs(pixel - after[i]!)), 0);
    expect(largest).to.be.within(1, 16);
  });

  for (const keyLength of [40, 128, 256]) {
    it(`are gone from the identifier of a file encrypted with ${keyLength} bits, whose passwords stay`, async () => {
      const planted = await plantedPdf(WORD, [carriers['the file identifier']!.plant]);
      const call = (path: string, bytes: Uint8Array, params: Record<string, unknown>): Promise<OperationAnswer> =>
        callOperation(url, { path: `security/${path}`, files: [{ name: 'a.pdf', bytes }], params });
      const locked = await call('add-password', planted, { ownerPassword: 'owner', keyLength });
      expect((await readBack(locked.bytes, WORD, { withOcr: false })).places, 'before').not.to.deep.equal([]);
      const answer = await redact(locked.bytes, { listOfText: `${WORD}\nbread` });
      expect(answer.status).to.equal(200);
      const { places, texts } = await readBack(answer.bytes, WORD, { withOcr: false });
      expect(places).to.deep.equal([]);
      for (const [reader, text] of Object.entries(texts)) expect(text, reader).to.include(STAYING);
      expect(await isEncrypted(answer.bytes)).to.equal(true);
      const free = await call('remove-password', answer.bytes, { password: 'owner' });
      expect([free.status, await isEncrypted(free.bytes)]).to.deep.equal([200, false]);
    });
  }

  it('are named in the report and in a warning where an image cannot be changed or searched', async () => {
    const image = { Type: 'XObject', Subtype: 'Image', BitsPerComponent: 1, ColorSpace: 'DeviceGray' };
    const coded = { ...image, Width: 8, Height: 8, Filter: 'CCITTFaxDecode' };
    const large = { ...image, Width: 60_000, Height: 1000 };
    const planted = await plantedPdf(WORD, [
      ({ context, resources }) => {
        resources.XObject = {
          A: context.register(context.stream(Buffer.from(WORD), coded)),
          B: context.register(context.flateStream(Buffer.alloc(7_500_000), large)),
        };
      },
    ]);
    const answer = await redact(planted);
    const kept = ['samples of 1 image, which cannot be searched', 'data of 1 image that cannot be changed'];
    expect(reportOf(answer)).to.deep.equal({ matches: 0, kept });
    expect(decodeURIComponent(answer.headers.get('x-warnings') ?? '')).to.include(kept[1]);
  });

  it('are renamed again in a document that was redacted before', async () => {
    const planted = await plantedPdf(WORD, [carriers['resource names']!.plant]);
    const once = await redact(planted, { listOfText: 'nothing\nZanzi', wholeWordSearch: false });
    const { texts } = await readBack((await redact(once.bytes, { listOfText: 'redacted' })).bytes, 'redacted', {
      withOcr: false,
    });
    expect(texts.PDFium).to.include('Named font');
  });

  it('are refused with verify=ocr where only a picture shows them, and reported as unseen without it', async () => {
    const picture = await picturePdf();
    const unseen = await redact(picture);
    expect([unseen.status, reportOf(unseen)]).to.deep.equal([200, { matches: 0 }]);
    const answer = await redact(picture, { verify: 'ocr' });
    expect([answer.status, answer.code]).to.deep.equal([422, 'REDACTION_INCOMPLETE']);
    expect(answer.json<{ detail: string }>().detail).to.include('OCR on page 1');
    expect((await redact(picture, { listOfText: 'Timbuktu', verify: 'OCR' })).status).to.equal(200);
    const both = await plantedPdf(WORD, [carriers['letters drawn by glyphs of a Type 3 font']!.plant]);
    expect((await redact(both, { verify: 'ocr' })).status).to.equal(200);
  });

  it('are refused with verify=ocr in redact-execute too, and unknown values are named', async () => {
    const file = { name: 'picture.pdf', bytes: await picturePdf() };
    const call = (params: Record<string, unknown>): Promise<OperationAnswer> =>
      callOperation(url, { path: 'security/redact-execute', files: [file], params: { textValues: WORD, ...params } });
    expect((await call({ verify: 'ocr' })).code).to.equal('REDACTION_INCOMPLETE');
    expect((await call({ verify: 'ocr', languages: 'xxx' })).code).to.equal('OCR_LANGUAGES_UNKNOWN');
    const { errors } = (await call({ verify: 'twice' })).json<{ errors: { pointer: string }[] }>();
    expect(errors.map(({ pointer }) => pointer)).to.deep.equal(['/verify']);
  });

  it('cannot be searched in fonts without meaning: the report and a warning name these', async () => {
    const bytes = await plantedPdf(WORD, [
      ({ context, resources, line }) => {
        const Differences = [0x41, PDFName.of('g1'), PDFName.of('g2')];
        const font = { Type: 'Font', Subtype: 'Type1', BaseFont: 'ABCDEF+Riddle', FirstChar: 65, LastChar: 66 };
        const dict = context.obj({ ...font, Widths: [500, 500], Encoding: { Differences } } as never);
        resources.Font!.X = context.register(dict);
        line('/X 12 Tf (ABA) Tj');
      },
    ]);
    const answer = await redact(bytes);
    expect(reportOf(answer)).to.deep.equal({ matches: 0, unreadable: 3, unreadableFonts: ['Riddle'] });
    expect(decodeURIComponent(answer.headers.get('x-warnings') ?? '')).to.match(/3 characters.*Riddle/);
  });

  it('stay in names of standard fonts, which only viewers have: the report and a warning say so', async () => {
    const answer = await redact(await plantedPdf(WORD, []), { listOfText: 'Helvetica' });
    expect(reportOf(answer)).to.deep.equal({ matches: 0, kept: ['standard font Helvetica'] });
    expect(decodeURIComponent(answer.headers.get('x-warnings') ?? '')).to.include('standard font Helvetica');
  });
});

async function pixelsOf(bytes: Uint8Array): Promise<Uint8Array> {
  return withDocument(bytes, {}, (document) =>
    renderPage(document, 0, { width: 800, height: 600, annotations: false }),
  );
}

async function isEncrypted(bytes: Uint8Array): Promise<boolean> {
  const document = await PDFDocument.load(bytes, { ignoreEncryption: true });
  return document.isEncrypted;
}

/** A page that is one picture of the word. */
async function picturePdf(): Promise<Uint8Array> {
  const page = await plantedPdf(WORD, [({ line, word }) => line(`/H 24 Tf (${word} in print) Tj`)]);
  const size = { width: 1200, height: 900 };
  const pixels = await withDocument(page, {}, (drawn) =>
    renderPage(drawn, 0, { ...size, annotations: false, grey: true }),
  );
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const { node } = document.addPage([400, 300]);
  const image = context.register(
    context.flateStream(pixels, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: size.width,
      Height: size.height,
      BitsPerComponent: 8,
      ColorSpace: 'DeviceGray',
    }),
  );
  node.set(PDFName.of('Resources'), context.obj({ XObject: { I: image } }));
  node.set(PDFName.of('Contents'), context.register(context.stream('q 400 0 0 300 0 0 cm /I Do Q')));
  return document.save();
}
