import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, StandardFonts, degrees } from 'pdf-lib';

type Line = readonly [text: string, size: number];

/** A document with these lines, from the top of a page down; a new page for each list. */
async function lines(pages: readonly (readonly Line[])[], scale = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle('Title of the metadata');
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const list of pages) {
    const page = document.addPage([1400, 2000]);
    page.scaleContent(scale, scale);
    let y = 1950;
    for (const [text, size] of list) {
      y -= size + 6;
      page.drawText(text, { x: 20, y, size, font });
    }
  }
  return document.save();
}

describe('auto-rename over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });

  const call = (bytes: Uint8Array, params: Record<string, unknown> = {}): Promise<OperationAnswer> =>
    callOperation(server.url, { path: 'misc/auto-rename', files: [{ name: 'scan 7.pdf', bytes }], params });
  const nameOf = async (bytes: Uint8Array, params: Record<string, unknown> = {}): Promise<string | undefined> =>
    (await call(bytes, params)).fileName;

  it('uses the first group of largest lines, joined, and returns the document byte for byte', async () => {
    const bytes = await lines([
      [
        ['Department of Things', 12],
        ['Annual Report', 30],
        ['for the Year', 30],
        ['body', 11],
        ['Another large line', 30],
      ],
      [['x', 9]],
    ]);
    const answer = await call(bytes);
    expect([answer.status, answer.fileName, Buffer.from(answer.bytes).equals(Buffer.from(bytes))]).to.deep.equal([
      200,
      'Annual Report for the Year.pdf',
      true,
    ]);
    expect(await nameOf(await lines([[['small', 9]], [['Large on page two', 20]]]))).to.equal('Large on page two.pdf');
  });

  it('compares the visible font size, not the one in the operators', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([600, 800]);
    page.drawText('Written large', { x: 20, y: 700, size: 20, font });
    const form = await PDFDocument.load(await lines([[['Shown large', 8]]]));
    page.drawPage(await document.embedPage(form.getPage(0)), { x: 0, y: -5000, xScale: 3, yScale: 3 });
    expect(await nameOf(await document.save())).to.equal('Shown large.pdf');
  });

  it('removes characters that file names cannot contain', async () => {
    expect(
      await nameOf(
        await lines([
          [
            ['  a/b\\c?d%e*f:g|h"i<j>k  ', 20],
            ['body', 9],
          ],
        ]),
      ),
    ).to.equal('abcdefghijk.pdf');
  });

  it('searches only the first 200 lines', async () => {
    const body = Array.from({ length: 100 }, (_none, i): Line => [`line ${i}`, 10]);
    expect(await nameOf(await lines([[['Title', 12], ...body.slice(1)], body, [['Too late', 40]]]))).to.equal(
      'Title.pdf',
    );
  });

  it('keeps the name without text or with a title of 255 characters, unless the fallback is set', async () => {
    expect(await nameOf(await lines([[]]))).to.equal('scan 7.pdf');
    expect(
      await nameOf(
        await lines([
          [
            ['???', 20],
            ['fine', 9],
          ],
        ]),
      ),
    ).to.equal('scan 7.pdf');
    expect(
      await nameOf(
        await lines([
          [
            ['???', 20],
            ['fine', 9],
          ],
        ]),
        { useFirstTextAsFallback: true },
      ),
    ).to.equal('fine.pdf');
    const long = await lines([
      [['first', 5], ...Array.from({ length: 9 }, (): Line => ['word '.repeat(6).trim(), 20])],
    ]);
    expect(await nameOf(long)).to.equal('scan 7.pdf');
    expect(await nameOf(long, { useFirstTextAsFallback: 'yes' })).to.equal('first.pdf');
  });

  it('reads rotated pages, and keeps signatures, because nothing is written', async () => {
    const document = await PDFDocument.load(
      await lines([
        [
          ['Turned title', 24],
          ['body', 9],
        ],
      ]),
    );
    document.getPage(0).setRotation(degrees(90));
    const answer = await call(await document.save());
    expect([answer.fileName, answer.headers.get('x-effects')]).to.deep.equal(['Turned title.pdf', null]);
  });

  it('renames files in a pipeline too, and refuses files that are not PDFs', async () => {
    const form = new FormData();
    form.append('fileInput', new Blob([Uint8Array.from(await lines([[['My_Title_here', 20]]]))]), 'a.pdf');
    form.append('json', JSON.stringify({ pipeline: [{ operation: '/api/v1/misc/auto-rename', parameters: {} }] }));
    const response = await fetch(`${server.url}/api/v1/pipeline/handleData`, { method: 'POST', body: form });
    expect(response.headers.get('content-disposition')).to.contain('My_Title_here.pdf');
    expect((await call(new TextEncoder().encode('no pdf'))).status).to.be.oneOf([400, 415]);
    expect((await call(await lines([[['a', 9]]]), { useFirstTextAsFallback: 'perhaps' })).status).to.equal(400);
  });
});
