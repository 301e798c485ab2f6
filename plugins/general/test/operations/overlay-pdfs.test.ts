import { openPdf } from '@quire/document/file/open';
import { readClaims } from '@quire/document/structure/metadata';
import { readFields } from '@quire/document/forms/fields';
import { readLayers } from '@quire/document/structure/layers';
import { readOutlines } from '@quire/document/structure/outlines';
import { runQpdf } from '@quire/document/engines/qpdf';
import { expectPdf, fakeFile, hostileFiles, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber, PDFString, rgb } from 'pdf-lib';
import { drawn } from './pixels.js';
import { fixture, run, type TestFile } from './support.js';

const pdf = async (name: string, pages: number, size: [number, number] = [200, 200]): Promise<TestFile> =>
  fakeFile(`${name}.pdf`, await makePdf({ pages, size, text: (page) => `${name}${page}` }));
const overlay = async (
  base: TestFile,
  overlayFiles: readonly TestFile[],
  params: Record<string, unknown>,
): Promise<Uint8Array> => {
  const { outputs, code, detail } = await run('general/overlay-pdfs', [base], params, { overlayFiles });
  if (outputs[0] === undefined) throw new Error(`${code}: ${detail}`);
  return outputs[0].bytes;
};
/** A page with a filled square in its lower left corner. */
async function marked(
  size: [number, number],
  colour: readonly [number, number, number],
  side: number,
  turn = 0,
): Promise<TestFile> {
  const document = await PDFDocument.create();
  const page = document.addPage(size);
  page.drawRectangle({ x: 0, y: 0, width: side, height: side, color: rgb(...colour) });
  page.node.set(PDFName.of('Rotate'), PDFNumber.of(turn));
  return fakeFile('marked.pdf', await document.save());
}

