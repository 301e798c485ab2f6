import { readPdf } from '@quire/document/content/text';
import { renderPage } from '@quire/document/engines/rendering';
import { readQrCodes } from '@quire/document/images';
import { expectPdf, fakeContext, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { addQrCode } from '../../src/operations/add-qr-code.op.js';

/** Renders a page at 300 dpi and reads its QR codes. */
function codesOn(bytes: Uint8Array, page: number): Promise<string[]> {
  const size = { width: 2480, height: 3508 };
  return readPdf({ bytes }, (document) =>
    readQrCodes({ ...size, data: renderPage(document, page, { ...size, annotations: true }) }),
  );
}

describe('misc/add-qr-code', () => {
  it('draws a code that a scanner reads on the first page only, and keeps the text', async () => {
    const context = await fakeContext();
    const input = fakeFile('letter.pdf', await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }));
    const result = await addQrCode.run(input, { text: 'https://example.org/?q=äöü', size: 72 }, context);
    if ('json' in result) expect.fail('returned JSON');
    const [output] = result;
    if (output === undefined) expect.fail('returned no file');
    const bytes = await context.read(output);
    await expectPdf(bytes).pages(2).text(1, 'Dear customer').text(2, 'Yours');
    expect(await codesOn(bytes, 0)).to.deep.equal(['https://example.org/?q=äöü']);
    expect(await codesOn(bytes, 1)).to.deep.equal([]);
    await context.cleanup();
  });
});
