import { readFile } from 'node:fs/promises';
import { createTestServer, type QuireServer } from '@quire/core';
import { listImages } from '@quire/document/images';
import { openPdf } from '@quire/document/file/open';
import { withRenderable } from '@quire/document/engines/rendering';
import { callOperation, expectPdf, type OperationAnswer, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { HEIGHT, type KnownWord, prose, scanned, typeset, WIDTH } from '../pictures/scanned-text.js';
import { compareWords, wordBoxes } from '../pictures/word-boxes.js';

type Form = Record<string, unknown>;
const textOf = (pdf: Uint8Array, page = 0): Promise<string> =>
  withRenderable(pdf, (document) => document.pageText(page));
const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;
const faultyField = (answer: OperationAnswer): string | undefined =>
  answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
const beginsWith = (whole: Uint8Array, part: Uint8Array): boolean =>
  Buffer.compare(whole.subarray(0, part.length), part) === 0;
const imagesIn = async (pdf: Uint8Array): Promise<{ filter: string; bytes: number }[]> => {
  const {
    document: { context },
    pages,
  } = await openPdf(pdf);
  return [...listImages(context, pages)].map(({ stream }) => ({
    filter: String(stream.dict.get(PDFName.of('Filter'))),
    bytes: stream.contents.length,
  }));
};
const fontsIn = async (pdf: Uint8Array, subtype = 'Type0'): Promise<number> => {
  const { context } = await PDFDocument.load(pdf);
  return context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFDict && object.get(PDFName.of('Subtype')) === PDFName.of(subtype))
    .length;
};

