import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { asDict, asName, asNumber, entry, resolve } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { pageBox, pageRotation } from '@quire/document/structure/pages';
import { readOutlines } from '@quire/document/structure/outlines';
import { expect } from 'chai';
import type { PDFRawStream } from 'pdf-lib';
import { drawPage, fixture, pageText } from './recolour-support.js';

describe('scanner-effect over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let form: Uint8Array;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
    url = await server.start();
    form = await fixture('form.pdf');
  });
  after(() => server.stop());
  const call = (params: Record<string, unknown>, bytes = form): Promise<OperationAnswer> =>
    callOperation(url, { path: 'misc/scanner-effect', files: [{ name: 'form.pdf', bytes }], params });
  const pictures = async (bytes: Uint8Array): Promise<(string | number | undefined)[][]> => {
    const {
      document: { context },
      pages,
    } = await openPdf(bytes);
    return pages.map(({ dict }) => {
      const image = resolve(
        context,
        asDict(context, entry(asDict(context, entry(dict, 'Resources'))!, 'XObject'))!.values()[0],
      ) as PDFRawStream;
      return [
        asName(context, entry(image.dict, 'ColorSpace')),
        asName(context, entry(image.dict, 'Filter')),
        asNumber(context, entry(image.dict, 'Width')),
      ];
    });
  };

  it('returns a JPEG per page at the resolution of the quality, with the same page sizes and bookmarks', async () => {
    const answer = await call({ quality: 'medium', resolution: 72, rotation: 'none' });
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'form_scanner_effect.pdf']);
    expect(await pictures(answer.bytes)).to.deep.equal([
      ['DeviceGray', 'DCTDecode', 555],
      ['DeviceGray', 'DCTDecode', 402],
    ]);
    const [before, after] = [await openPdf(form), await openPdf(answer.bytes)];
    for (const [i, page] of after.pages.entries()) {
      expect([pageBox(after.document.context, page), pageRotation(after.document.context, page)]).to.deep.equal([
        pageBox(before.document.context, before.pages[i]!),
        pageRotation(before.document.context, before.pages[i]!),
      ]);
    }
    expect([(await pageText(answer.bytes)).trim(), readOutlines(after.document.context).length]).to.deep.equal(['', 1]);
    const { pixels } = await drawPage(answer.bytes);
    expect(new Set(pixels).size, 'levels between black and white').to.be.greaterThan(100);
  });

  it('uses the custom values with advancedEnabled, and is never the same twice', async () => {
    const params = {
      quality: 'high',
      rotation: 'severe',
      colorspace: 'color',
      advancedEnabled: true,
      resolution: 60,
      blur: 0,
      noise: 3,
      brightness: 1,
      contrast: 1,
      yellowish: 'on',
      border: 0,
      rotate: -8,
      rotateVariance: 0,
    };
    const [a, b] = await Promise.all([call(params), call(params)]);
    expect(await pictures(a.bytes)).to.deep.equal([
      ['DeviceRGB', 'DCTDecode', 400],
      ['DeviceRGB', 'DCTDecode', 290],
    ]);
    expect(Buffer.from(a.bytes).equals(Buffer.from(b.bytes))).to.equal(false);
  });

  it('names every invalid value', async () => {
    const wrong = {
      quality: 'HIGH',
      rotation: '',
      colorspace: 'sepia',
      border: -1,
      rotate: 'left',
      rotateVariance: 1.5,
      brightness: -1,
      contrast: 'x',
      blur: 101,
      noise: -1,
      yellowish: 'very',
      resolution: 0,
      advancedEnabled: 2,
    };
    const answer = await call(wrong);
    const fields = [
      ...new Set(answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer.slice(1))),
    ].sort();
    expect([answer.status, fields]).to.deep.equal([400, Object.keys(wrong).sort()]);
  });

  it("refuses a resolution above the server's maximum only if it is used", async () => {
    const answer = await call({ advancedEnabled: true, resolution: 501 });
    expect([answer.status, answer.code, answer.json<{ errors: unknown[] }>().errors]).to.deep.equal([
      400,
      'INPUT_INVALID',
      [{ pointer: '/resolution', detail: '"resolution" is 501; this server allows at most 500' }],
    ]);
    expect((await call({ resolution: 501, quality: 'low' })).status).to.equal(200);
    expect((await call({}, await fixture('header-only.pdf'))).code).to.equal('PDF_DAMAGED');
  });
});
