import { expect } from 'chai';
import { type PDFDocument, PDFName, PDFRef } from 'pdf-lib';
import {
  boxAround,
  ContentEditor,
  ContentReader,
  glyphQuad,
  type PaintedPath,
  pageContent,
  splice,
} from '../../content/index.js';
import { walkPages } from '../../structure/pages/index.js';
import { isTooComplex } from '../../errors.js';
import { form, pageOf, textOf, walk } from './support.js';

const rounded = (numbers: Iterable<number>): number[] => [...numbers].map((value) => Math.round(value * 100) / 100);

describe('ContentReader', () => {
  it('joins the streams of a page as one sequence of tokens', async () => {
    const document = await pageOf('');
    const { context } = document;
    document
      .getPage(0)
      .node.set(
        PDFName.of('Contents'),
        context.obj([context.register(context.stream('BT /F1 10')), context.register(context.stream('Tf (ab) Tj ET'))]),
      );
    expect(Buffer.from(pageContent(context, walkPages(context)[0]!).bytes).toString()).to.equal(
      'BT /F1 10\nTf (ab) Tj ET\n',
    );
    expect(textOf(document)).to.equal('ab');
  });

  it('places each glyph by its width, the spacing and the numbers of TJ', async () => {
    const document = await pageOf('BT /F1 10 Tf 2 Tc 3 Tw 50 Tz 20 100 Td [(A ) -1000 (B)] TJ ET');
    const boxes: number[][] = [];
    walk(document, {
      text: (shown) => shown.glyphs.forEach((glyph) => boxes.push(rounded(boxAround(glyphQuad(shown, glyph))))),
    });
    // Helvetica: A and B are 667 wide, a blank 278; ascent 718, descent -207.
    expect(boxes.map(([left, , right]) => [left, right])).to.deep.equal([
      [20, 23.34],
      [24.34, 25.73],
      [33.23, 36.56],
    ]);
    expect(boxes[0]).to.deep.equal([20, 97.93, 23.34, 107.18]);
  });

  it('follows matrices, lines and forms', async () => {
    const document = await pageOf(
      "q 2 0 0 2 10 20 cm BT /F1 10 Tf 12 TL 5 50 Td (a) Tj T* (b) Tj (c) ' ET /Fm Do Q",
      (context) => ({
        XObject: {
          Fm: form(context, 'BT /F1 1 Tf 1 1 Td (d) Tj ET', {
            Matrix: [1, 0, 0, 1, 100, 0],
            Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' } } },
          }),
        },
      }),
    );
    const places: string[] = [];
    walk(document, {
      text: ({ glyphs, matrix, font }) => places.push(`${glyphs[0]?.text} ${matrix[4]} ${matrix[5]} ${font.name}`),
    });
    expect(places).to.deep.equal(['a 20 120 Helvetica', 'b 20 96 Helvetica', 'c 20 72 Helvetica', 'd 212 22 Courier']);
  });

  it('reports boxes of paths, images and shadings, and what they may paint on', async () => {
    const inline = 'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI';
    const document = await pageOf(
      'q 10 10 50 50 re W n 0 0 100 20 re f 2 w 0 0 m 30 40 l S /Sh sh Q q 0 30 -20 0 100 100 cm /Im Do ' +
        `${inline} Q 5 5 m 7 7 l 9 5 l W* b`,
      (context) => ({
        XObject: {
          Im: context.register(context.stream('', { Type: 'XObject', Subtype: 'Image', Width: 1, Height: 1 })),
        },
        Shading: { Sh: {} },
      }),
    );
    const paths: PaintedPath[] = [];
    const boxes: number[][] = [];
    const frame = walk(document, {
      path: (path) => paths.push(path),
      shading: ({ box }) => boxes.push([...box]),
      image: ({ quad }) => boxes.push(rounded(boxAround(quad))),
      inlineImage: ({ quad }) => boxes.push(rounded(boxAround(quad))),
    });
    expect(
      paths.map(({ box, fills, strokes, clips, reach }) => [[...box], fills, strokes, clips, reach > 1]),
    ).to.deep.equal([
      [[0, 0, 100, 20], true, false, false, false],
      [[0, 0, 30, 40], false, true, false, true],
      [[5, 5, 9, 7], true, true, true, true],
    ]);
    expect([...paths[0]!.state.clip]).to.deep.equal([10, 10, 60, 60]);
    expect([...paths[2]!.state.clip]).to.deep.equal([0, 0, 200, 200]);
    expect(Buffer.from(frame.bytes.subarray(paths[0]!.start, paths[0]!.operator.end)).toString()).to.equal(
      '0 0 100 20 re f',
    );
    expect(boxes).to.deep.equal([
      [10, 10, 60, 60],
      [80, 100, 100, 130],
      [80, 100, 100, 130],
    ]);
  });

  it('knows colours and marked content around what is painted', async () => {
    const document = await pageOf(
      '/Span <</ActualText (x)>> BDC /P /MC0 BDC 1 0 0 rg 0 0 1 1 re f EMC /CS0 cs 0.5 scn 0 0 1 1 re f EMC',
      (context) => ({ Properties: { MC0: context.obj({ MCID: 7 }) } }),
    );
    const seen: unknown[] = [];
    walk(document, {
      path: ({ state, marked }) => seen.push([state.fill.space, state.fill.values, marked?.tag, marked?.above?.tag]),
    });
    expect(seen).to.deep.equal([
      ['DeviceRGB', [1, 0, 0], 'P', 'Span'],
      ['CS0', [0.5], 'Span', undefined],
    ]);
  });

  describe('with hostile content', () => {
    it('passes over forms that draw themselves', async () => {
      const document = await pageOf('/A Do', (context) => {
        const [a, b] = [context.nextRef(), context.nextRef()];
        const resources = {
          Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } },
          XObject: { A: a, B: b },
        };
        context.assign(
          a,
          context.stream('BT /F1 1 Tf (a) Tj ET /A Do /B Do', {
            Subtype: 'Form',
            BBox: [0, 0, 9, 9],
            Resources: resources,
          } as never),
        );
        context.assign(
          b,
          context.stream('BT /F1 1 Tf (b) Tj ET /A Do', {
            Subtype: 'Form',
            BBox: [0, 0, 9, 9],
            Resources: resources,
          } as never),
        );
        return { XObject: { A: a } };
      });
      expect(textOf(document)).to.equal('ab');
    });

    it('ends where forms multiply', async () => {
      const document = await pageOf('/F0 Do', (context) => {
        const refs = Array.from({ length: 30 }, () => context.nextRef());
        refs.forEach((ref, i) =>
          context.assign(
            ref,
            context.stream(`/F${i + 1} Do `.repeat(10), {
              Subtype: 'Form',
              BBox: [0, 0, 9, 9],
              Resources: { XObject: { [`F${i + 1}`]: refs[i + 1] ?? PDFRef.of(9999) } },
            } as never),
          ),
        );
        return { XObject: { F0: refs[0] } };
      });
      const reader = new ContentReader(document.context, { operators: 200_000 });
      expect(() => walk(document, {}, reader))
        .to.throw()
        .that.satisfies(isTooComplex);
    });

    it('bounds what is saved by q and takes a Q too many for nothing', async () => {
      expect(
        textOf(await pageOf(`${'Q '.repeat(1000)}${'q '.repeat(50_000)}BT /F1 1 Tf (a) Tj ET ${'Q '.repeat(60_000)}`)),
      ).to.equal('a');
      const deep = await pageOf('q '.repeat(200_000));
      expect(() => walk(deep, {}))
        .to.throw()
        .that.satisfies(isTooComplex);
    });

    it('reads on where operands are missing or of a wrong kind', async () => {
      expect(
        textOf(
          await pageOf(
            'cm Tm Tf BT /F1 9 Tf (x) Td 1 TJ [1 null (a) [2] /N] TJ Tj " \' (b) Tj w gs /No gs Do /No Do sh ' +
              'BDC EMC EMC EMC scn 1 2 3 re n ET',
          ),
        ),
      ).to.equal('ab');
    });
  });
});