describe('misc/ocr-pdf', function suite() {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let pages: { readonly pdf: Uint8Array; readonly words: readonly KnownWord[] };
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
    url = await server.start();
    pages = await typeset(prose(80));
  });
  after(() => server.stop());

  const call = (bytes: Uint8Array, params: Form = {}, at = url): Promise<OperationAnswer> =>
    callOperation(at, {
      path: 'misc/ocr-pdf',
      files: [{ name: 'paper.pdf', bytes }],
      params: { languages: 'eng', ...params },
    });
  const good = async (bytes: Uint8Array, params: Form = {}, at = url): Promise<OperationAnswer> => {
    const answer = await call(bytes, params, at);
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, answer.status === 200 ? 0 : 600))).to.equal(
      200,
    );
    return answer;
  };

  it('places the text exactly over the words, whatever the rotation, and keeps the page content', async () => {
    const ways = [{}, { rotate: 90, margin: 30 }, { rotate: 180 }, { rotate: 270, margin: 12 }] as const;
    const input = await scanned(
      ways.map(() => pages.pdf),
      ways,
    );
    const answer = await good(input);
    expect([
      answer.fileName,
      report(answer)['read'],
      report(answer)['withText'],
      report(answer)['pictures'],
    ]).to.deep.equal(['paper_OCR.pdf', 4, 4, 0]);
    expect(beginsWith(answer.bytes, input), 'is appended').to.equal(true);
    expect(answer.bytes.length - input.length, 'growth').to.be.lessThan(4 * 6000);
    expect(await fontsIn(answer.bytes), 'one font').to.equal(1);
    for (const [i] of ways.entries()) {
      const { share, edges, heights } = compareWords(pages.words, wordBoxes(answer.bytes, i + 1));
      expect(share, `words found on page ${i + 1}`).to.be.at.least(0.95);
      expect(Math.max(edges, heights), `points off on page ${i + 1}`).to.be.lessThan(1.5);
    }
    const lines = (await textOf(answer.bytes)).split(/\r?\n/);
    expect(lines)
      .to.include('Ships arriving on Monday carried timber,')
      .and.to.include('Numbers: 1234567890, 3.14159 and 27%.');
  });

  it('reads a single full page on several cores, each line once, in order and in its place', async () => {
    const full = await typeset([...prose(50), ...prose(235), ...prose(415)]);
    const answer = await good(await scanned([full.pdf], { dpi: 250 }), { sidecar: true });
    const files = new Map(readZip(answer.bytes).map(({ name, bytes }) => [name, bytes]));
    const pdf = files.get('paper_OCR.pdf') ?? new Uint8Array();
    const { share, edges, heights } = compareWords(full.words, wordBoxes(pdf, 1));
    expect(share, 'words found').to.be.at.least(0.95);
    expect(Math.max(edges, heights), 'points off').to.be.lessThan(1.5);
    const text = new TextDecoder().decode(files.get('paper_OCR.txt'));
    const lines = text.split('\n').filter((line) => line.startsWith('Ships arriving'));
    expect(lines).to.have.length(3);
    expect(text.match(/where the salt went|harbour office/g)).to.deep.equal([
      'harbour office',
      'where the salt went',
      'harbour office',
      'where the salt went',
      'harbour office',
      'where the salt went',
    ]);
  });

  it('straightens a page without changing its image, and fits the text to it', async () => {
    const input = await scanned([pages.pdf, pages.pdf], [{ skew: 2 }, { skew: -1.2, rotate: 90, margin: 20 }]);
    const answer = await good(input, { deskew: true });
    expect([report(answer)['turned'], report(answer)['pictures']]).to.deep.equal([2, 0]);
    expect(await imagesIn(answer.bytes)).to.deep.equal(await imagesIn(input));
    for (const page of [1, 2]) {
      const { share, edges, heights } = compareWords(pages.words, wordBoxes(answer.bytes, page));
      expect(share, `words found on page ${page}`).to.be.at.least(0.95);
      expect(Math.max(edges, heights), `points off on page ${page}`).to.be.lessThan(2);
    }
  });

  it('fits the text to lines that stay skewed, with a unit of two points', async () => {
    const answer = await good(await scanned([pages.pdf], { skew: 1, userUnit: 2 }));
    const [sin, cos] = [Math.sin(Math.PI / 180), Math.cos(Math.PI / 180)];
    const turned = pages.words.map(({ text, box: [l, t, r, b] }): KnownWord => {
      const [x, y] = [(l + r) / 2 - WIDTH / 2, (t + b) / 2 - HEIGHT / 2];
      const [middleX, middleY] = [x * cos - y * sin + WIDTH / 2, x * sin + y * cos + HEIGHT / 2];
      return {
        text,
        box: [middleX - (r - l) / 2, middleY - (b - t) / 2, middleX + (r - l) / 2, middleY + (b - t) / 2],
      };
    });
    // Poppler returns boxes in units of the page.
    const found = wordBoxes(answer.bytes, 1).map(({ text, box: [l, t, r, b] }): KnownWord => ({
      text,
      box: [l * 2, t * 2, r * 2, b * 2],
    }));
    const { share, edges, heights } = compareWords(turned, found);
    expect(share).to.be.at.least(0.95);
    expect(Math.max(edges, heights)).to.be.lessThan(2);
  });

  it('leaves pages with text alone, and returns the text of all pages with the document', async () => {
    const document = await PDFDocument.load(pages.pdf);
    document.setTitle('Papers');
    const column = [
      'begins with a short word',
      'that is followed by others',
      'until the line is full and',
      'the next one can be set in',
      'the same way as all above',
      'until nothing more is left.',
    ];
    const { pdf } = await typeset([
      ...column.map((text, i) => ({ text: i === 0 ? `Apple ${text}` : text, x: 40, y: 100 + i * 15, size: 11 })),
      ...column.map((text, i) => ({ text: i === 0 ? `Pear ${text}` : text, x: 240, y: 100 + i * 15, size: 11 })),
    ]);
    const [scan] = await document.copyPages(await PDFDocument.load(await scanned([pdf], { dpi: 250 })), [0]);
    document.addPage(scan);
    const input = await document.save({ useObjectStreams: false });
    for (const ocrType of ['skip-text', 'Normal', undefined]) {
      const answer = await good(input, { ocrType, sidecar: ocrType === 'skip-text' });
      expect([report(answer)['read'], report(answer)['pages']], ocrType).to.deep.equal([1, 2]);
      if (ocrType !== 'skip-text') continue;
      expect([answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        'paper_OCR.zip',
        'application/octet-stream',
      ]);
      const [pdfEntry, textEntry] = readZip(answer.bytes);
      expect([pdfEntry?.name, textEntry?.name]).to.deep.equal(['paper_OCR.pdf', 'paper_OCR.txt']);
      expect(beginsWith(pdfEntry!.bytes, input)).to.equal(true);
      const [first = '', second = ''] = new TextDecoder().decode(textEntry!.bytes).split('\f');
      expect(first).to.include('and nobody asked where the salt went.');
      expect(second.replace(/\s+/g, ' ').trim()).to.equal(
        ['Apple', 'Pear'].map((fruit) => `${fruit} ${column.join(' ')}`).join(' '),
      );
      await expectPdf(pdfEntry!.bytes).pages(2);
    }
  });

  it('converts pages with visible text to images with force-ocr, within the size limit, and keeps links', async () => {
    const document = await PDFDocument.load(pages.pdf);
    const page = document.getPage(0);
    page.node.set(
      PDFName.of('Annots'),
      document.context.obj([
        document.context.register(
          document.context.obj({
            Type: 'Annot',
            Subtype: 'Link',
            Rect: [50, 500, 200, 520],
            A: { S: 'URI', URI: PDFString.of('https://example.com/') },
          }),
        ),
      ]),
    );
    const input = await document.save();
    const answer = await good(input, { ocrType: 'force-ocr' });
    expect(report(answer)['pictures']).to.equal(1);
    expect(answer.bytes.length).to.be.lessThan(input.length * 1.5 + 100 * 1024);
    expect(compareWords(pages.words, wordBoxes(answer.bytes, 1))).to.satisfy(
      ({ share, edges }: { share: number; edges: number }) => share >= 0.95 && edges < 1.5,
    );
    expect((await textOf(answer.bytes)).match(/Quarterly/g)).to.have.length(1);
    const {
      document: { context },
      pages: [read],
    } = await openPdf(answer.bytes);
    expect(String(context.lookup(read!.dict.get(PDFName.of('Annots'))))).to.not.equal('undefined');
    expect(await fontsIn(answer.bytes, 'Type1'), 'fonts of the visible text').to.equal(0);
    expect((await imagesIn(answer.bytes)).map(({ filter }) => filter)).to.deep.equal(['/CCITTFaxDecode']);
  });

  it('replaces an old text layer by a new one, and keeps the image', async () => {
    const input = await scanned([pages.pdf]);
    const once = (await good(input, { ocrRenderType: 'sandwich' })).bytes;
    expect((await textOf(once)).match(/Quarterly/g)).to.have.length(1);
    expect(compareWords(pages.words, wordBoxes(once, 1)).share).to.be.at.least(0.95);
    const twice = await good(once, { ocrType: 'force-ocr' });
    expect(report(twice)['pictures']).to.equal(0);
    expect((await textOf(twice.bytes)).match(/Quarterly/g)).to.have.length(1);
    expect(await imagesIn(twice.bytes)).to.deep.equal(await imagesIn(input));
    expect(await fontsIn(twice.bytes), 'one font').to.equal(1);
    const skipped = await good(once);
    expect([report(skipped)['read'], skipped.bytes.length - once.length < 1000]).to.deep.equal([0, true]);
  });

  it('cleans the images of the result, and removes all images when asked', async () => {
    const input = await scanned([pages.pdf], { paper: 205, noise: 40, skew: 1 });
    const clean = await good(input, { cleanFinal: true, deskew: true });
    expect([
      report(clean)['pictures'],
      report(clean)['turned'],
      compareWords(pages.words, wordBoxes(clean.bytes, 1)).share >= 0.95,
    ]).to.deep.equal([1, 1, true]);
    expect(clean.bytes.length).to.be.lessThan(input.length);
    const corner = await withRenderable(clean.bytes, async (document) =>
      (await import('@quire/document/engines/rendering'))
        .renderPage(document, 0, { width: 210, height: 297, annotations: false })
        .subarray(4 * 210 * 280, 4 * 210 * 281),
    );
    expect(Math.min(...corner), 'paper is white').to.be.greaterThan(250);
    const bare = await good(input, { removeImagesAfter: true, clean: true });
    expect([await imagesIn(bare.bytes), report(bare)['imagesRemoved']]).to.deep.equal([[], 1]);
    expect(await textOf(bare.bytes)).to.include('Quarterly report');
  });

  it('reads several languages, however they are sent, and skips those that are not installed', async () => {
    const { pdf } = await typeset([
      { text: 'Die Größe der Straße überraschte', x: 40, y: 100, size: 14 },
      { text: 'and the captain was amused', x: 40, y: 130, size: 14 },
    ]);
    const input = await scanned([pdf], { dpi: 250 });
    const answer = await good(input, { languages: ['deu,zzz', 'eng'] });
    expect([report(answer)['languages'], report(answer)['dropped']]).to.deep.equal(['deu+eng', 'zzz']);
    expect((await textOf(answer.bytes)).replace(/\s+/g, ' ')).to.include(
      'Die Größe der Straße überraschte and the captain was amused',
    );
    const skipped = await good(pages.pdf, { languages: 'eng+deu' });
    expect(report(skipped)['languages']).to.equal('eng+deu');
  });

  it('refuses missing languages, languages that are not installed, and invalid values, naming the field', async () => {
    const unknown = await call(pages.pdf, { languages: ['zzz', '../eng'] });
    expect([
      unknown.status,
      unknown.code,
      faultyField(unknown),
      unknown.json<{ errorCode: string }>().errorCode,
    ]).to.deep.equal([400, 'OCR_LANGUAGES_UNKNOWN', '/languages', 'E041']);
    expect(unknown.json<{ detail: string }>().detail).to.include('eng');
    for (const [params, field] of [
      [{ languages: undefined }, '/languages'],
      [{ languages: ' , ' }, '/languages'],
      [{ ocrRenderType: 'visible' }, '/ocrRenderType'],
      [{ ocrType: 'all' }, '/ocrType'],
      [{ sidecar: 'perhaps' }, '/sidecar'],
    ] as const) {
      const answer = await call(pages.pdf, params);
      expect([answer.status, faultyField(answer)], JSON.stringify(params)).to.deep.equal([400, field]);
    }
    expect([
      (await call(new TextEncoder().encode('%PDF-1.7\nbroken'))).status,
      (await call(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82))).status,
    ]).to.deep.equal([400, 415]);
  });

  it('refuses pages that have too many pixels at any resolution', async () => {
    const document = await PDFDocument.create();
    document.addPage([14_400, 14_400]);
    const answer = await call(await document.save());
    expect([answer.status, answer.code]).to.deep.equal([400, 'IMAGE_TOO_LARGE']);
  });

  it('keeps signatures valid if it appends, and refuses signed documents otherwise', async () => {
    const signed = new Uint8Array(await readFile(new URL('../../../signing/fixtures/signed.pdf', import.meta.url)));
    expect(beginsWith((await good(signed)).bytes, signed)).to.equal(true);
    for (const params of [{ ocrType: 'force-ocr' }, { cleanFinal: true }, { removeImagesAfter: true }])
      expect((await call(signed, params)).code, JSON.stringify(params)).to.equal('PDF_SIGNED');
  });

  it('is a pipeline step whose result continues as a document, with its text next to it', async () => {
    const json = JSON.stringify({
      name: 'p',
      pipeline: [
        { operation: '/api/v1/misc/ocr-pdf', parameters: { languages: ['eng'], sidecar: true } },
        { operation: '/api/v1/misc/repair', parameters: {} },
      ],
    });
    const answer = await callOperation(url, {
      path: '/api/v1/pipeline/handleData',
      files: [{ name: 'paper.pdf', bytes: pages.pdf }],
      params: { json },
    });
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, answer.status === 200 ? 0 : 400))).to.equal(
      200,
    );
    expect(new TextDecoder('latin1').decode(answer.bytes.subarray(0, 5))).to.equal('%PDF-');
  });

  it('lists the languages', async () => {
    const { languages } = (await (await fetch(`${url}/api/v1/ui-data/ocr-pdf`)).json()) as { languages: string[] };
    expect(languages).to.include('eng').and.to.include('deu').and.not.to.include('osd');
    expect(languages).to.deep.equal([...languages].sort());
  });

  it('works without the program, with the engine from npm', async () => {
    const bare = await createTestServer({
      plugins: ['@quire/plugin-misc'],
      settings: { endpoints: { groupsToRemove: ['tesseract'] } },
    });
    try {
      const at = await bare.start();
      const answer = await good(await scanned([pages.pdf]), {}, at);
      expect(report(answer)['engine']).to.equal('tesseract.js');
      const { share, edges, heights } = compareWords(pages.words, wordBoxes(answer.bytes, 1));
      expect([share >= 0.95, edges < 1.5, heights < 1.5]).to.deep.equal([true, true, true]);
      expect(await (await fetch(`${at}/api/v1/ui-data/ocr-pdf`)).json())
        .to.have.property('languages')
        .that.includes('eng');
    } finally {
      await bare.stop();
    }
  });
});
