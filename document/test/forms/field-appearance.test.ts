import { expect } from 'chai';
import { PDFString } from 'pdf-lib';
import { FieldFonts, parseDefaultAppearance, refreshAppearance } from '../../forms/index.js';
import { editBytes } from '../../file/open/index.js';
import { allFieldNodes, readFields } from '../../forms/fields/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { draw, type DrawnPage, type FieldSpec, formOf, name, text } from './forms-support.js';
import { everythingIn } from '../support.js';

/** Draws fields with our own appearances; returns how they look and read. */
async function drawn(
  fields: readonly FieldSpec[],
  form: object = {},
): Promise<DrawnPage & { readonly bytes: Uint8Array }> {
  const document = await formOf(fields, form);
  const bytes = await editBytes(await document.save(), {}, async (opened) => {
    const fonts = new FieldFonts(opened.document);
    for (const node of allFieldNodes(readFields(opened.document.context)))
      await refreshAppearance(opened.document.context, node, fonts);
    fonts.embed();
  });
  return { ...(await draw(bytes)), bytes };
}

/** Returns the text of the page after its fields were flattened. */
async function readable(fields: readonly FieldSpec[], form: object = {}): Promise<string> {
  const { flattenForm } = await import('../../forms/index.js');
  const bytes = await editBytes(await (await formOf(fields, form)).save(), {}, (opened) => flattenForm(opened));
  return withDocument(bytes, {}, (document) => document.pageText(0));
}

const rect = [50, 200, 250, 230] as const;
const box = (left: number, bottom: number, right: number, top: number): readonly [number, number, number, number] => [
  left,
  bottom,
  right,
  top,
];

