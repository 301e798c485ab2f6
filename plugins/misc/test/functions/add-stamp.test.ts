import { expect } from 'chai';
import { editBytes } from '@quire/document/file/open';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import {
  type ImageStamp,
  type TextStamp,
  addImageStamp,
  addTextStamp,
  readStampFacts,
} from '../../src/functions/add-stamp.js';
import { colourAt, fixture, inkOf, pageText, refusal } from '../page-pixels.js';

const style = {
  fontSize: 20,
  rotation: 0,
  opacity: 1,
  position: 5,
  overrideX: -1,
  overrideY: -1,
  customMargin: 'medium',
  pages: [0],
};
const text: TextStamp = { ...style, text: 'HXH', alphabet: 'roman', colour: '#ff0000' };
const stamped = (bytes: Uint8Array, stamp: Partial<TextStamp>): Promise<Uint8Array> =>
  editBytes(bytes, { mode: 'append' }, (opened) =>
    addTextStamp(
      opened,
      { ...text, ...stamp },
      readStampFacts(opened, {
        now: new Date('2026-03-06T12:00:00Z'),
        zone: 'UTC',
        fileName: 'a.b.pdf',
        uuid: () => crypto.randomUUID().slice(0, 8),
      }),
    ),
  );
const red = () =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
const pictured = async (bytes: Uint8Array, stamp: Partial<ImageStamp>): Promise<Uint8Array> => {
  const image = stamp.image ?? (await red());
  return editBytes(bytes, { mode: 'append' }, (opened) =>
    addImageStamp(opened, { ...style, kind: 'png', ...stamp, image }),
  );
};

async function blank(width = 400, height = 300): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([width, height]);
  return document.save();
}

