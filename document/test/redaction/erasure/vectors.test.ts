import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import type { Quad } from '../../../content/index.js';
import { form, pageOf } from '../../content/support.js';
import { box, colourAt, compare, picture, redact, turned } from './support.js';

const AREA = box(60, 60, 140, 120);
const TURNED = turned(100, 90, 90, 40, 30);

/** Removes areas and renders the page: unchanged outside, empty inside. */
async function check(
  content: string,
  quads: readonly Quad[],
  options: { readonly grow?: number; readonly tolerance?: number } = {},
  resources?: Parameters<typeof pageOf>[1],
) {
  const result = await redact(await pageOf(content, resources), quads);
  const [before, after] = [await picture(result.before), await picture(result.bytes)];
  expect(compare(before, after, quads, options), content).to.deep.equal({ outside: 0, inside: 0 });
  return { ...result, pixels: after };
}

describe('removing vectors from areas', () => {
  it('removes a path that is completely inside the area', async () => {
    const { said, counts } = await check('1 0 0 rg 71.25 71 20 20 re f 0 0 1 rg 10 10 20 20 re f', [AREA]);
    expect(said).not.to.include('71.25');
    expect(counts.paths).to.equal(1);
  });

  it('cuts a hole into a surrounding shape with both fill rules and directions', async () => {
    for (const quad of [AREA, TURNED]) {
      await check('0.5 g 20 20 160 160 re f', [quad]);
      await check('0.5 g 20 20 m 20 180 l 180 180 l 180 20 l h f', [quad]);
      await check('0.5 g 20 20 160 160 re 40 40 120 120 re f*', [quad]);
      await check('0.5 g 20 20 160 160 re 40 40 120 120 re f', [quad]);
    }
  });

  it('cuts concave, self-intersecting, curved and multi-part shapes', async () => {
    for (const quad of [AREA, TURNED]) {
      for (const rule of ['f', 'f*']) {
        await check(`0 0.5 0 rg 20 20 m 100 180 l 180 20 l 10 120 l 190 120 l h ${rule}`, [quad]);
        await check(
          '0 0 1 rg 100 10 m 180 10 180 180 100 180 c 20 180 20 10 100 10 c ' +
            `100 60 m 140 60 140 130 100 130 c 60 130 60 60 100 60 c ${rule}`,
          [quad],
          { tolerance: 32 },
        );
        await check(
          `1 0 0 rg 30 70 m 170 70 l 170 80 l 50 80 l 50 100 l 170 100 l 170 110 l 30 110 l h 10 10 20 20 re ${rule}`,
          [quad],
        );
        // A spiral around the area with more than one turn.
        await check(
          '0 g 20 20 m 180 20 l 180 180 l 20 180 l 20 40 l 160 40 l 160 160 l 40 160 l ' +
            `40 30 l 10 30 l 10 190 l 190 190 l 190 10 l 20 10 l h ${rule}`,
          [quad],
        );
      }
    }
  });

  it('cuts with areas that touch, overlap and contain each other', async () => {
    await check('0.3 g 10 10 180 180 re f', [
      box(40, 40, 80, 80),
      box(80, 40, 120, 80),
      box(60, 60, 100, 110),
      box(65, 65, 70, 70),
      turned(130, 130, 60, 30, 45),
    ]);
  });

  it('leaves nearby paths unchanged', async () => {
    const { said } = await check('1 0 0 rg 20 20 m 180 20 l 180 40 l 40 40 l 40 180 l 20 180 l h f', [AREA]);
    expect(said).to.include('20 20 m 180 20 l');
  });

  it('cuts thin lines across and keeps the phase of their dashes', async () => {
    await check('1 w 10 90 m 190 95 l S 0.4 w 100 10 m 110 190 l S', [AREA], { grow: 1.5 });
    await check('1 w [7 3 2] 4 d 10 90 m 190 90 l 190 180 l S 0 0 1 RG 10 20 m 190 20 l S', [AREA], { grow: 1.5 });
    await check('1 w 80 80 m 180 80 l 180 180 l 80 180 l s', [TURNED], { grow: 2 });
    const { said } = await check('1 w 70.5 70 m 90 80 l S', [AREA]);
    expect(said).not.to.include('70.5');
  });

  it('cuts the outline of thick lines, with joins, caps and dashes', async () => {
    for (const quad of [AREA, TURNED]) {
      for (const style of ['0 J 0 j', '1 J 1 j', '2 J 2 j']) {
        await check(`${style} 14 w 0 0.4 0.8 RG 30 30 m 100 125 l 170 30 l S`, [quad], { grow: 1.5, tolerance: 64 });
        await check(`${style} 9 w [30 12] 5 d 20 75 m 180 100 l 150 180 l S`, [quad], { grow: 1.5, tolerance: 64 });
      }
      await check('12 w 50 50 100 90 re S', [quad], { grow: 1.5 });
      await check('8 w 20 100 m 60 220 140 -40 190 100 c S', [quad], { grow: 1.5, tolerance: 80 });
    }
  });

  it('keeps fill and stroke of one path separate, each with its opacity', async () => {
    await check('4 w 1 0 0 RG 0.8 g 30 30 140 100 re B', [TURNED], { grow: 1.5 });
    await check('/Gs gs 6 w 1 0 0 RG 0 0 1 rg 30 30 140 100 re S', [TURNED], { grow: 1.5 }, () => ({
      ExtGState: { Gs: { CA: 0.5, ca: 0.9 } },
    }));
  });

  it('keeps a clip that surrounds the area and cuts letters that clip', async () => {
    const circle = '100 20 m 210 20 210 180 100 180 c -10 180 -10 20 100 20 c W n';
    await check(`q ${circle} 0 0.6 0 rg 0 0 200 200 re f Q`, [AREA]);
    const { said } = await check(
      'q 77.25 70 m 90 70 l 83 110 l h 10.5 10 m 30 10 l 20 40 l h W n 1 0 0 rg 0 0 200 200 re f Q',
      [AREA],
    );
    expect(said).not.to.include('77.25');
    expect(said).to.include('10.5 10');
    const both = await check('q 0.5 g 20 20 m 180 20 l 100 180 l h W f 1 0 0 rg 0 0 200 30 re f Q', [AREA]);
    expect(colourAt(both.pixels, 100, 25)).to.deep.equal([255, 0, 0]);
  });

  it('cuts in rotated and scaled content and in forms', async () => {
    await check('q 0.7 0.7 -1.4 1.4 100 20 cm 0.5 g 5 5 60 60 re f 3 w 0 0 m 60 60 l S Q', [AREA], {
      grow: 2,
      tolerance: 80,
    });
    await check('q 2 0 0 2 0 0 cm /Fm Do Q', [TURNED], {}, (context) => ({
      XObject: { Fm: form(context, '0 0 1 rg 20 20 60 60 re f', { Matrix: [1, 0.1, 0, 1, 3, 3] }) },
    }));
  });

  it('clips shadings', async () => {
    const shading = {
      Sh: {
        ShadingType: 2,
        ColorSpace: 'DeviceRGB',
        Coords: [0, 0, 200, 0],
        Function: { FunctionType: 2, Domain: [0, 1], C0: [1, 0, 0], C1: [0, 0, 1], N: 1 },
        Extend: [true, true],
      },
    };
    const { counts } = await check('q 20 20 160 160 re W n /Sh sh Q', [AREA, TURNED], {}, () => ({ Shading: shading }));
    expect(counts.shadings).to.equal(1);
    await check('q 70 70 20 20 re W n /Sh sh Q', [AREA], {}, () => ({ Shading: shading }));
    await check('/Pattern cs /Sp scn 20 20 160 160 re f', [TURNED], {}, () => ({
      Pattern: { Sp: { PatternType: 2, Shading: shading.Sh } },
    }));
  });

  it('removes what pattern cells show inside the area and keeps it elsewhere', async () => {
    const cell = (context: Parameters<typeof form>[0], content: string, size: number) =>
      context.register(
        context.stream(content, {
          PatternType: 1,
          PaintType: 1,
          TilingType: 1,
          BBox: [0, 0, size, size],
          XStep: size,
          YStep: size,
          Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
        }),
      );
    const one = await check('/Pattern cs /Pt scn 0 0 200 200 re f', [AREA], {}, (context) => ({
      Pattern: {
        Pt: cell(
          context,
          '0.9 g 0 0 200 200 re f 0 g BT /F1 10 Tf 80 80 Td (SECRET) Tj ET BT /F1 10 Tf 10 10 Td (open) Tj ET',
          200,
        ),
      },
    }));
    expect(one.said).not.to.include('SECRET');
    expect(one.said).to.include('(open)');
    const many = await check('/Pattern cs /Pt scn 0 0 200 200 re f', [box(0, 0, 50, 50)], {}, (context) => ({
      Pattern: { Pt: cell(context, '0 g BT /F1 10 Tf 5 20 Td (tile) Tj ET', 50) },
    }));
    expect(many.said).to.include('(tile)');
    const whole = await check('/Pattern cs /Pt scn 70 70 30 30 re f', [AREA], {}, (context) => ({
      Pattern: { Pt: cell(context, '0 g BT /F1 10 Tf 1 8 Td (SECRET) Tj ET', 30) },
    }));
    expect(whole.said).not.to.include('SECRET');
  });

  it('keeps the opacity of a painted pattern, whatever opacity its cell sets', async () => {
    const document = await PDFDocument.create();
    const { node } = document.addPage([200, 200]);
    const { context } = document;
    const states = { Half: { ca: 0.5, CA: 0.5 }, Full: { ca: 1, CA: 1 } };
    const cell = context.register(
      context.stream('/Full gs 0.5 0 0 rg 0 0 200 200 re f BT /F1 10 Tf 80 80 Td (SECRET) Tj ET', {
        PatternType: 1,
        PaintType: 1,
        TilingType: 1,
        BBox: [0, 0, 200, 200],
        XStep: 200,
        YStep: 200,
        Resources: { ExtGState: states, Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
      } as never),
    );
    node.set(PDFName.of('Resources'), context.obj({ ExtGState: states, Pattern: { Pt: cell } } as never));
    node.set(PDFName.of('Contents'), context.register(context.stream('/Half gs /Pattern cs /Pt scn 0 0 200 200 re f')));
    const { bytes, said } = await redact(document, [AREA]);
    expect(said).not.to.include('SECRET');
    // PDFium itself shows such a pattern without its opacity; other viewers follow the standard (ISO 32000-1, 11.6.7).
    expect(colourAt(await picture(bytes), 10, 10)).to.deep.equal([191, 128, 128]);
  });

  it('removes what soft masks reveal inside the area', async () => {
    const { said } = await check('/Gs gs 0 0 1 rg 0 0 200 200 re f', [AREA], {}, (context) => ({
      ExtGState: {
        Gs: {
          SMask: {
            S: 'Luminosity',
            G: form(context, '1 g BT /F1 14 Tf 70 85 Td (SECRET) Tj ET BT /F1 14 Tf 10 20 Td (open) Tj ET', {
              Group: { S: 'Transparency', CS: 'DeviceGray' },
              Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
            }),
          },
        },
      },
    }));
    expect(said).not.to.include('SECRET');
    expect(said).to.include('(open)');
  });
});
