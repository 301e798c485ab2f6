import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { PDFDocument, PDFName, type PDFRawStream, PDFString, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { codeOf, type Drawn, drawPage, fixture, pageText, runOn } from './recolour-support.js';
import { recoloured, inverted, has, pageOf, saved, WORD } from './replace-invert-support.js';

describe('replace-invert-pdf', function () {
  this.timeout(90_000);

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

    it('converts pages, fields and notes to CMYK, and keeps the rest of the document', async function needsProgram() {
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