describe('addTextStamp', function () {
  this.timeout(60_000);

  it('has nine positions, 1 at the top left', async () => {
    const page = await blank();
    for (let position = 1; position <= 9; position++) {
      const box = (await inkOf(await stamped(page, { position }), 0, 'red'))!;
      const [x, y] = [(box.left + box.right) / 2, (box.bottom + box.top) / 2];
      expect(Math.floor((x / 400) * 3), `column of ${position}`).to.equal((position - 1) % 3);
      expect(2 - Math.floor((y / 300) * 3), `row of ${position}`).to.equal(Math.floor((position - 1) / 3));
    }
  });

  it('uses margins relative to the average of width and height; an unknown name means medium', async () => {
    const page = await blank();
    for (const [customMargin, factor] of Object.entries({
      small: 0.02,
      medium: 0.035,
      LARGE: 0.05,
      'x-large': 0.075,
      huge: 0.035,
    })) {
      const margin = factor * 350;
      const top = (await inkOf(await stamped(page, { position: 1, customMargin, fontSize: 8 }), 0, 'red'))!;
      expect(top.left, customMargin).to.be.closeTo(margin, 1.5);
      expect(top.bottom, 'the first baseline is at the margin').to.be.closeTo(300 - Math.max(margin, 6), 1);
      const bottom = (await inkOf(await stamped(page, { position: 9, customMargin }), 0, 'red'))!;
      expect(bottom.right, customMargin).to.be.closeTo(400 - margin, 3);
      expect(bottom.bottom, customMargin).to.be.closeTo(margin + 0.293 * 20, 1.5);
    }
  });

  it('never extends beyond the page, however small the margin', async () => {
    const box = (await inkOf(await stamped(await blank(), { position: 2, fontSize: 60, text: 'ÅÅ' }), 0, 'red'))!;
    expect(box.top).to.be.within(297, 300);
    expect(box.top - box.bottom).to.be.greaterThan(50);
  });

  it('uses the given point only if both overrides are 0 or more', async () => {
    const page = await blank();
    const given = (await inkOf(await stamped(page, { overrideX: 40, overrideY: 0 }), 0, 'red'))!;
    expect([given.left, given.bottom]).to.satisfy(([x, y]: number[]) => Math.abs(x! - 41.5) < 2 && y! < 1);
    const half = (await inkOf(await stamped(page, { overrideX: 40, overrideY: -1 }), 0, 'red'))!;
    expect((half.left + half.right) / 2).to.be.closeTo(200, 2);
  });

  it('rotates counter-clockwise, and is aligned as a whole', async () => {
    const box = (await inkOf(await stamped(await blank(), { rotation: 90, position: 7 }), 0, 'red'))!;
    expect(box.top - box.bottom).to.be.greaterThan((box.right - box.left) * 2);
    expect(box.bottom).to.be.closeTo(12.25, 3);
    const middle = (await inkOf(await stamped(await blank(), { rotation: 45 }), 0, 'red'))!;
    expect([(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2]).to.satisfy(
      ([x, y]: number[]) => Math.abs(x! - 200) < 5 && Math.abs(y! - 150) < 5,
    );
  });

  it('is upright at the same position on rotated and cropped pages and with another unit', async () => {
    const bytes = await stamped(await fixture('turned-and-cropped.pdf'), {
      position: 1,
      pages: [0, 1, 2, 3, 4, 5],
      fontSize: 14,
    });
    // The renderer shows pages in their own unit: half of everything on the last one.
    const places = [
      [400, 300, 1],
      [300, 400, 1],
      [400, 300, 1],
      [300, 400, 1],
      [200, 300, 1],
      [200.5, 150.25, 0.5],
    ] as const;
    for (const [page, [width, height, unit]] of places.entries()) {
      const box = (await inkOf(bytes, page, 'red'))!;
      // The frame of the cropped page is itself red.
      if (page !== 4) {
        expect(box.left, `page ${page}`).to.be.closeTo((0.035 * (width + height)) / 2, 3);
        expect(box.right - box.left, `page ${page}`).to.be.within(25 * unit, 40 * unit);
      }
      expect(box.top, `page ${page}`).to.be.within(height - 5, height);
      expect(await pageText(bytes, page)).to.contain('HXH');
    }
  });

  it('breaks lines and expands placeholders separately for each page', async () => {
    const bytes = await stamped(await fixture('turned-and-cropped.pdf'), {
      text: '@title: @page/@page_count\\n@filename @date{yyyy}\\nid @uuid',
      pages: [0, 5],
    });
    const [first, last] = [await pageText(bytes, 0), await pageText(bytes, 5)];
    expect(first).to.contain('Quarterly report: 1/6').and.to.contain('a.b 2026').and.not.to.contain('\\n');
    expect(last).to.contain('Quarterly report: 6/6');
    expect(/id (\w{8})/.exec(first)?.[1]).to.not.equal(/id (\w{8})/.exec(last)?.[1]);
    expect(await pageText(bytes, 1)).to.not.contain('report');
  });

  it('writes six alphabets, also mixed, as searchable text', async () => {
    const words = {
      roman: 'Ärger',
      arabic: 'سري',
      japanese: '社外秘です',
      korean: '대외비',
      chinese: '机密',
      thai: 'น้ำที่',
    };
    const page = await blank();
    for (const alphabet of Object.keys(words)) {
      const found = await pageText(
        await stamped(page, { alphabet, fontSize: 14, text: Object.values(words).join(' ') }),
      );
      for (const word of Object.values(words)) expect(found, `${word} in ${alphabet}`).to.contain(word);
    }
  });

  it('shows a question mark for document values without a font, but refuses such text from the caller', async () => {
    const document = await PDFDocument.load(await blank());
    document.setTitle('Party 𒀀');
    expect(await pageText(await stamped(await document.save(), { text: '<@title>' }))).to.contain('<Party ?>');
    expect(await refusal(stamped(await blank(), { text: '𒀀' }))).to.equal('INPUT_INVALID');
  });

  it('is light grey for an unreadable colour, and applies opacity', async () => {
    const page = await blank();
    const grey = await stamped(page, { text: '██', fontSize: 60, colour: 'pinkish' });
    expect(await colourAt(grey, 0, 200, 150)).to.deep.equal([192, 192, 192]);
    const half = await stamped(page, { text: '██', fontSize: 60, opacity: 0.5 });
    expect((await colourAt(half, 0, 200, 150))[1]).to.be.within(126, 129);
  });

  it('writes one font and one form for text that is the same on all pages', async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let i = 0; i < 60; i++) document.addPage([300, 300]).drawText('own', { font });
    const many = await document.save();
    const all = await stamped(many, { pages: Array.from({ length: 60 }, (_, i) => i) });
    const one = await stamped(many, { pages: [0] });
    expect(all.length - one.length).to.be.lessThan(60 * 300);
  });
});