describe('ContentEditor', () => {
  /** Two pages that draw the same form, the first one twice. */
  async function shared(): Promise<PDFDocument> {
    const document = await pageOf('q /Fm Do Q q 1 0 0 1 0 50 cm /Fm Do Q', (context) => ({
      XObject: {
        Fm: form(context, 'BT /F1 9 Tf (old) Tj ET', {
          Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
        }),
      },
    }));
    const second = document.addPage([200, 200]);
    second.node.set(PDFName.of('Contents'), document.context.register(document.context.stream('/Fm Do')));
    second.node.set(PDFName.of('Resources'), document.getPage(0).node.Resources()!);
    return document;
  }

  /** Replaces the text of those frames that are chosen, counted over all pages, and gives what each page reads then. */
  function edit(document: PDFDocument, chosen: (use: number) => boolean, pages = 2): string[] {
    const { context } = document;
    const reader = new ContentReader(context);
    const editor = new ContentEditor(reader);
    const all = walkPages(context);
    let use = 0;
    for (const page of all.slice(0, pages)) {
      const frame = reader.page(page, {
        text: ({ frame: inner, operator }) => {
          if (chosen(use++)) inner.replace(operator, '(new) Tj');
        },
      });
      editor.commit(page, frame);
    }
    editor.finish(all);
    const again = new ContentReader(context);
    return all.map((page) => {
      let text = '';
      again.page(page, {
        text: ({ glyphs }) => {
          text += glyphs.map((glyph) => glyph.text).join('');
        },
      });
      return text;
    });
  }

  it('overwrites a form that is changed wherever it is drawn, and leaves the resources alone', async () => {
    const document = await shared();
    const before = document.getPage(0).node.Resources();
    const form1 = document.context.enumerateIndirectObjects().length;
    expect(edit(document, () => true)).to.deep.equal(['newnew', 'new']);
    expect(document.getPage(0).node.Resources()).to.equal(before);
    expect(document.context.enumerateIndirectObjects().length).to.be.at.most(form1 + 2);
  });

  it('copies a form that is changed in one of its places', async () => {
    expect(edit(await shared(), (use) => use === 1)).to.deep.equal(['oldnew', 'old']);
    expect(edit(await shared(), (use) => use === 2)).to.deep.equal(['oldold', 'new']);
  });

  it('copies a form that pages draw which were not walked', async () => {
    expect(edit(await shared(), () => true, 1)).to.deep.equal(['newnew', 'old']);
  });

  it('enters new resources under names that are free', async () => {
    const document = await pageOf('BT /F1 9 Tf (a) Tj ET', (context) => ({
      Font: {
        F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' },
        New1: context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' }),
      },
    }));
    const reader = new ContentReader(document.context);
    const editor = new ContentEditor(reader);
    const [page] = walkPages(document.context);
    const font = document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Times-Roman' });
    const frame = reader.page(page!, {
      text: ({ frame: own, operator }) =>
        own.replace(operator, `/${own.resourceName('Font', font, 'New')} 9 Tf (b) Tj`),
    });
    expect(editor.commit(page!, frame)).to.equal(true);
    const names: string[] = [];
    walk(document, { text: ({ state, font: used }) => names.push(`${state.text.fontName} ${used.name}`) });
    expect(names).to.deep.equal(['New2 Times-Roman']);
  });

  it('changes nothing where nothing was noted', async () => {
    const document = await shared();
    const reader = new ContentReader(document.context);
    const editor = new ContentEditor(reader);
    const [page] = walkPages(document.context);
    expect(editor.commit(page!, reader.page(page!, {}))).to.equal(false);
    const { bytes } = pageContent(document.context, page!);
    expect(splice(bytes, [])).to.equal(bytes);
  });
});
