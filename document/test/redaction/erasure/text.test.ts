import { expect } from 'chai';
import { PDFName, PDFString } from 'pdf-lib';
import { glyphQuad } from '../../../content/index.js';
import { form, pageOf, walk } from '../../content/support.js';
import { look } from '../../support.js';
import { box, compare, picture, redact, turned } from './support.js';

/** Returns the character codes shown on the first page. */
async function codes(bytes: Uint8Array): Promise<number[]> {
  const shown: number[] = [];
  walk(await look(bytes), { text: ({ glyphs }) => shown.push(...glyphs.map(({ code }) => code)) });
  return shown;
}

describe('removing text from areas', () => {
  it('removes single glyphs from text operators and keeps the positions of the others', async () => {
    const content = `BT /F1 12 Tf 1 Tc 3 Tw 90 Tz 14 TL 10 170 Td (keep SECRET keep) Tj T*
      [(keep ) -300 (SEC) 40 (RET) -500 (keep)] TJ (keep SECRET keep) '
      5 2 (keep SECRET keep) " ET`;
    const document = await pageOf(content);
    const places: number[][] = [];
    walk(document, { text: (what) => what.glyphs.forEach((glyph) => places.push([...glyphQuad(what, glyph)])) });
    const quad = box(48, 110, 118, 185);
    const { said, text, bytes, before, counts } = await redact(document, [quad]);
    expect(text).not.to.match(/[SECRT]{2}/);
    expect(said).not.to.match(/SEC|RET/);
    const left: number[][] = [];
    walk(await look(bytes), { text: (what) => what.glyphs.forEach((glyph) => left.push([...glyphQuad(what, glyph)])) });
    expect(left.length).to.equal(places.length - counts.glyphs);
    expect(counts.glyphs).to.be.greaterThan(20);
    for (const one of left)
      expect(
        places.some((place) => place.every((value, i) => Math.abs(value - one[i]!) < 0.01)),
        one.join(),
      ).to.equal(true);
    // Glyphs that extend into the area are removed completely.
    expect(compare(await picture(before), await picture(bytes), [box(36, 110, 130, 185)])).to.deep.include({
      outside: 0,
    });
  });

  it('removes exactly the glyphs whose centres are in the quads of a match', async () => {
    const { text } = await redact(await pageOf('BT /F1 20 Tf 10 100 Td (ABCDEF) Tj ET'), [
      { quad: box(0, 80, 200, 130), text: [box(38, 90, 52, 125)], kinds: ['text'] },
    ]);
    expect(text.trim().replaceAll(/\s/g, '')).to.equal('ABDEF');
  });

  it('finds rotated, slanted and mirrored text', async () => {
    const content =
      'BT /F1 12 Tf 0.8 0.6 -0.6 0.8 60 60 Tm (TURNED) Tj ' +
      '1 0 0.5 1 20 150 Tm (SLANTED) Tj -1 0 0 1 180 20 Tm (MIRROR) Tj ET';
    for (const [quad, gone] of [
      [turned(78, 80, 60, 20, 37), 'TURNED'],
      [box(15, 145, 100, 165), 'SLANTED'],
      [box(100, 15, 185, 35), 'MIRROR'],
    ] as const) {
      const { said } = await redact(await pageOf(content), [quad]);
      for (const word of ['TURNED', 'SLANTED', 'MIRROR'])
        expect(said.includes(`(${word})`), `${word} without ${gone}`).to.equal(word !== gone);
    }
  });

  it('removes invisible text, text outside of the clip, and text of hidden layers', async () => {
    const content = `BT 3 Tr /F1 12 Tf 10 100 Td (INVISIBLE) Tj ET
      q 0 0 5 5 re W n BT 0 Tr /F1 12 Tf 10 100 Td (CLIPPED) Tj ET Q
      /OC /Off BDC BT /F1 12 Tf 10 100 Td (LAYERED) Tj ET EMC BT /F1 12 Tf 10 20 Td (seen) Tj ET`;
    const document = await pageOf(content, (context) => ({
      Properties: { Off: context.register(context.obj({ Type: 'OCG', Name: 'off' })) },
    }));
    const { said } = await redact(document, [box(5, 90, 150, 115)]);
    for (const word of ['INVISIBLE', 'CLIPPED', 'LAYERED']) expect(said).not.to.include(word);
    expect(said).to.include('(seen)');
  });

  it('clips everything if the text that should be the clip is removed', async () => {
    const document = await pageOf('q BT 7 Tr /F1 60 Tf 10 100 Td (MASK) Tj ET 1 0 0 rg 0 0 200 200 re f Q');
    const { bytes, said, before } = await redact(document, [{ quad: box(0, 70, 200, 180), kinds: ['text'] }]);
    expect(said).not.to.include('MASK');
    expect(compare(await picture(before), await picture(bytes), [box(0, 70, 200, 180)])).to.deep.equal({
      outside: 0,
      inside: 0,
    });
  });

  it('removes text that is painted twice to look bold', async () => {
    const { said } = await redact(
      await pageOf('BT /F1 12 Tf 10 100 Td (BOLD) Tj ET BT /F1 12 Tf 10.3 100 Td (BOLD) Tj ET'),
      [box(5, 95, 100, 115)],
    );
    expect(said).not.to.include('BOLD');
  });

  it('removes composite and vertical text by its codes', async () => {
    const fonts = (encoding: string) => ({
      Font: {
        F1: {
          Type: 'Font',
          Subtype: 'Type0',
          BaseFont: 'Sample',
          Encoding: encoding,
          DescendantFonts: [{ Type: 'Font', Subtype: 'CIDFontType2', BaseFont: 'Sample', CIDSystemInfo: {}, DW: 500 }],
        },
      },
    });
    const across = await redact(
      await pageOf('BT /F1 20 Tf 10 100 Td <000100020003000400050006> Tj ET', () => fonts('Identity-H')),
      [box(31, 90, 49, 120)],
    );
    expect(await codes(across.bytes)).to.deep.equal([1, 2, 5, 6]);
    const down = await redact(
      await pageOf('BT /F1 20 Tf 100 180 Td <000100020003000400050006> Tj ET', () => fonts('Identity-V')),
      [box(80, 122, 120, 138)],
    );
    expect(await codes(down.bytes)).to.deep.equal([1, 2, 4, 5, 6]);
  });

  it('removes glyphs of Type 3 fonts', async () => {
    const document = await pageOf('BT /F1 20 Tf 10 100 Td (aaa) Tj ET', (context) => {
      const glyph = context.register(context.stream('1000 0 0 0 800 800 d1 0 0 800 800 re f'));
      return {
        Font: {
          F1: {
            Type: 'Font',
            Subtype: 'Type3',
            FontBBox: [0, 0, 1000, 1000],
            FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
            CharProcs: { a: glyph },
            Encoding: { Differences: [97, 'a'] },
            FirstChar: 97,
            LastChar: 97,
            Widths: [1000],
          },
        },
      };
    });
    const quad = box(32, 95, 48, 125);
    const { bytes, before, counts } = await redact(document, [quad]);
    expect(counts.glyphs).to.equal(1);
    expect(compare(await picture(before), await picture(bytes), [box(29, 95, 51, 125)])).to.deep.equal({
      outside: 0,
      inside: 0,
    });
  });

  it('ignores implausible font metrics without height or width', async () => {
    const document = await pageOf('BT /F1 20 Tf 10 100 Td (S) Tj 14 0 Td (E) Tj 14 0 Td (C) Tj ET', () => ({
      Font: {
        F1: {
          Type: 'Font',
          Subtype: 'TrueType',
          BaseFont: 'Sample',
          FirstChar: 67,
          LastChar: 83,
          Widths: Array.from({ length: 17 }, () => 0),
          FontDescriptor: { Type: 'FontDescriptor', FontName: 'Sample', Flags: 32, Ascent: 9, Descent: -2 },
        },
      },
    }));
    expect(await codes((await redact(document, [box(0, 106, 200, 112)])).bytes)).to.deep.equal([]);
    expect(
      await codes(
        (await redact(document, [{ quad: box(0, 90, 200, 120), text: [[24, 100, 24, 100, 24, 100.2, 24, 100.2]] }]))
          .bytes,
      ),
    ).to.deep.equal([83, 67]);
  });

  it('removes replacement texts from marked content and structure elements', async () => {
    const document = await pageOf(
      `/Span <</MCID 0 /ActualText (SPOKEN)>> BDC BT /F1 12 Tf 10 100 Td (SECRET) Tj ET EMC
      /P /Named BDC BT /F1 12 Tf 10 100 Td (SECRET) Tj ET EMC
      /Span <</MCID 1 /ActualText (KEPT)>> BDC BT /F1 12 Tf 10 20 Td (open) Tj ET EMC`,
      () => ({ Properties: { Named: { MCID: 2, E: PDFString.of('EXPANDED') } } }),
    );
    const { context, catalog } = document;
    const root = context.nextRef();
    const element = (alt: string) =>
      context.register(
        context.obj({
          Type: 'StructElem',
          S: 'Span',
          P: root,
          ActualText: PDFString.of(alt),
          Alt: PDFString.of(`${alt} ALT`),
        }),
      );
    const elements = [element('ELEMENT0'), element('ELEMENT1'), element('ELEMENT2')];
    context.assign(root, context.obj({ Type: 'StructTreeRoot', K: elements, ParentTree: { Nums: [0, elements] } }));
    catalog.set(PDFName.of('StructTreeRoot'), root);
    document.getPage(0).node.set(PDFName.of('StructParents'), context.obj(0));
    const { said } = await redact(document, [box(5, 95, 100, 115)]);
    for (const gone of ['SECRET', 'SPOKEN', 'EXPANDED', 'ELEMENT0', 'ELEMENT2']) expect(said).not.to.include(gone);
    for (const kept of ['KEPT', 'ELEMENT1', 'ELEMENT1 ALT', 'open', '/MCID 0']) expect(said).to.include(kept);
  });

  it('changes a form only where it is inside the area', async () => {
    const document = await pageOf('q 1 0 0 1 10 100 cm /Fm Do Q q 1 0 0 1 10 20 cm /Fm Do Q', (context) => ({
      XObject: {
        Fm: form(context, 'BT /F1 12 Tf 0 0 Td (Shared) Tj ET', {
          Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
          PieceInfo: { Me: { Private: 'PRIVATE' } },
        }),
      },
    }));
    const { text, said, bytes, before } = await redact(document, [box(5, 95, 100, 115)]);
    expect(text.trim()).to.equal('Shared');
    expect(said).to.include('PRIVATE');
    expect(compare(await picture(before), await picture(bytes), [box(5, 95, 100, 115)])).to.deep.equal({
      outside: 0,
      inside: 0,
    });
    const both = await redact(document, [box(5, 10, 100, 115)]);
    expect(both.said).not.to.include('(Shared)');
    expect(both.said).not.to.include('PRIVATE');
  });
});
