import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degrees, PDFDict, PDFString } from 'pdf-lib';
import sharp from 'sharp';
import { type FieldValue, fillForm, readForm } from '../../forms/index.js';
import { editBytes, openPdf } from '../../file/open/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { renderPage } from '../../engines/rendering/index.js';
import { corpus, corpusFile } from '../support.js';
import { formOf, name, text } from './forms-support.js';

/** Grey values of a page, rows from the top, at 1 pixel per point (times its unit). */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly greys: Uint8Array;
}

const DPI = 72;
let folder = '';
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
};

async function greysOf(
  input: Buffer | Uint8Array,
  raw?: { width: number; height: number; channels: 4 },
): Promise<Picture> {
  const { data, info } = await sharp(input, raw === undefined ? {} : { raw })
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, greys: data };
}

async function byPdfium(bytes: Uint8Array, page: number): Promise<Picture> {
  return withDocument(bytes, {}, (document) => {
    const { width, height } = document.pageGeometry(page);
    const size = { width: Math.round(width), height: Math.round(height) };
    return greysOf(renderPage(document, page, { ...size, annotations: true }), { ...size, channels: 4 });
  });
}

async function byProgram(program: 'pdftoppm' | 'mutool', path: string, page: number, size: Picture): Promise<Picture> {
  const target = join(folder, 'page');
  if (program === 'pdftoppm')
    execFileSync(
      'pdftoppm',
      [
        '-r',
        String(DPI),
        '-f',
        String(page + 1),
        '-l',
        String(page + 1),
        '-cropbox',
        '-png',
        '-singlefile',
        path,
        target,
      ],
      { stdio: 'ignore' },
    );
  // This program ignores /UserUnit.
  else
    execFileSync(
      'mutool',
      [
        'draw',
        '-w',
        String(size.width),
        '-h',
        String(size.height),
        '-f',
        '-o',
        `${target}.png`,
        path,
        String(page + 1),
      ],
      { stdio: 'ignore' },
    );
  return greysOf(await readFile(`${target}.png`));
}

/**
 * Returns the share of dark pixels in one image without a dark pixel in the other within two pixels: letters may be a
 * pixel off, but no word may be missing.
 */
function unmatched(one: Picture, other: Picture): number {
  const dark = ({ width, height, greys }: Picture, x: number, y: number, limit: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && (greys[y * width + x] ?? 255) < limit;
  let [count, lonely] = [0, 0];
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      if (!dark(one, x, y, 100)) continue;
      count++;
      let near = false;
      for (let dy = -2; dy <= 2 && !near; dy++)
        for (let dx = -2; dx <= 2 && !near; dx++) near = dark(other, x + dx, y + dy, 200);
      if (!near) lonely++;
    }
  }
  return count === 0 ? 0 : lonely / count;
}

const R = (left: number, bottom: number, width = 150, height = 22): readonly [number, number, number, number] => [
  left,
  bottom,
  left + width,
  bottom + height,
];
const frame = { MK: { BC: [0.4, 0.4, 0.4] } };
const style = (size: number): { DA: PDFString } => ({ DA: PDFString.of(`/Helv ${size} Tf 0 0 0.6 rg`) });
const words = ['one', 'two', 'three', 'four', 'five'].map(text);
/** Every field type and drawing style: the filled-in value, and the text that must be read. */
const samples: readonly (readonly [entries: Record<string, unknown>, value: string, read: string])[] = [
  [{ rect: R(10, 370), FT: 'Tx', ...style(12) }, 'Left Ärger', 'Left Ärger'],
  [{ rect: R(10, 340), FT: 'Tx', Q: 1, ...style(12) }, 'Middle', 'Middle'],
  [{ rect: R(10, 310), FT: 'Tx', Q: 2, ...style(0) }, 'Right and sized', 'Right and sized'],
  [{ rect: R(10, 280), FT: 'Tx', Ff: 1 << 24, MaxLen: 8, ...style(12) }, 'COMB 42', ''],
  [
    { rect: R(10, 200, 150, 70), FT: 'Tx', Ff: 1 << 12, ...style(0) },
    `${'several words in lines '.repeat(8)}end`,
    'end',
  ],
  [{ rect: R(10, 170), FT: 'Tx', Ff: 1 << 13, ...style(12) }, 'geheim', '******'],
  [{ rect: R(10, 140), FT: 'Ch', Ff: 1 << 17, Opt: words, ...style(11) }, 'TWO', 'two'],
  [{ rect: R(10, 80, 150, 50), FT: 'Ch', Ff: 1 << 21, Opt: words, ...style(10) }, 'two,three', 'three'],
  [{ rect: R(10, 50), FT: 'Tx', Ff: 1, BS: { W: 3, S: 'B' }, ...style(11) }, 'raised', 'raised'],
  [{ rect: R(10, 20, 20, 20), FT: 'Btn' }, 'yes', ''],
  [{ rect: R(40, 20, 20, 20), FT: 'Btn', Ff: 1 << 15, AS: name('a') }, 'a', ''],
  [{ rect: R(180, 370), FT: 'Tx', ...style(12) }, 'سلام عليكم', 'سلام عليكم'],
  [{ rect: R(180, 340), FT: 'Tx', Q: 2, ...style(12) }, 'שלום (1)', 'שלום'],
  [{ rect: R(180, 310), FT: 'Tx', ...style(12) }, 'हिन्दी कर्म', 'हिन्दी कर्म'],
  [{ rect: R(180, 280), FT: 'Tx', ...style(12) }, '東京 서울 かな', '東京 서울 かな'],
  [{ rect: R(180, 250), FT: 'Tx', ...style(12) }, 'กรุงเทพ น้ำ', 'กรุงเทพ น้ำ'],
  [{ rect: R(180, 220), FT: 'Tx', ...style(12) }, 'Ωμέγα жук 😀', 'Ωμέγα жук 😀'],
  [{ rect: R(180, 100, 22, 110), FT: 'Tx', ...style(12), MK: { ...frame.MK, R: 90 } }, 'Upwards', 'Upwards'],
  [{ rect: R(210, 188), FT: 'Tx', ...style(12), MK: { ...frame.MK, R: 180 } }, 'Upside', 'Upside'],
  [{ rect: R(335, 250, 22, 140), FT: 'Tx', ...style(12), MK: { ...frame.MK, R: 270 } }, 'Downwards', 'Downwards'],
];