describe('addImageStamp', function () {
  this.timeout(60_000);

  it('has the requested height, proportional width and its position', async () => {
    const box = await inkOf(await pictured(await blank(), { fontSize: 40, position: 9 }), 0, 'red');
    expect(box).to.deep.equal({ left: 400 - 12 - 80.5, bottom: 12, right: 388, top: 52.5 });
  });

  it('is moved back into the page', async () => {
    const out = (await inkOf(
      await pictured(await blank(), { fontSize: 40, overrideX: 390, overrideY: 290 }),
      0,
      'red',
    ))!;
    expect([out.right, out.top, out.left, out.bottom]).to.deep.equal([400, 300, 320, 260]);
    const turned = (await inkOf(await pictured(await blank(), { fontSize: 40, rotation: 90, position: 4 }), 0, 'red'))!;
    expect([turned.left, turned.right]).to.deep.equal([0, 40]);
  });

  it('rotates about its lower left corner', async () => {
    const box = (await inkOf(
      await pictured(await blank(), { fontSize: 40, rotation: 180, overrideX: 200, overrideY: 150 }),
      0,
      'red',
    ))!;
    expect([box.left, box.right, box.bottom, box.top]).to.deep.equal([120, 200, 110, 150]);
  });

  it('is upright on rotated pages and within the visible part of cropped ones', async () => {
    const picture = await sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" ' +
          'fill="#00f"/><rect x="10" width="10" height="10" fill="#0f0"/></svg>',
      ),
    )
      .png()
      .toBuffer();
    const bytes = await pictured(await fixture('turned-and-cropped.pdf'), {
      image: picture,
      fontSize: 20,
      position: 7,
      pages: [0, 1, 2, 3, 4, 5],
    });
    for (let page = 0; page < 6; page++) {
      const [blue, green] = [(await inkOf(bytes, page, 'blue'))!, (await inkOf(bytes, page, 'green'))!];
      expect(blue.right, `page ${page}`).to.be.closeTo(green.left, 1);
      expect([blue.left, blue.bottom], `page ${page}`).to.satisfy((ends: number[]) =>
        ends.every((end) => end > 5.5 && end < 14),
      );
    }
  });

  it('keeps transparency, and applies opacity', async () => {
    const half = await pictured(await blank(), { fontSize: 100, opacity: 0.5 });
    expect((await colourAt(half, 0, 200, 150))[1]).to.be.within(126, 129);
    const clear = await sharp({
      create: { width: 10, height: 10, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    expect(await colourAt(await pictured(await blank(), { image: clear, fontSize: 100 }), 0, 200, 150)).to.deep.equal([
      255, 255, 255,
    ]);
  });

  it('accepts PNG, JPEG, GIF and BMP, and refuses other files', async () => {
    const page = await blank();
    for (const kind of ['jpeg', 'gif'] as const)
      expect(
        await inkOf(
          await pictured(page, {
            kind,
            image: await sharp(await red())
              .toFormat(kind)
              .toBuffer(),
          }),
          0,
          'red',
        ),
        kind,
      ).to.not.equal(undefined);
    // A bitmap of one row; red, green and blue are stored in reverse order (BITMAPINFOHEADER).
    const bitmap = Buffer.alloc(58);
    bitmap.write('BM');
    for (const [value, at] of [
      [58, 2],
      [54, 10],
      [40, 14],
      [1, 18],
      [1, 22],
    ] as const)
      bitmap.writeInt32LE(value, at);
    bitmap.writeInt16LE(1, 26);
    bitmap.writeInt16LE(24, 28);
    bitmap[56] = 255;
    expect(await inkOf(await pictured(page, { kind: 'bmp', image: bitmap }), 0, 'red'), 'bmp').to.not.equal(undefined);
    expect(await refusal(pictured(page, { image: await fixture('program.png') }))).to.equal('IMAGE_UNREADABLE');
  });
});
