import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { buildDocument, exportDocument, readJsonDocument } from '../../../content/editor/index.js';
import { withPdf, writeContext } from '../../../file/open/index.js';

interface Text {
  text?: string;
  x?: number;
  y?: number;
  fontId?: string;
  fontSize?: number;
  zOrder?: number;
  textMatrix?: number[];
  fillColor?: { colorSpace?: string; components?: number[] };
  charCodes?: number[];
  renderingMode?: number;
}
interface Image {
  id?: string;
  x: number;
  y: number;
  width: number;
  height: number;
  transform?: number[];
  imageFormat?: string;
  imageData?: string;
  inlineImage?: boolean;
  zOrder?: number;
}
interface Annotation {
  subtype?: string;
  contents?: string;
  rect?: number[];
  destination?: string;
}
interface Page {
  pageNumber?: number;
  width?: number;
  height?: number;
  rotation?: number;
  textElements?: Text[];
  imageElements?: Image[];
  annotations?: Annotation[];
  resources?: unknown;
  contentStreams?: unknown[];
}
interface Field {
  name?: string;
  value?: string;
  checked?: boolean;
}
interface Json {
  metadata?: Record<string, unknown>;
  pages: Page[];
  fonts?: Record<string, unknown>[];
  formFields?: Field[];
  [member: string]: unknown;
}

const sample = new URL('../../../../plugins/convert/fixtures/editor-sample.pdf', import.meta.url).pathname;
const DPI = 72;