/** Fills in this form: upright, or rotated, cropped and with its own unit. */
async function sample(odd: boolean): Promise<Uint8Array> {
  const document = await formOf(
    samples.map(([entries]) => ({ ...frame, ...entries }) as never),
    {},
    [[370, 410]],
  );
  if (odd) {
    const page = document.getPage(0);
    page.setRotation(degrees(90));
    page.setCropBox(5, 15, 357, 381);
    page.node.set(name('UserUnit'), document.context.obj(1.5));
  }
  const values: FieldValue[] = samples.map(([, value], i) => ({ name: `field${i}`, value, pointer: '' }));
  return editBytes(await document.save(), {}, (opened) => fillForm(opened, values));
}

describe('images of filled forms', function () {
  this.timeout(60_000);
  const programs = (['pdftoppm', 'mutool'] as const).filter(has);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-filled-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Checks that every engine shows what the others drew. */
  const same = async (bytes: Uint8Array, page: number, most: number): Promise<void> => {
    const path = join(folder, 'filled.pdf');
    await writeFile(path, bytes);
    const own = await byPdfium(bytes, page);
    for (const program of programs) {
      const other = await byProgram(program, path, page, own);
      expect(
        [other.width, other.height].map((side, i) => Math.abs(side - [own.width, own.height][i]!) <= 1),
        program,
      ).to.deep.equal([true, true]);
      expect(Math.max(unmatched(own, other), unmatched(other, own)), program).to.be.lessThan(most);
    }
  };

  for (const odd of [false, true]) {
    it(
      `are equal in every engine for all field types${odd ? ', on a rotated and cropped page with its own unit' : ''}` +
        (programs.length === 0 ? ' (skipped: no other engine)' : ''),
      async function needsPrograms() {
        if (programs.length === 0) return this.skip();
        await same(await sample(odd), 0, 0.01);
      },
    );
  }

  it('differ from those of an empty form', async () => {
    const [full, empty] = [
      await byPdfium(await sample(false), 0),
      await byPdfium(await (await formOf([], {}, [[370, 410]])).save(), 0),
    ];
    expect(unmatched(full, empty)).to.equal(1);
  });

  const readTitle = `contain text that another program reads${has('pdftotext') ? '' : ' (skipped: no pdftotext)'}`;
  it(readTitle, async function needsPdftotext() {
    if (!has('pdftotext')) return this.skip();
    const path = join(folder, 'read.pdf');
    await writeFile(path, await sample(false));
    // pdftotext adds direction marks.
    const read = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).replaceAll(
      /[\u200e\u200f\u202a-\u202e]/g,
      '',
    );
    for (const [, , wanted] of samples) expect(read).to.contain(wanted);
    expect(read).not.to.contain('geheim');
  });

  for (const file of [
    'pdf-lib/fancy_fields.pdf',
    'pdfbox/AcroFormsRotation.pdf',
    'pdfbox/CombTest.pdf',
    'pdfbox/AcroFormsBasicFields.pdf',
  ]) {
    it(
      `are equal in every engine: ${file}` +
        (corpus === undefined || programs.length === 0 ? ' (skipped: no ../shared/corpus, or no other engine)' : ''),
      async function needsCorpus() {
        if (corpus === undefined || programs.length === 0 || !existsSync(join(corpus, file))) return this.skip();
        const source = corpusFile(file);
        const { fields } = readForm(await openPdf(source))!;
        const values = fields.flatMap(({ name: field, kind, options, node }): FieldValue[] => {
          const most = kind === 'text' ? Number(node.dict.lookup(name('MaxLen'))?.toString() ?? 20) : 0;
          return kind === 'text'
            ? [{ name: field, value: 'Muster Ärger 12'.slice(0, most), pointer: '' }]
            : options[0] === undefined
              ? []
              : [{ name: field, value: options[0].value, pointer: '' }];
        });
        const bytes = await editBytes(source, {}, (opened) => fillForm(opened, values));
        expect((await openPdf(bytes)).document.catalog.lookup(name('AcroForm'))).to.be.instanceOf(PDFDict);
        await same(bytes, 0, 0.05);
      },
    );
  }
});
