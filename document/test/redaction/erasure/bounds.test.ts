import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import type { Quad } from '../../../content/index.js';
import { editBytes } from '../../../file/open/index.js';
import { removeAreas, wipePages } from '../../../redaction/erasure/index.js';
import { form, pageOf } from '../../content/support.js';
import { everythingIn } from '../../support.js';
import { box, compare, picture, redact, textOf } from './support.js';

/** Creates a document with many pages of text. */
async function book(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let i = 0; i < pages; i++) {
    const page = document.addPage([200, 200]);
    for (let line = 0; line < 12; line++)
      page.drawText(`page ${i} line ${line} of the book`, { x: 10, y: 180 - line * 14, size: 10, font });
  }
  return document.save();
}

describe('limits of removeAreas', () => {
  it('ends for forms, masks and patterns that draw themselves', async () => {
    const document = await pageOf('/Fm Do /Gs gs /Pattern cs /Pt scn 0 0 200 200 re f', (context) => {
      const [self, mask, cell] = [context.nextRef(), context.nextRef(), context.nextRef()];
      const states = { Gs: { SMask: { S: 'Alpha', G: mask } } };
      const resources = {
        XObject: { Fm: self },
        ExtGState: states,
        Pattern: { Pt: cell },
        Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } },
      };
      const content = 'BT /F1 12 Tf 10 100 Td (LOOP) Tj ET /Gs gs /Pattern cs /Pt scn 0 0 200 200 re f /Fm Do';
      context.assign(
        self,
        context.stream(content, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: resources,
        } as never),
      );
      context.assign(
        mask,
        context.stream(content, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: resources,
        } as never),
      );
      context.assign(
        cell,
        context.stream(content, {
          PatternType: 1,
          PaintType: 1,
          TilingType: 1,
          BBox: [0, 0, 200, 200],
          XStep: 200,
          YStep: 200,
          Resources: resources,
        } as never),
      );
      return { XObject: { Fm: self }, ExtGState: states, Pattern: { Pt: cell } };
    });
    const { counts } = await redact(document, [box(5, 95, 60, 115)]);
    expect(counts.glyphs).to.be.greaterThan(3);
  });

  it('accepts ten thousand areas at once', async () => {
    const quads = Array.from({ length: 10_000 }, (_none, i): Quad =>
      box((i % 100) * 2, Math.floor(i / 100) * 2, (i % 100) * 2 + 1, Math.floor(i / 100) * 2 + 1),
    );
    const content = '0.5 g 0 0 200 200 re f 1 w 0 0 m 200 190 l S BT /F1 12 Tf 10 100 Td (SECRET) Tj ET';
    const { said, bytes } = await redact(await pageOf(content), quads);
    expect(said).not.to.include('SECRET');
    expect(compare(await picture(bytes), await picture(bytes), [box(0, 0, 1, 1)], { grow: 0.3 }).inside).to.equal(0);
  }).timeout(60_000);

  it('changes no page without an area', async () => {
    const input = await book(300);
    let progress = 0;
    const bytes = await editBytes(input, { mode: 'rewrite', repair: false }, async (opened) => {
      const areas = new Map(
        opened.pages.filter((_page, i) => i % 10 === 3).map((page) => [page.dict, [{ quad: box(0, 176, 200, 196) }]]),
      );
      const contents = opened.pages.map(({ dict }) => dict.get(PDFName.of('Contents')));
      const { pages } = await removeAreas(opened, areas, { onProgress: () => progress++ });
      expect(pages.size).to.equal(30);
      opened.pages.forEach(({ dict }, i) =>
        expect(dict.get(PDFName.of('Contents')) === contents[i], String(i)).to.equal(i % 10 !== 3),
      );
    });
    expect(progress).to.equal(30);
    const text = textOf(bytes);
    expect(text).to.include('page 4 line 0').and.to.include('page 3 line 1').and.not.to.include('page 3 line 0');
  });

  it('stops when its signal is aborted', async () => {
    const stop = new AbortController();
    let done = 0;
    const run = editBytes(await book(5), { mode: 'rewrite', repair: false }, async (opened) => {
      const areas = new Map(opened.pages.map((page) => [page.dict, [{ quad: box(0, 0, 200, 200) }]]));
      await removeAreas(opened, areas, {
        signal: stop.signal,
        onProgress: () => {
          done++;
          stop.abort();
        },
      });
    });
    expect(
      await run.then(
        () => 'went on',
        () => 'stopped',
      ),
    ).to.equal('stopped');
    expect(done).to.equal(1);
  });

  it('ignores areas without extent and pages from which nothing is removed', async () => {
    const { removed, text } = await redact(await pageOf('BT /F1 12 Tf 10 100 Td (stays) Tj ET'), [
      [50, 50, 50, 50, 50, 50, 50, 50],
      [10, 100, 40, 100, 40, 100, 10, 100],
      box(500, 500, 600, 600),
    ]);
    expect(removed.pages.size).to.equal(0);
    expect(text).to.include('stays');
  });

  it('accepts corners in any order', async () => {
    for (const quad of [
      [5, 95, 100, 115, 100, 95, 5, 115],
      [5, 115, 100, 115, 5, 95, 100, 95],
    ] as const) {
      expect((await redact(await pageOf('BT /F1 12 Tf 10 100 Td (SECRET) Tj ET'), [quad])).said).not.to.include(
        'SECRET',
      );
    }
  });
});

describe('wipePages', () => {
  it('leaves an empty page of the same size and rotation, and the other pages unchanged', async () => {
    const document = await pageOf('BT /F1 12 Tf 10 100 Td (SECRET) Tj ET /Fm Do', (context) => ({
      XObject: { Fm: form(context, '0 0 10 10 re f', { Marker: 'FORM' }) },
    }));
    document.getPage(0).node.set(PDFName.of('Rotate'), document.context.obj(90));
    document.getPage(0).node.set(PDFName.of('PieceInfo'), document.context.obj({ Me: { Private: 'PRIVATE' } }));
    const other = document.addPage([200, 200]);
    other.node.set(PDFName.of('Resources'), document.getPage(0).node.get(PDFName.of('Resources'))!);
    other.node.set(
      PDFName.of('Contents'),
      document.context.register(document.context.stream('BT /F1 12 Tf 10 100 Td (other) Tj ET')),
    );
    const bytes = await editBytes(await document.save(), { mode: 'rewrite', repair: false }, (opened) =>
      wipePages(opened, [opened.pages[0]!]),
    );
    const said = await everythingIn(bytes);
    for (const gone of ['SECRET', 'PRIVATE', '/FORM']) expect(said).not.to.include(gone);
    expect(textOf(bytes)).to.include('other');
    expect((await PDFDocument.load(bytes)).getPage(0).getRotation().angle).to.equal(90);
  });
});