describe('Editing a document as JSON', function editing() {
  this.timeout(30_000);
  let folder: string;
  let original: string;
  let count = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-editor-'));
    await withPdf({ path: sample }, {}, (opened) => exportDocument(opened, join(folder, 'sample.json')));
    original = readFileSync(join(folder, 'sample.json'), 'utf8');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const build = async (json: unknown): Promise<string> => {
    const document = await buildDocument(
      readJsonDocument(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))),
    );
    const path = join(folder, `${count++}.pdf`);
    writeContext(document.context, path);
    execFileSync('qpdf', ['--check', path], { stdio: 'pipe' });
    return path;
  };
  const edited = (edit: (json: Json) => void): Promise<string> => {
    const json = JSON.parse(original) as Json;
    edit(json);
    return build(json);
  };
  const textOf = (path: string, page?: number): string =>
    execFileSync('pdftotext', [
      ...(page === undefined ? [] : ['-f', String(page), '-l', String(page)]),
      path,
      '-',
    ]).toString();
  const pixels = async (path: string, page: number): Promise<{ data: Buffer; width: number; height: number }> => {
    const png = execFileSync('pdftoppm', ['-r', String(DPI), '-f', String(page), '-l', String(page), '-png', path]);
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  };
  /** Around what differs, as left, top, right, bottom in pixels; undefined when nothing does. */
  const difference = async (one: string, other: string, page: number): Promise<number[] | undefined> => {
    const [a, b] = await Promise.all([pixels(one, page), pixels(other, page)]);
    expect([a.width, a.height]).to.deep.equal([b.width, b.height]);
    let box: number[] | undefined;
    for (let i = 0; i < a.data.length; i += 3) {
      if (a.data[i] === b.data[i] && a.data[i + 1] === b.data[i + 1] && a.data[i + 2] === b.data[i + 2]) continue;
      const [x, y] = [(i / 3) % a.width, Math.floor(i / 3 / a.width)];
      box =
        box === undefined
          ? [x, y, x, y]
          : [Math.min(box[0]!, x), Math.min(box[1]!, y), Math.max(box[2]!, x), Math.max(box[3]!, y)];
    }
    return box;
  };
  const within = (
    box: number[] | undefined,
    [left, top, right, bottom]: readonly [number, number, number, number],
  ): void => {
    expect(box, 'something changed').to.not.equal(undefined);
    expect(
      box![0]! >= left && box![1]! >= top && box![2]! <= right && box![3]! <= bottom,
      `${box!.join(' ')} is in ${left} ${top} ${right} ${bottom}`,
    ).to.equal(true);
  };
  const text = (json: Json, page: number, start: string): Text =>
    json.pages[page]!.textElements!.find((one) => one.text!.startsWith(start))!;

  it('comes back the same when nothing was changed: pixels, text, links, fields, bookmarks', async () => {
    const path = await build(original);
    for (const page of [1, 2]) expect(await difference(sample, path, page), `page ${page}`).to.equal(undefined);
    expect(textOf(path)).to.equal(textOf(sample));
    const shape = (file: string): string =>
      execFileSync('pdfinfo', ['-dests', file], { stdio: ['ignore', 'pipe', 'ignore'] }).toString() +
      execFileSync('pdfinfo', ['-box', '-f', '1', '-l', '2', file])
        .toString()
        .replaceAll(/^(Producer|ModDate|File size|PDF version|Optimized|Creator).*$/gm, '');
    expect(shape(path)).to.equal(shape(sample));
    await withPdf({ path }, {}, async ({ document }) => {
      expect(document.getForm().getTextField('person.name').getText()).to.equal('Ada');
      expect(document.catalog.toString()).to.contain('/Outlines');
    });
  });

  it('changes one word and nothing else, in the font of the line', async () => {
    const path = await edited((json) => {
      text(json, 0, 'Heading').text = 'Heading of the book';
    });
    expect(textOf(path, 1)).to.contain('Heading of the book');
    within(await difference(sample, path, 1), [160, 30, 230, 60]);
    expect(await difference(sample, path, 2)).to.equal(undefined);
    expect(execFileSync('pdffonts', [path]).toString()).to.not.contain('Quire');
  });

  it('leaves what follows a changed text in its line where it was', async () => {
    const path = await edited((json) => {
      text(json, 1, 'Kerned').text = 'Kern and set';
    });
    const told = await reread(path);
    expect(
      told.pages[1]!.textElements!.map(({ text: one, x, y }) => [one, Math.round(x!), Math.round(y!)]),
    ).to.deep.equal([
      ['Kern and set', 40, 640],
      [' goes on', 246, 640],
      ['The next line', 40, 604],
      ['Third line', 40, 568],
      ['Slanted', 60, 380],
      ['Within a form', 50, 100],
    ]);
  });

  it('moves a text, alone', async () => {
    const path = await edited((json) => {
      text(json, 1, 'Third').x! += 100;
      text(json, 0, 'Another').textMatrix![5]! -= 60;
    });
    const told = await reread(path);
    expect([
      Math.round(text(told, 1, 'Third').x!),
      Math.round(text(told, 1, 'Third').y!),
      Math.round(text(told, 0, 'Another').y!),
    ]).to.deep.equal([140, 568, 140]);
    expect(text(told, 1, 'The next').x).to.equal(40);
  });

  it('takes a text out, and an image; neither is in the file any more', async () => {
    const path = await edited((json) => {
      const [first] = json.pages;
      first!.textElements = first!.textElements!.filter(({ text: one }) => !one!.startsWith('Heading'));
      first!.imageElements = first!.imageElements!.filter(({ imageFormat }) => imageFormat !== 'jpeg');
    });
    expect(textOf(path)).to.contain('Another line').and.not.contain('Heading');
    within(await difference(sample, path, 1), [25, 30, 225, 182]);
    expect(execFileSync('pdfimages', ['-list', path]).toString()).to.not.contain('jpeg');
    expect(readFileSync(path).includes('DCTDecode')).to.equal(false);
  });

  it('takes everything out for empty lists, and nothing for missing ones', async () => {
    const path = await edited((json) => {
      json.pages[0]!.textElements = [];
      json.pages[0]!.imageElements = [];
      delete json.pages[1]!.textElements;
      delete json.pages[1]!.imageElements;
    });
    expect(textOf(path, 1).trim()).to.equal('Ada');
    expect(await difference(sample, path, 2)).to.equal(undefined);
  });

  it('changes colours and sizes of text', async () => {
    const path = await edited((json) => {
      text(json, 0, 'Another').fillColor = { colorSpace: 'DeviceRGB', components: [0, 0.5, 0] };
      text(json, 1, 'Within').fillColor = { colorSpace: 'DeviceCMYK', components: [0, 1, 1, 0] };
      text(json, 0, 'Heading').fontSize = 30;
    });
    const told = await reread(path);
    expect(text(told, 0, 'Another').fillColor).to.deep.equal({ colorSpace: 'DeviceRGB', components: [0, 0.5, 0] });
    expect(text(told, 1, 'Within').fillColor).to.deep.equal({ colorSpace: 'DeviceCMYK', components: [0, 1, 1, 0] });
    expect([text(told, 0, 'Heading').fontSize, text(told, 0, 'A line').fontSize]).to.deep.equal([30, 12]);
  });

  it('writes characters that the font lacks with fonts of ours', async () => {
    const path = await edited((json) => {
      text(json, 0, 'A line').text = 'A line in Ж 日本 العربية';
    });
    const found = textOf(path, 1);
    for (const word of ['A line in', 'Ж', '日本', 'العربية']) expect(found).to.contain(word);
    expect(execFileSync('pdffonts', [path]).toString()).to.contain('QuireNoto');
  });

  it('moves and stretches images, and replaces them', async () => {
    const blue = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    const path = await edited((json) => {
      const [first, second] = json.pages;
      const image = first!.imageElements!.find(({ imageFormat }) => imageFormat === 'jpeg')!;
      [image.x, image.width] = [300, 40];
      second!.imageElements![0]!.imageData = blue.toString('base64');
    });
    const told = await reread(path);
    const moved = told.pages[0]!.imageElements!.find(({ imageFormat }) => imageFormat === 'jpeg')!;
    expect([moved.x, moved.y, moved.width, moved.height]).to.deep.equal([300, 120, 40, 60]);
    const { data } = await sharp(Buffer.from(told.pages[1]!.imageElements![0]!.imageData!, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).to.deep.equal([0, 0, 255]);
  });

  it('adds texts and images where they are said to be, on turned pages with other units too', async () => {
    const red = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const path = await edited((json) => {
      json.pages[1]!.textElements!.push({
        text: 'Added',
        x: 300,
        y: 300,
        fontSize: 20,
        fontId: text(json, 0, 'Heading').fontId!,
        fillColor: { colorSpace: 'DeviceGray', components: [0.5] },
      });
      json.pages[1]!.imageElements!.push({ imageData: red.toString('base64'), x: 400, y: 100, width: 50, height: 80 });
    });
    const told = await reread(path);
    const added = text(told, 1, 'Added');
    expect([added.x, added.y, (added as { fontMatrixSize?: number }).fontMatrixSize]).to.deep.equal([300, 300, 20]);
    const image = told.pages[1]!.imageElements!.at(-1)!;
    expect([image.x, image.y, image.width, image.height]).to.deep.equal([400, 100, 50, 80]);
  });

  it('gives fields other values and draws them', async () => {
    const path = await edited((json) => {
      json.formFields!.find(({ name }) => name === 'person.name')!.value = 'Grace';
      json.formFields!.find(({ name }) => name === 'agreed')!.checked = true;
    });
    expect(textOf(path, 1)).to.contain('Grace').and.not.contain('Ada');
    await withPdf({ path }, {}, ({ document }) =>
      expect([
        document.getForm().getTextField('person.name').getText(),
        document.getForm().getCheckBox('agreed').isChecked(),
      ]).to.deep.equal(['Grace', true]),
    );
  });

  it('changes, adds and removes annotations', async () => {
    const path = await edited((json) => {
      const { annotations } = json.pages[1]!;
      annotations!.find(({ subtype }) => subtype === 'Text')!.contents = 'Another remark';
      json.pages[1]!.annotations = [
        ...annotations!.filter(({ subtype }) => subtype !== 'Link'),
        { subtype: 'Link', rect: [10, 10, 60, 30], destination: 'https://example.org/(a)' },
        { subtype: 'Link', rect: [70, 10, 90, 30], destination: '#page=2' },
      ];
    });
    const { annotations } = (await reread(path)).pages[1]!;
    expect(
      annotations!.map(({ subtype, contents, rect, destination }) => [subtype, contents, rect, destination]),
    ).to.deep.equal([
      ['Text', 'Another remark', [480, 640, 520, 680], undefined],
      ['Link', undefined, [10, 10, 60, 30], 'https://example.org/%28a%29'],
      ['Link', undefined, [70, 10, 90, 30], '#page=2'],
    ]);
  });

  it("makes pages of elements alone, of the contract's size where none is said", async () => {
    const path = await build({ pages: [{ textElements: [{ text: 'Plain\nin two lines', x: 50, y: 700 }] }, {}] });
    const info = execFileSync('pdfinfo', ['-f', '1', '-l', '2', path]).toString();
    expect(info.match(/612 x 792/g)).to.have.length(2);
    expect(textOf(path)).to.contain('Plain').and.contain('in two lines');
    expect(execFileSync('pdfinfo', [await build({})]).toString()).to.match(/Pages:\s+1/);
  });

  it('keeps pages that were put in another order, with their links', async () => {
    const path = await edited((json) => {
      json.pages.reverse();
    });
    expect(textOf(path, 2)).to.contain('Heading');
    expect((await reread(path)).pages[0]!.annotations![0]).to.include({ subtype: 'Link', destination: '#page=2' });
  });

  it('never reads another file', async () => {
    const secret = join(folder, 'secret.txt');
    const name = (value: string): object => ({ type: 'NAME', value });
    const path = await build({
      pages: [
        {
          contentStreams: [
            {
              dictionary: {
                F: { type: 'STRING', value: Buffer.from(secret).toString('base64') },
                FFilter: name('FlateDecode'),
              },
              rawData: Buffer.from('0 0 10 10 re f').toString('base64'),
            },
          ],
        },
      ],
    });
    const bytes = readFileSync(path).toString('latin1');
    expect(bytes).to.not.contain('secret').and.not.contain('FFilter');
  });

  async function reread(path: string): Promise<Json> {
    const target = join(folder, `${count++}.json`);
    await withPdf({ path }, {}, (opened) => exportDocument(opened, target));
    return JSON.parse(readFileSync(target, 'utf8')) as Json;
  }
});
