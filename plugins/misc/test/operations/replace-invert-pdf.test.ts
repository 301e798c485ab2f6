import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, hostileFiles, type OperationAnswer } from '@quire/plugin-kit';
import { ContentReader } from '@quire/document/content';
import { asDict, asName, elements, entry, resolve } from '@quire/document/file/objects';
import { openPdf } from '@quire/document/file/open';
import { readAttachments } from '@quire/document/structure/attachments';
import { readFields } from '@quire/document/forms/fields';
import { readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { expect } from 'chai';
import { PDFDocument, PDFName, type PDFRawStream, PDFString, StandardFonts, degrees, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { replaceInvertPdf } from '../../src/operations/replace-invert-pdf.op.js';
import { codeOf, type Drawn, drawPage, fixture, pageText, runOn } from './recolour-support.js';

type Params = Parameters<typeof replaceInvertPdf.run>[1];
const params = (rest: Partial<Params> = {}): Params => ({
  replaceAndInvertOption: 'HIGH_CONTRAST_COLOR',
  highContrastColorCombination: 'WHITE_TEXT_ON_BLACK',
  ...rest,
});
const recoloured = (bytes: Uint8Array, rest: Partial<Params> = {}): Promise<Uint8Array> =>
  runOn(replaceInvertPdf, bytes, params(rest));
const inverted = (bytes: Uint8Array): Promise<Uint8Array> =>
  recoloured(bytes, { replaceAndInvertOption: 'FULL_INVERSION' });
const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
const close = (a: readonly number[], b: readonly number[], by = 3): boolean =>
  a.every((level, i) => Math.abs(level - (b[i] ?? 0)) <= by);

/** A page with this content, with Helvetica as /F and a form as /X. */
async function pageOf(content: string, form = '', size: readonly [number, number] = [200, 200]): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const page = document.addPage([...size]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const resources = context.obj({ Font: { F: font.ref } });
  resources.set(
    PDFName.of('XObject'),
    context.obj({
      X: context.register(
        context.stream(form, {
          Type: 'XObject',
          Subtype: 'Form',
          BBox: [0, 0, 200, 200],
          Resources: { Font: { F: font.ref } },
        }),
      ),
    }),
  );
  page.node.set(PDFName.of('Resources'), resources);
  page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
  return document;
}
const saved = async (content: string, form?: string): Promise<Uint8Array> => (await pageOf(content, form)).save();

/** The number of pixels in this colour. */
const count = ({ pixels }: Drawn, colour: readonly number[]): number => {
  let found = 0;
  for (let i = 0; i < pixels.length; i += 3)
    if (close([pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0], colour)) found++;
  return found;
};
const WORD = 'BT /F 60 Tf 20 80 Td (HHH) Tj ET';

describe('replace-invert-pdf', function () {
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
        'BT /F 20 Tf 5 Tc 10 100 TD (A) Tj ET BT 10 40 Td (B) Tj 0 -30 TD ET BT 100 100 Td (C) Tj T* (D) Tj 3 2 (E) " ET';
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

    it('keep text readable: light areas take the background colour, dark ones stay, vanishing lines are recoloured', async () => {
      const content =
        '1 g 0 0 200 200 re f 0.9 g 20 100 160 40 re f 0.1 0.1 0.5 rg 20 20 160 40 re f 0 G 2 w 10 180 m 190 180 l S 0 g 10 190 180 1 re f 1 1 0 RG 10 170 m 190 170 l S';
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

  describe('inversion', () => {
    const complement = (a: Drawn, b: Drawn): number =>
      a.pixels.reduce((worst, level, i) => Math.max(worst, Math.abs(255 - level - (b.pixels[i] ?? 0))), 0);

    it('gives the complement of every pixel, and keeps text selectable', async () => {
      const contents = [
        '0.2 0.3 0.9 rg ' + WORD,
        '0 0 0 1 k 20 20 100 100 re f 0.3 0.1 0.9 0.2 k 120 20 60 60 re f',
        'q 1 0 0 rg 0 0 100 100 re f',
        'Q Q 0.4 g 0 0 50 50 re f',
      ];
      for (const content of contents) {
        const bytes = await saved(content);
        const result = await inverted(bytes);
        expect(complement(await drawPage(bytes), await drawPage(result)), content).to.be.lessThan(3);
        if (content.includes('Tj')) expect((await pageText(result)).trim()).to.equal('HHH');
      }
      const picture = await fixture('picture.pdf');
      expect(complement(await drawPage(picture), await drawPage(await inverted(picture)))).to.be.lessThan(3);
    });

    it('applies to annotations with flat colours, blending and images', async () => {
      const document = await pageOf('0.8 0.2 0.2 rg 0 0 100 200 re f');
      const { context } = document;
      const image = context.register(
        context.stream(Uint8Array.of(255, 0, 0, 0, 200, 0, 0, 0, 255, 90, 90, 90), {
          Type: 'XObject',
          Subtype: 'Image',
          Width: 2,
          Height: 2,
          BitsPerComponent: 8,
          ColorSpace: 'DeviceRGB',
        }),
      );
      const appearances = [
        context.stream('0 0 30 15 re f 0 0.5 1 rg 0 15 30 15 re f /DeviceRGB CS 0.5 0.2 0 SC 3 w 5 5 20 20 re S', {
          Subtype: 'Form',
          BBox: [0, 0, 30, 30],
        }),
        context.stream('1 0 0 0 k 0 0 30 30 re f', { Subtype: 'Form', BBox: [0, 0, 30, 30] }),
        context.stream('/M gs 1 1 0 rg 0 0 30 30 re f', {
          Subtype: 'Form',
          BBox: [0, 0, 30, 30],
          Resources: { ExtGState: { M: { BM: 'Multiply' } } },
        }),
        context.stream('30 0 0 30 0 0 cm /I Do', {
          Subtype: 'Form',
          BBox: [0, 0, 30, 30],
          Resources: { XObject: { I: image } },
        }),
      ];
      document.getPage(0).node.set(
        PDFName.of('Annots'),
        context.obj(
          appearances.map((stream, i) =>
            context.obj({
              Type: 'Annot',
              Subtype: 'Stamp',
              F: 4,
              Rect: [80, 10 + i * 40, 110, 40 + i * 40],
              AP: { N: context.register(stream) },
            }),
          ),
        ),
      );
      const bytes = await document.save();
      const [x, y] = [await drawPage(bytes), await drawPage(await inverted(bytes))];
      expect(complement(x, y)).to.be.lessThan(3);
    });

    for (const [program, command] of [
      ['pdftoppm', ['-r', '72', '-png', '-singlefile', 'in.pdf', 'out']],
      ['mutool', ['draw', '-q', '-r', '72', '-o', 'out.png', 'in.pdf', '1']],
    ] as const) {
      it(`looks the same in ${program}, on a page blended in CMYK`, async function needsProgram() {
        if (!has(program)) return this.skip();
        const document = await pageOf(
          '0 0 0 1 k 20 20 100 100 re f 0.2 0.3 0.9 rg 120 120 60.5 60.5 re f',
          '',
          [200.5, 200.5],
        );
        document
          .getPage(0)
          .node.set(
            PDFName.of('Group'),
            document.context.obj({ S: 'Transparency', CS: 'DeviceRGB', I: false, K: false }),
          );
        const bytes = await document.save();
        const folder = mkdtempSync(join(tmpdir(), 'quire-invert-'));
        const raw = async (pdf: Uint8Array): Promise<Buffer> => {
          writeFileSync(join(folder, 'in.pdf'), pdf);
          execFileSync(program, command, { cwd: folder, stdio: 'ignore' });
          return sharp(readFileSync(join(folder, 'out.png')))
            .removeAlpha()
            .toColourspace('srgb')
            .raw()
            .toBuffer();
        };
        try {
          const [before, after] = [await raw(bytes), await raw(await inverted(bytes))];
          expect(before.length).to.equal(after.length);
          expect(
            before.reduce((worst, level, i) => Math.max(worst, Math.abs(255 - level - (after[i] ?? 0))), 0),
          ).to.be.lessThan(4);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }
  });

  describe('over HTTP', () => {
    let server: QuireServer;
    let url: string;
    let form: Uint8Array;
    before(async () => {
      server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
      url = await server.start();
      form = await fixture('form.pdf');
    });
    after(() => server.stop());
    const call = (fields: Record<string, unknown>, bytes = form): Promise<OperationAnswer> =>
      callOperation(url, { path: 'misc/replace-invert-pdf', files: [{ name: 'form.pdf', bytes }], params: fields });
    const faults = (answer: OperationAnswer): string[] =>
      [
        ...new Set(answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer.slice(1))),
      ].sort();

    it('writes white on black by default', async () => {
      const answer = await call({});
      expect([answer.status, answer.fileName, (await drawPage(answer.bytes)).at(200, 10)]).to.deep.equal([
        200,
        'form_inverted.pdf',
        [0, 0, 0],
      ]);
      expect(
        (await call({ replaceAndInvertOption: 'FULL_INVERSION', highContrastColorCombination: '' })).status,
      ).to.equal(200);
    });

    it('names an invalid or missing value', async () => {
      expect(
        faults(
          await call({
            replaceAndInvertOption: 'high_contrast_color',
            highContrastColorCombination: 'PINK',
            textColor: 'red',
            backGroundColor: '16777216',
          }),
        ),
      ).to.deep.equal(['backGroundColor', 'highContrastColorCombination', 'replaceAndInvertOption', 'textColor']);
      expect(faults(await call({ replaceAndInvertOption: 'CUSTOM_COLOR', textColor: '' }))).to.deep.equal([
        'backGroundColor',
        'textColor',
      ]);
      expect((await call({}, hostileFiles().find(({ name }) => name === 'locked.pdf')!.bytes)).code).to.equal(
        'PDF_ENCRYPTED',
      );
      expect((await call({}, await fixture('header-only.pdf'))).code).to.equal('PDF_DAMAGED');
    });

    it('converts to CMYK, with fields and notes, and keeps the document around the pages', async function needsProgram() {
      if (!has('gs')) return this.skip();
      const drawn = await runOn((await import('../../src/operations/unlock-pdf-forms.op.js')).unlockPdfForms, form, {});
      const document = await PDFDocument.load(drawn);
      const { context } = document;
      document.getPage(0).drawRectangle({ x: 300, y: 300, width: 50, height: 50, color: rgb(1, 0, 0) });
      const stamp = context.register(
        context.stream('0 0 1 rg 5 5 20 20 re f', {
          Subtype: 'Form',
          BBox: [5, 5, 25, 25],
          Matrix: [0, 1, -1, 0, 0, 0],
        }),
      );
      elements(context, document.getPage(0).node.get(PDFName.of('Annots')));
      document
        .getPage(0)
        .node.Annots()!
        .push(
          context.register(
            context.obj({
              Type: 'Annot',
              Subtype: 'Stamp',
              F: 4,
              Rect: [300, 200, 340, 240],
              AP: { N: stamp },
              Contents: PDFString.of('blue'),
            }),
          ),
        );
      const bytes = await document.save();
      const answer = await call({ replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' }, bytes);
      expect(answer.status).to.equal(200);
      const { document: after, pages } = await openPdf(answer.bytes);
      const spaces = new Set<string>();
      const reader = new ContentReader(after.context);
      const visitor = {
        path: ({ state, fills }: { state: { fill: { space: string } }; fills: boolean }) => {
          if (fills) spaces.add(state.fill.space);
        },
      };
      for (const page of pages) reader.page(page, visitor);
      const annotations = elements(after.context, entry(pages[0]!.dict, 'Annots')).map((value) =>
        asDict(after.context, value)!,
      );
      const kept = annotations.find((annotation) => asName(after.context, entry(annotation, 'Subtype')) === 'Stamp')!;
      reader.stream(
        resolve(after.context, entry(asDict(after.context, entry(kept, 'AP'))!, 'N')) as PDFRawStream,
        undefined,
        visitor,
      );
      expect([...spaces]).to.deep.equal(['DeviceCMYK']);
      expect(annotations.length).to.equal(document.getPage(0).node.Annots()!.size());
      expect([
        readOutlines(after.context).length,
        (readPageLabels(after.context, 2) ?? []).length > 0,
        readAttachments(after.context, pages).length,
        readFields(after.context).length,
      ]).to.deep.equal([1, true, 1, 9]);
      for (const i of [0, 1]) {
        const [a, b] = [await drawPage(bytes, i), await drawPage(answer.bytes, i)];
        expect(a.pixels.length).to.equal(b.pixels.length);
        expect(
          a.pixels.reduce((sum, level, at) => sum + Math.abs(level - (b.pixels[at] ?? 0)), 0) / a.pixels.length,
          `page ${i + 1} looks as before`,
        ).to.be.lessThan(4);
      }
      const blue = (await drawPage(answer.bytes)).at(320, 220);
      expect(blue[2]).to.be.greaterThan(blue[0]);
      expect(await pageText(answer.bytes)).to.contain('Page 1 of the form');
    });
  });

  it('names the program that is missing for CMYK', async () => {
    expect(
      await codeOf(recoloured(await fixture('form.pdf'), { replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' })),
    ).to.equal('PROGRAM_MISSING');
  });
});
