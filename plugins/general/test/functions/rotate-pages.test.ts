import { editBytes } from '@quire/document/file/open';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { rotatePages } from '../../src/functions/pages/rotate-pages.js';

type Mode = 'append' | 'rewrite';

const rotated = (bytes: Uint8Array, angle: number, mode: Mode): Promise<Uint8Array> =>
  editBytes(bytes, { mode, repair: false }, (opened) => void rotatePages(opened, angle));

async function rotations(bytes: Uint8Array): Promise<number[]> {
  return (await PDFDocument.load(bytes, { updateMetadata: false })).getPages().map((page) => page.getRotation().angle);
}

async function turned(...angles: number[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const angle of angles) document.addPage([200, 100]).node.set(PDFName.of('Rotate'), PDFNumber.of(angle));
  return document.save();
}

for (const mode of ['append', 'rewrite'] as const)
  describe(`rotating pages, written by ${mode}`, () => {
    it('adds the angle to the current rotation of each page and normalises the sum', async () => {
      expect(await rotations(await rotated(await turned(0, 90, 270, -90), 180, mode))).to.deep.equal([
        180, 270, 90, 90,
      ]);
    });

    it('accepts negative angles and angles above a full turn', async () => {
      expect(await rotations(await rotated(await turned(0, 90), -90, mode))).to.deep.equal([270, 0]);
      expect(await rotations(await rotated(await turned(0), 450, mode))).to.deep.equal([90]);
    });

    it('includes an inherited rotation', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      document.addPage([200, 100]);
      document.catalog.Pages().set(PDFName.of('Rotate'), PDFNumber.of(90));
      expect(await rotations(await rotated(await document.save(), 90, mode))).to.deep.equal([180]);
    });

    it('turns the root of the page tree alone where all pages inherit from it', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      for (let n = 0; n < 40; n++) document.addPage([200, 100]);
      const [root, pages] = [document.catalog.Pages(), document.getPages()];
      const node = document.context.obj({
        Type: 'Pages',
        Count: 39,
        Parent: document.catalog.get(PDFName.of('Pages')),
      });
      const below = document.context.register(node);
      node.set(PDFName.of('Kids'), document.context.obj(pages.slice(1).map((page) => page.ref)));
      for (const page of pages.slice(1)) page.node.set(PDFName.of('Parent'), below);
      root.set(PDFName.of('Kids'), document.context.obj([pages[0]!.ref, below]));
      const before = await document.save();
      const once = await rotated(before, 90, mode);
      expect(await rotations(once)).to.deep.equal(Array<number>(40).fill(90));
      expect((await PDFDocument.load(once)).getPages().some((page) => page.node.has(PDFName.of('Rotate')))).to.equal(
        false,
      );
      if (mode === 'append') expect(once.length - before.length).to.be.lessThan(1500);
      expect(await rotations(await rotated(once, -90, mode))).to.deep.equal(Array<number>(40).fill(0));
      // One page with a rotation of its own, in the file or in a node above it, turns the pages instead.
      node.set(PDFName.of('Rotate'), PDFNumber.of(180));
      expect((await rotations(await rotated(await document.save(), 90, mode))).slice(0, 3)).to.deep.equal([
        90, 270, 270,
      ]);
    });

    it('turns the pages themselves where their parents do not lead to the root', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      for (let n = 0; n < 3; n++) document.addPage([200, 100]);
      document.getPages()[1]?.node.delete(PDFName.of('Parent'));
      const after = await PDFDocument.load(await rotated(await document.save(), 90, mode));
      expect(after.getPages().map((page) => page.node.get(PDFName.of('Rotate'))?.toString())).to.deep.equal([
        '90',
        '90',
        '90',
      ]);
    });

    it('rotates a page that occurs twice in the page tree only once', async () => {
      const document = await PDFDocument.create({ updateMetadata: false });
      const page = document.addPage([200, 100]);
      document.catalog.Pages().Kids().push(page.ref);
      document.catalog.Pages().set(PDFName.of('Count'), PDFNumber.of(2));
      expect(await rotations(await rotated(await document.save(), 90, mode))).to.deep.equal([90, 90]);
    });

    it('keeps the bytes before only when it appends', async () => {
      const before = Buffer.from(await turned(0, 90));
      const after = Buffer.from(await rotated(before, 90, mode));
      expect(after.subarray(0, before.length).equals(before)).to.equal(mode === 'append');
      expect(await rotations(after)).to.deep.equal([90, 180]);
    });

    it('leaves the pages unchanged for an angle of zero', async () => {
      expect(await rotations(await rotated(await turned(90), 0, mode))).to.deep.equal([90]);
    });
  });