describe('fieldAppearance', function () {
  this.timeout(60_000);

  it('parses default appearances and ignores invalid parts', () => {
    expect(parseDefaultAppearance('/He#6cv 0 Tf 1 0 0 rg')).to.deep.equal({
      font: 'Helv',
      size: 0,
      colour: '1 0 0 rg',
    });
    expect(parseDefaultAppearance('0.5 g/F1 -9 Tf')).to.deep.equal({ font: 'F1', size: 9, colour: '0.5 g' });
    expect(parseDefaultAppearance('2 0 0 0 k (x) Tj /F Tf 1 rg')).to.deep.equal({
      font: '',
      size: 0,
      colour: '1 0 0 0 k',
    });
  });

  it('aligns text left, centred and right', async () => {
    for (const [Q, left, right] of [
      [0, true, false],
      [1, false, false],
      [2, false, true],
    ] as const) {
      const { ink } = await drawn([{ rect, FT: 'Tx', V: text('Word'), Q }]);
      expect([ink(box(50, 200, 85, 230)) > 20, ink(box(215, 200, 250, 230)) > 20], `quadding ${Q}`).to.deep.equal([
        left,
        right,
      ]);
      expect(ink(box(130, 200, 170, 230)) > 20).to.equal(Q === 1);
    }
  });

  it('shows the beginning of text that is too long', async () => {
    const DA = PDFString.of('0 g /Helv 12 Tf');
    const edge = box(220, 200, 250, 230);
    const [start, narrow] = ['\u05d0\u05d1\u05d2', '\u05d9'.repeat(300)];
    const inkOf = async (value: string, Q: number, at = edge): Promise<number> =>
      (await drawn([{ rect, FT: 'Tx', V: text(value), DA, Q }])).ink(at);
    const wanted = await inkOf(start, 2);
    expect(wanted).to.be.greaterThan(30);
    for (const Q of [0, 1, 2])
      expect(await inkOf(`${start} ${' '.repeat(20)}${narrow}`, Q), `from the right, quadding ${Q}`).to.equal(wanted);
    const left = box(50, 200, 80, 230);
    expect(await inkOf(`WWW ${' '.repeat(20)}${'i'.repeat(300)}`, 2, left), 'from the left').to.equal(
      await inkOf('WWW', 0, left),
    );
  });

  it('chooses a size that fills the line height, and a smaller one for long text', async () => {
    const style = PDFString.of('0 g /Helv 0 Tf');
    const short = await drawn([{ rect, FT: 'Tx', V: text('Hg'), DA: style }]);
    expect(short.ink(box(50, 218, 250, 230))).to.be.greaterThan(10);
    const long = await drawn([{ rect, FT: 'Tx', V: text('W'.repeat(60)), DA: style }]);
    expect(long.ink(box(50, 222, 250, 230))).to.equal(0);
    expect(long.ink(box(235, 205, 249, 225)), 'it reaches the right end').to.be.greaterThan(5);
    expect(long.ink(box(251, 190, 300, 240)), 'and not beyond').to.equal(0);
  });

  it('breaks lines at words, keeps line breaks, and shrinks text until it fits', async () => {
    const Ff = 4096;
    const high = [50, 150, 250, 230] as const;
    const spoken = await readable([
      { rect: high, FT: 'Tx', Ff, V: text('one two three four five six seven eight nine ten eleven twelve\rthirteen') },
    ]);
    const lines = spoken.trim().split(/\r\n/);
    expect(lines.length).to.equal(3);
    expect(lines.at(-1)).to.equal('thirteen');
    expect(spoken.replace(/\s+/g, ' ').trim()).to.equal(
      'one two three four five six seven eight nine ten eleven twelve thirteen',
    );
    const much = 'many words '.repeat(60);
    const { ink } = await drawn([{ rect: high, FT: 'Tx', Ff, V: text(much), DA: PDFString.of('/Helv 0 Tf 0 g') }]);
    expect(ink(box(50, 150, 250, 170)), 'the last lines').to.be.greaterThan(50);
  });

  it('draws the visible part of very long texts without blanks quickly, in any script', async () => {
    for (const part of ['x', 'مرحبا', '吾輩は猫である']) {
      const value = part.repeat(Math.ceil(1_000_000 / part.length));
      const { ink } = await drawn([
        { FT: name('Tx'), V: text(value), Ff: 1 << 12, rect: [20, 150, 280, 250], DA: PDFString.of('/Helv 0 Tf 0 g') },
        { FT: name('Tx'), V: text(value), rect: [20, 50, 280, 80], DA: PDFString.of('/Helv 0 Tf 0 g') },
      ]);
      for (const seen of [box(25, 155, 275, 165), box(25, 235, 275, 245), box(25, 52, 275, 78)])
        expect(ink(seen), part).to.be.above(0);
    }
    // An algorithm with quadratic time takes 20 seconds or more for each part.
  }).timeout(60_000);

  it('breaks a word that is wider than the field', async () => {
    const long = 'ab'.repeat(1000);
    const lines = (
      await readable([
        {
          FT: name('Tx'),
          V: text(`then ${long}`),
          Ff: 1 << 12,
          rect: [10, 10, 290, 290],
          DA: PDFString.of('/Helv 5 Tf 0 g'),
        },
      ])
    )
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    expect(lines[0]).to.equal('then');
    expect(lines.slice(1).join('')).to.equal(long);
    expect(new Set(lines.slice(1, -1).map((line) => line.length)).size, 'all lines but the last are full').to.equal(1);
  });

  it('draws each character of a comb in its cell', async () => {
    const { ink } = await drawn([{ rect, FT: 'Tx', Ff: 1 << 24, MaxLen: 10, V: text('IIII') }]);
    for (let i = 0; i < 10; i++) {
      const cell = box(50 + i * 20, 200, 70 + i * 20, 230);
      expect(ink(cell) > 0, `cell ${i + 1}`).to.equal(i < 4);
      if (i < 4) expect(ink(box(cell[0] + 6, 200, cell[2] - 6, 230)), 'in the middle').to.equal(ink(cell));
    }
  });

  it('fills the cells of a comb from the right for right-to-left scripts, except numbers', async () => {
    const comb = (value: string): FieldSpec => ({
      FT: name('Tx'),
      V: text(value),
      Ff: 1 << 24,
      MaxLen: 5,
      rect: [50, 200, 250, 230],
    });
    const { ink } = await drawn([comb('אי')]);
    const { ink: single } = await drawn([comb('א')]);
    // The wide letter comes first, so it is to the right of the narrow one.
    expect(ink(box(95, 202, 125, 228))).to.equal(single(box(55, 202, 85, 228)));
    const { ink: digits } = await drawn([comb('א12')]);
    const { ink: latin } = await drawn([comb('x12')]);
    expect([digits(box(55, 202, 85, 228)) > 0, digits(box(135, 202, 165, 228))]).to.deep.equal([
      true,
      single(box(55, 202, 85, 228)),
    ]);
    expect(latin(box(95, 202, 125, 228))).to.be.above(0);
  });

  it('hides passwords', async () => {
    expect(await readable([{ rect, FT: 'Tx', Ff: 8192, V: text('geheim') }])).to.match(/^\*{6}\s*$/);
  });

  it("draws every script with one embedded font if the field's own font cannot", async () => {
    const words = ['Ärger', '東京 駅', '서울', 'กรุงเทพ', 'Ω ≠ ж'];
    const spoken = await readable(
      words.map((word, i) => ({ rect: [50, 240 - i * 40, 250, 270 - i * 40] as const, FT: 'Tx', V: text(word) })),
    );
    for (const word of words) expect(spoken).to.contain(word);
    const { bytes } = await drawn([{ rect, FT: 'Tx', V: text('Ärger') }]);
    expect(await everythingIn(bytes), 'Helvetica has these letters').not.to.contain('QuireNoto');
  });

  it('rejects characters that no font has, unless they may be replaced', async () => {
    const field = [{ rect, FT: 'Tx', V: text('a\u{12000}b') }];
    const code = await drawn(field).then(
      () => 'drawn',
      (error: unknown) => (error as { code: string }).code,
    );
    expect(code).to.equal('INPUT_INVALID');
    expect(await readable(field)).to.match(/^a\?b\s*$/);
  });

  it('rotates with the widget', async () => {
    for (const [R, where] of [
      [0, box(50, 100, 75, 125)],
      [90, box(175, 100, 200, 125)],
      [180, box(175, 225, 200, 250)],
      [270, box(50, 225, 75, 250)],
    ] as const) {
      const { ink } = await drawn([
        {
          rect: [50, 100, 200, 250] as const,
          FT: 'Tx',
          Ff: 4096,
          V: text('\n\n\n\n\n\n\n\nXX'),
          MK: { R },
          DA: PDFString.of('0 g /Helv 14 Tf'),
        },
      ]);
      expect(ink(where), `R ${R}`).to.be.greaterThan(15);
      expect(ink(box(50, 100, 200, 250)), 'all of it there').to.equal(ink(where));
    }
  });

  it('draws backgrounds in grey, RGB and CMYK, and borders of every style', async () => {
    const styles = ['S', 'D', 'B', 'I', 'U'];
    const at = (i: number): readonly [number, number, number, number] => [20, 250 - i * 50, 120, 280 - i * 50];
    const { at: colour, ink } = await drawn(
      styles.map((S, i) => ({
        rect: at(i),
        FT: 'Tx',
        MK: { BG: [[0.5], [1, 0, 0], [0, 1, 0, 0], [0, 0, 1], [0.9]][i], BC: [0] },
        BS: { W: 3, S, D: [6, 6] },
      })),
    );
    expect(colour(70, 265)).to.deep.equal([128, 128, 128]);
    expect(colour(70, 215)).to.deep.equal([255, 0, 0]);
    expect(colour(70, 165)[1]).to.be.lessThan(120);
    const edge = (i: number): number => ink([20, 250 - i * 50, 23, 280 - i * 50]);
    expect(edge(0), 'solid').to.equal(90);
    expect(edge(1), 'dashed on red').to.equal(90);
    const left = [0, 1, 2, 3, 4].map((i) => colour(24, 265 - i * 50));
    expect(left[2], 'the light edge of a raised border').to.deep.equal([255, 255, 255]);
    expect(left[3]?.[0], 'the dark edge of a sunken one').to.be.within(120, 135);
    expect([colour(21, 65)[0], colour(70, 51)[0]], 'underlined only').to.deep.equal([230, 0]);
  });

  it('shows selected options of list boxes from the first visible one, and labels of combo boxes', async () => {
    const Opt = ['One', 'Two', 'Three', 'Four'].map((option) => [text(option.toLowerCase()), text(option)]);
    const list = { rect: [50, 100, 150, 160] as const, FT: 'Ch', Opt, V: text('two') };
    const { at: colour } = await drawn([list]);
    expect(colour(140, 138)).to.deep.equal([153, 193, 218]);
    expect(colour(140, 152)).to.deep.equal([255, 255, 255]);
    expect((await readable([{ ...list, TI: 2 }])).trim().split(/\s+/)).to.deep.equal(['Three', 'Four']);
    expect((await readable([{ ...list, Ff: 1 << 17 }])).trim()).to.equal('Two');
    expect((await readable([{ ...list, Ff: 1 << 17, V: text('something else') }])).trim()).to.equal('something else');
  });

  it('marks only selected check boxes and radio buttons', async () => {
    const marks = ['4', '8', 'u', 'n', 'H', 'l'];
    const DA = PDFString.of('/ZaDb 0 Tf 0 g');
    const fields = marks.flatMap((mark, i) => [
      {
        rect: [20 + i * 40, 200, 50 + i * 40, 230] as const,
        FT: 'Btn',
        DA,
        V: name('Yes'),
        MK: { CA: PDFString.of(mark) },
      },
      {
        rect: [20 + i * 40, 100, 50 + i * 40, 130] as const,
        FT: 'Btn',
        DA,
        V: name('Off'),
        MK: { CA: PDFString.of(mark) },
      },
    ]);
    const radio = { rect: [20, 20, 50, 50] as const, FT: 'Btn', Ff: 1 << 15, DA, V: name('a'), MK: { BC: [1, 0, 0] } };
    const { ink, at: colour } = await drawn([...fields, radio]);
    const inks = marks.map((_mark, i) => ink([20 + i * 40, 200, 50 + i * 40, 230]));
    expect(new Set(inks).size, 'each mark looks different').to.equal(6);
    for (const [i, found] of inks.entries())
      expect([found > 60, ink([20 + i * 40, 100, 50 + i * 40, 130])]).to.deep.equal([true, 0]);
    expect([colour(35, 35), colour(21, 21)]).to.deep.equal([
      [0, 0, 0],
      [255, 255, 255],
    ]);
  });

  it('centres the caption of push buttons', async () => {
    const button = { rect, FT: 'Btn', Ff: 1 << 16, MK: { CA: text('Go'), BG: [0.9] } };
    expect((await readable([button])).trim()).to.equal('Go');
    const { ink } = await drawn([button]);
    expect(ink(box(130, 200, 170, 230)))
      .to.be.greaterThan(20)
      .and.equal(ink(box(50, 200, 250, 230)));
  });
});
