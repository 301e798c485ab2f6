import { asDict, entry } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { readFields } from '@quire/document/forms/fields';
import { expect } from 'chai';
import { PDFDocument, PDFName, degrees } from 'pdf-lib';
import { drawPage, fixture, pageText, runOn } from './recolour-support.js';
import { recoloured, pageOf, saved, count, WORD } from './replace-invert-support.js';

describe('replace-invert-pdf with two colours', function () {
  this.timeout(90_000);

  describe('text and background in two colours', () => {
    it('are those of the combination, and text stays text', async () => {
      for (const [name, text, ground] of [
        ['WHITE_TEXT_ON_BLACK', [255, 255, 255], [0, 0, 0]],
        ['BLACK_TEXT_ON_WHITE', [0, 0, 0], [255, 255, 255]],
        ['YELLOW_TEXT_ON_BLACK', [255, 255, 0], [0, 0, 0]],
        ['GREEN_TEXT_ON_BLACK', [0, 255, 0], [0, 0, 0]],
      ] as const) {
        const bytes = await recoloured(await saved(`0.2 0.3 0.9 rg ${WORD}`), { highContrastColorCombination: name });
        const drawn = await drawPage(bytes);
        expect([drawn.at(5, 5), count(drawn, text) > 800, (await pageText(bytes)).trim()], name).to.deep.equal([
          [...ground],
          true,
          'HHH',
        ]);
        expect(count(drawn, text) + count(drawn, ground), 'hardly any other colour').to.be.greaterThan(
          200 * 200 * 0.93,
        );
      }
    });

    it('can be custom, in every notation', async () => {
      for (const [textColor, backGroundColor] of [
        ['16711680', '255'],
        ['0xFF0000', '0x0000ff'],
        ['#ff0000', '#00f'],
      ] as const) {
        const drawn = await drawPage(
          await recoloured(await saved(WORD), { replaceAndInvertOption: 'CUSTOM_COLOR', textColor, backGroundColor }),
        );
        expect([drawn.at(5, 5), count(drawn, [255, 0, 0]) > 800]).to.deep.equal([[0, 0, 255], true]);
      }
    });

    it('apply to text with its own colour, and keep colours set there for later content', async () => {
      const content = `BT /F 60 Tf 1 0 0 rg 20 120 Td (H) Tj 0 0 1 rg (H) Tj 0 0.3 0 rg ET 10 10 50 50 re f`;
      const drawn = await drawPage(
        await recoloured(await saved(content), {
          replaceAndInvertOption: 'CUSTOM_COLOR',
          textColor: '#ffffff',
          backGroundColor: '#000000',
        }),
      );
      expect([count(drawn, [255, 0, 0]), count(drawn, [0, 0, 255]), drawn.at(30, 30)]).to.deep.equal([
        0,
        0,
        [0, 77, 0],
      ]);
      expect(count(drawn, [255, 255, 255])).to.be.greaterThan(500);
    });

    it('keep other settings of a text object: fonts, spacing, leading, matrices', async () => {
      const content =
        'BT /F 20 Tf 5 Tc 10 100 TD (A) Tj ET BT 10 40 Td (B) Tj 0 -30 TD ET BT 100 100 Td (C) Tj T* (D) Tj 3 2 ' +
        '(E) " ET';
      const before = await drawPage(await saved(content), 0, 2);
      const after = await drawPage(
        await recoloured(await saved(content), { highContrastColorCombination: 'BLACK_TEXT_ON_WHITE' }),
        0,
        2,
      );
      expect(Buffer.from(after.pixels).equals(Buffer.from(before.pixels))).to.equal(true);
    });

    it('reach text in forms, also one that is drawn twice, and outlined text', async () => {
      const bytes = await recoloured(
        await saved(
          '1 0 0 rg 1 0 0 1 0 20 cm /X Do q 1 0 0 1 0 80 cm /X Do Q BT /F 40 Tf 1 Tr 3 w 0 0 1 RG 120 0 Td (O) Tj ET',
          'BT /F 40 Tf 10 0 Td (HH) Tj ET',
        ),
      );
      const drawn = await drawPage(bytes);
      expect([count(drawn, [255, 0, 0]), count(drawn, [0, 0, 255])]).to.deep.equal([0, 0]);
      expect(drawn.pixels.filter((level) => level > 200).length / 3).to.be.greaterThan(1000);
    });

    it('reach Type 3 glyphs with their own colours', async () => {
      const document = await pageOf('BT /T 50 Tf 20 80 Td (a) Tj ET');
      const { context } = document;
      const glyph = context.register(context.stream('1000 0 d0 1 0 0 rg 0 0 800 800 re f'));
      const font = context.register(
        context.obj({
          Type: 'Font',
          Subtype: 'Type3',
          FontBBox: [0, 0, 1000, 1000],
          FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
          CharProcs: { a: glyph },
          Encoding: { Type: 'Encoding', Differences: [97, 'a'] },
          FirstChar: 97,
          LastChar: 97,
          Widths: [1000],
          Resources: {},
        }),
      );
      const resources = asDict(context, document.getPage(0).node.get(PDFName.of('Resources')))!;
      asDict(context, resources.get(PDFName.of('Font')))!.set(PDFName.of('T'), font);
      const drawn = await drawPage(await recoloured(await document.save()));
      expect([drawn.at(40, 100), count(drawn, [255, 0, 0])]).to.deep.equal([[255, 255, 255], 0]);
    });

    it('keep text readable: light areas and vanishing lines change, dark areas stay', async () => {
      const content =
        '1 g 0 0 200 200 re f 0.9 g 20 100 160 40 re f 0.1 0.1 0.5 rg 20 20 160 40 re f 0 G 2 w 10 180 m 190 180 ' +
        'l S 0 g 10 190 180 1 re f 1 1 0 RG 10 170 m 190 170 l S';
      const drawn = await drawPage(await recoloured(await saved(content)));
      expect([
        drawn.at(5, 5),
        drawn.at(100, 120),
        drawn.at(100, 40),
        drawn.at(100, 180),
        drawn.at(100, 190.5),
        drawn.at(100, 170),
      ]).to.deep.equal([
        [0, 0, 0],
        [0, 0, 0],
        [26, 26, 128],
        [255, 255, 255],
        [255, 255, 255],
        [255, 255, 0],
      ]);
    });

    it('end with the text even if it becomes a clip, or restores a saved state', async () => {
      for (const content of [
        'q 0 0.3 0 rg BT /F 60 Tf 5 Tr 0 0 0.4 rg 20 80 Td (H) Tj ET 0 0 200 200 re f Q',
        'q 0 0 0.4 rg q 1 0 0 rg BT /F 60 Tf 20 80 Td (H) Tj Q ET 100 10 60 60 re f Q',
      ]) {
        const drawn = await drawPage(await recoloured(await saved(content)));
        expect([count(drawn, [0, 0, 102]) > 100, count(drawn, [255, 0, 0]), drawn.at(5, 5)], content).to.deep.equal([
          true,
          0,
          [0, 0, 0],
        ]);
      }
    });

    it('keep a text clip a clip, and images as they are', async () => {
      const clip = await drawPage(
        await recoloured(await saved('q BT /F 60 Tf 7 Tr 20 80 Td (HHH) Tj ET 1 0 0 rg 0 100 200 12 re f Q')),
      );
      expect([count(clip, [255, 0, 0]) > 100, clip.at(5, 105)]).to.deep.equal([true, [0, 0, 0]]);
      const picture = await fixture('picture.pdf');
      const [before, after] = [await drawPage(picture), await drawPage(await recoloured(picture))];
      expect([after.at(200, 180), after.at(5, 5)]).to.deep.equal([before.at(200, 180), [0, 0, 0]]);
    });

    it('cover the whole background of rotated, cropped and odd-sized pages', async () => {
      const document = await PDFDocument.create();
      for (const turn of [0, 90, 180, 270]) {
        const page = document.addPage([100.4, 60.7]);
        page.setMediaBox(-30.3, 12.2, 100.4, 60.7);
        if (turn > 90) page.setCropBox(-10, 20, 50.5, 40.5);
        page.setRotation(degrees(turn));
        page.node.set(PDFName.of('UserUnit'), document.context.obj(turn === 90 ? 2 : 1));
      }
      const bytes = await recoloured(await document.save());
      for (let i = 0; i < 4; i++) expect(new Set((await drawPage(bytes, i)).pixels)).to.deep.equal(new Set([0]));
    });

    it('apply to form fields and notes, and to appearances that viewers create', async () => {
      const form = await runOn(
        (await import('../../src/operations/unlock-pdf-forms.op.js')).unlockPdfForms,
        await fixture('form.pdf'),
        {},
      );
      const bytes = await recoloured(form, { highContrastColorCombination: 'YELLOW_TEXT_ON_BLACK' });
      const {
        document: { context },
      } = await openPdf(bytes);
      const [name] = readFields(context);
      expect([
        String(entry(name!.dict, 'DA')),
        String(entry(asDict(context, entry(name!.dict, 'MK'))!, 'BG')),
      ]).to.deep.equal(['(/Helv 12 Tf 1 1 0 rg)', '[ 0 0 0 ]']);
      const document = await pageOf('');
      const appearance = document.context.register(
        document.context.stream('1 g 0 0 12 12 re f 0 g 3 3 6 6 re f', { Subtype: 'Form', BBox: [0, 0, 12, 12] }),
      );
      document
        .getPage(0)
        .node.set(
          PDFName.of('Annots'),
          document.context.obj([
            { Type: 'Annot', Subtype: 'Stamp', Rect: [50, 50, 62, 62], F: 4, AP: { N: appearance } },
          ]),
        );
      const drawn = await drawPage(await recoloured(await document.save()));
      expect([drawn.at(51, 51), drawn.at(56, 56)]).to.deep.equal([
        [0, 0, 0],
        [255, 255, 255],
      ]);
    });
  });
});