describe('overlay-pdfs', () => {
  const overlaysOf = async (bytes: Uint8Array): Promise<string[]> =>
    (await expectPdf(bytes)).text.map((text) => /[AB]\d/.exec(text)?.[0] ?? '-');

  it('uses the files one after another, page by page, and starts over', async () => {
    const bytes = await overlay(await pdf('base', 5), [await pdf('A', 2), await pdf('B', 1)], {
      overlayMode: 'SequentialOverlay',
    });
    expect(await overlaysOf(bytes)).to.deep.equal(['A1', 'A2', 'B1', 'A1', 'A2']);
  });

  it('interleaves the first pages of the files', async () => {
    const bytes = await overlay(await pdf('base', 5), [await pdf('A', 2), await pdf('B', 1)], {
      overlayMode: 'InterleavedOverlay',
      counts: '',
    });
    expect(await overlaysOf(bytes)).to.deep.equal(['A1', 'B1', 'A1', 'B1', 'A1']);
  });

  it('repeats each file by its count and leaves the rest of the base unchanged', async () => {
    const files = [await pdf('A', 2), await pdf('B', 1)];
    for (const counts of ['1,2', ['1', '2'], [1, 2]])
      expect(
        await overlaysOf(await overlay(await pdf('base', 6), files, { overlayMode: 'FixedRepeatOverlay', counts })),
      ).to.deep.equal(['A1', 'A1', 'B1', 'B1', '-', '-']);
  });

  it('keeps the text of the base and copies each overlay page once', async () => {
    const bytes = await overlay(await pdf('base', 3), [await pdf('A', 1)], { overlayMode: 'SequentialOverlay' });
    await expectPdf(bytes).pages(3).text(1, 'base1').text(3, 'base3');
    const {
      document: { context },
    } = await openPdf(bytes);
    expect(
      context.enumerateIndirectObjects().filter(([, object]) => String(object).includes('/Subtype /Form')),
    ).to.have.length(1);
  });

  it('puts overlays over the content for 0, and under it for any other position', async () => {
    const base = await marked([100, 100], [1, 0, 0], 60);
    const above = await marked([100, 100], [0, 0, 1], 40);
    const colours = async (overlayPosition: unknown): Promise<unknown> => {
      const [page] = await drawn(await overlay(base, [above], { overlayMode: 'SequentialOverlay', overlayPosition }));
      return [page?.at(20, 20), page?.at(50, 50), page?.at(80, 80)];
    };
    for (const position of [undefined, 0, '0'])
      expect(await colours(position)).to.deep.equal(['0000ff', 'ff0000', 'ffffff']);
    for (const position of [1, '2', -1]) expect(await colours(position)).to.deep.equal(['ff0000', 'ff0000', 'ffffff']);
  });

  it('centres the overlay on the visible base page, upright and unscaled', async () => {
    const mark = await marked([100, 60], [0, 0, 1], 20);
    const [cropped, turned, both, large] = await drawn(
      await overlay(await fixture('unusual-pages.pdf'), [mark], { overlayMode: 'SequentialOverlay' }),
    );
    // Visible pages of 300 x 400, 200 x 300, 300 x 260 and 400 x 300 points; the last has a unit of two points.
    expect(cropped?.at(100 + 10, 170 + 10)).to.equal('0000ff');
    expect(turned?.at(50 + 10, 120 + 10)).to.equal('0000ff');
    expect(both?.at(100 + 10, 100 + 10)).to.equal('0000ff');
    expect(large?.at((150 + 10) / 2, (120 + 10) / 2)).to.equal('0000ff');
    for (const [page, x, y] of [
      [cropped, 122, 170],
      [turned, 72, 120],
      [both, 122, 100],
    ] as const)
      expect(page?.at(x + 3, y + 10)).to.equal('ffffff');
  });

  it('shows rotated overlay pages upright', async () => {
    const [page] = await drawn(
      await overlay(await pdf('base', 1, [100, 100]), [await marked([60, 40], [0, 0, 1], 10, 90)], {
        overlayMode: 'SequentialOverlay',
      }),
    );
    // Visible size 40 x 60, its mark in the upper left.
    expect(page?.at(30 + 5, 80 - 5)).to.equal('0000ff');
    expect(page?.at(30 + 5, 20 + 5)).to.equal('ffffff');
  });

  it('keeps everything in the base and adds the layers of the overlay', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([100, 100]);
    const { context } = document;
    const layer = context.register(context.obj({ Type: 'OCG', Name: PDFString.of('Draft mark') }));
    document.catalog.set(
      PDFName.of('OCProperties'),
      context.obj({ OCGs: [layer], D: { OFF: [layer], Order: [layer] } }),
    );
    page.node.set(PDFName.of('Resources'), context.obj({ Properties: { L: layer } }));
    page.node.set(PDFName.of('Contents'), context.register(context.stream('/OC /L BDC 0 0 100 100 re f EMC')));
    const bytes = await overlay(await fixture('handbook.pdf'), [fakeFile('layer.pdf', await document.save())], {
      overlayMode: 'SequentialOverlay',
    });
    const { document: result } = await openPdf(bytes);
    expect(readLayers(result.context).map(({ name, shown }) => [name, shown])).to.deep.equal([['Draft mark', false]]);
    expect(readOutlines(result.context)).to.have.length(2);
    expect(readFields(result.context)).to.have.length(2);
    expect((await drawn(bytes))[0]?.at(150, 200), 'a hidden layer stays hidden').to.equal('ffffff');
  });

  it('keeps a PDF/A declaration only if all overlays have the same', async () => {
    const claiming = async (name: string, part: number | undefined): Promise<TestFile> => {
      const document = await PDFDocument.load(await makePdf({ pages: 1, size: [200, 200] }));
      const xmp =
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
        `xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>${part}</pdfaid:part><pdfaid:conformance>B` +
        '</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
      if (part !== undefined)
        document.catalog.set(
          PDFName.of('Metadata'),
          document.context.register(document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })),
        );
      return fakeFile(`${name}.pdf`, await document.save());
    };
    const claimsOver = async (...parts: (number | undefined)[]): Promise<string[]> => {
      const overlays = await Promise.all(parts.map((part) => claiming('overlay', part)));
      const { document } = await openPdf(
        await overlay(await claiming('base', 2), overlays, { overlayMode: 'SequentialOverlay' }),
      );
      return [...readClaims(document.context).keys()];
    };
    expect(await claimsOver(2, 2)).to.deep.equal(['PDF/A']);
    for (const parts of [[2, undefined], [3], [undefined]])
      expect(await claimsOver(...parts), parts.join()).to.deep.equal([]);
  });

  it('accepts overlays and bases that are encrypted without a user password', async () => {
    const { files } = await runQpdf(['--encrypt', '', 'owner', '256', '--', 'in.pdf', 'out.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: await makePdf({ pages: 1, size: [200, 200], text: 'A1' }) }],
      outputs: ['out.pdf'],
    });
    const locked = fakeFile('locked.pdf', files['out.pdf'] ?? new Uint8Array());
    expect(
      await overlaysOf(await overlay(await pdf('base', 2), [locked], { overlayMode: 'SequentialOverlay' })),
    ).to.deep.equal(['A1', 'A1']);
    expect(
      await overlaysOf(await overlay(locked, [await pdf('B', 1)], { overlayMode: 'SequentialOverlay' })),
    ).to.have.length(1);
  });

  it('names the second file if it is damaged or needs a password', async () => {
    const base = await pdf('base', 1);
    const locked = hostileFiles().find(({ title }) => /password|encrypt|lock/i.test(title));
    for (const [bad, code] of [
      [await fixture('broken.pdf'), 'PDF_DAMAGED'],
      [fakeFile('locked.pdf', locked?.bytes ?? new Uint8Array()), 'PDF_ENCRYPTED'],
    ] as const) {
      const refused = await run(
        'general/overlay-pdfs',
        [base],
        { overlayMode: 'SequentialOverlay' },
        { overlayFiles: [await pdf('A', 1), bad] },
      );
      expect(refused.code).to.equal(code);
      expect(refused.detail).to.include('overlayFiles');
    }
  });

  it('refuses invalid parameters, naming the field', async () => {
    const parts = { overlayFiles: [await pdf('A', 1), await pdf('B', 1)] };
    for (const [params, field] of [
      [{}, 'overlayMode'],
      [{ overlayMode: 'sequentialoverlay' }, 'overlayMode'],
      [{ overlayMode: 'FixedRepeatOverlay' }, 'counts'],
      [{ overlayMode: 'FixedRepeatOverlay', counts: '1' }, 'counts'],
      [{ overlayMode: 'FixedRepeatOverlay', counts: '1,2,3' }, 'counts'],
      [{ overlayMode: 'FixedRepeatOverlay', counts: '1,-2' }, 'counts/1'],
      [{ overlayMode: 'FixedRepeatOverlay', counts: '1,x' }, 'counts/1'],
      [{ overlayMode: 'SequentialOverlay', overlayPosition: '1.5' }, 'overlayPosition'],
    ] as const) {
      const { code, fields } = await run('general/overlay-pdfs', [await pdf('base', 2)], params, parts);
      expect([code, [...new Set(fields)]], JSON.stringify(params)).to.deep.equal(['INPUT_INVALID', [field]]);
    }
  });
});
