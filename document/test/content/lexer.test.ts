import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import {
  ContentLexer,
  ContentName,
  operandText,
  operatorText,
  type Operator,
  rewriteContent,
  splice,
} from '../../content/index.js';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const read = (text: string | Uint8Array): Operator[] => [
  ...new ContentLexer(typeof text === 'string' ? bytes(text) : text),
];
/** Operators as they would be written, one a line. */
const shown = (text: string): string[] => read(text).map(({ name, operands }) => operatorText(name, ...operands));
const dataOf = (content: Uint8Array, { image }: Operator): string =>
  Buffer.from(content.subarray(image?.dataStart, image?.dataEnd)).toString('latin1');

describe('ContentLexer', () => {
  it('reads operators with operands of every kind', () => {
    expect(
      shown(
        'q 1 0 0 -1.5 +.5 5. cm/F1 12 Tf[(a)-20.5<4142 4>]TJ true null /A#20B<</MCID 3/K[1 2]>>BDC % not this Q\nEMC',
      ),
    ).to.deep.equal([
      'q',
      '1 0 0 -1.5 0.5 5 cm',
      '/F1 12 Tf',
      '[(a) -20.5 (AB@)] TJ',
      'true null /A#20B <</MCID 3 /K [1 2]>> BDC',
      'EMC',
    ]);
  });

  it('undoes escapes in strings as the standard has them', () => {
    const [string] = read('(a\\(b\\)(c)\\n\\101\\7\\\r\n\r\nd\\q) Tj')[0]!.operands;
    expect(Buffer.from(string as Uint8Array).toString('latin1')).to.equal('a(b)(c)\nA\x07\ndq');
  });

  it('reports the position of each operator, operands included', () => {
    const content = '  1 w\n(x)Tj';
    expect(read(content).map(({ start, end }) => content.slice(start, end))).to.deep.equal(['1 w', '(x)Tj']);
  });

  it('reads numbers as careless writers write them', () => {
    expect(read('--5 1.2.3 - . 4-5 .5. d')[0]!.operands).to.deep.equal([-5, 1.2, 0, 0, 4, 0.5]);
  });

  it('goes on after brackets that make no sense', () => {
    expect(shown('>> ] 5 w ) } [ (a) 3 TJ << /A >> 1 g')).to.deep.equal(['5 w', '[(a) 3] TJ', '<<>> 1 g']);
    expect(shown(`${'['.repeat(5000)}${']'.repeat(5000)} 5 w`).at(-1)).to.equal('5 w');
    expect(shown('1 w (no end')).to.deep.equal(['1 w']);
  });

  describe('of inline images', () => {
    it('finds the end by the number of samples where the data hold EI', () => {
      const content = bytes('q BI /W 3 /H 3 /BPC 8 /CS /G ID \x01 EI EI \x02 EI Q');
      const [, image, last] = read(content);
      expect(dataOf(content, image!)).to.equal('\x01 EI EI \x02');
      expect(last?.name).to.equal('Q');
    });

    it('finds the end by what the filter says', () => {
      const packed = deflateSync(Buffer.from(' EI Q EI ')).toString('latin1');
      const ends: readonly (readonly [string, string])[] = [
        ['/Fl', packed],
        ['/AHx', '45 49 20>'],
        ['/A85', ' EI Q5sdq~>'],
        ['/RL', '\x03 EI \x80'],
      ];
      for (const [filter, data] of ends) {
        const content = bytes(`BI /W 3 /H 3 /BPC 8 /CS /G /F ${filter} ID ${data}\nEI Q`);
        const operators = read(content);
        expect(
          operators.map(({ name }) => name),
          filter,
        ).to.deep.equal(['BI', 'Q']);
        expect(dataOf(content, operators[0]!), filter).to.equal(data);
      }
    });

    it('passes over an EI after which no content goes on', () => {
      const content = bytes('BI /W 9 /H 9 /BPC 8 /CS /RGB /F /DCT ID \xff\xd8 EI \x80\x01\x02 more EI\nQ');
      const operators = read(content);
      expect(operators.map(({ name }) => name)).to.deep.equal(['BI', 'Q']);
      expect(dataOf(content, operators[0]!)).to.equal('\xff\xd8 EI \x80\x01\x02 more');
    });

    it('reads the rest if there is no end, and nothing if there is no data', () => {
      expect(read('BI /W 9 /H 9 ID abc').map(({ end }) => end)).to.deep.equal([19]);
      expect(read('BI /W 1 Q q').map(({ name, image }) => [name, image])).to.deep.equal([
        ['BI', undefined],
        ['Q', undefined],
        ['q', undefined],
      ]);
    });
  });

  it('walks a million operators without keeping them', function () {
    this.timeout(80_000);
    const content = bytes('1 0 0 1 5.25 5 cm (hello) Tj\n'.repeat(500_000));
    const lexer = new ContentLexer(content);
    let count = 0;
    while (lexer.next() !== undefined) count++;
    expect(count).to.equal(1_000_000);
  });

  it('comes to an end with images that have none in proportion to the content', function () {
    this.timeout(50_000);
    for (const [piece, operators] of [
      ['BI ID x EI\x80 ', 1],
      ['BI /F /Fl ID x EI\x80 ', 1],
      ['[ << ( ', 0],
      ['BI /L 1e9 ID ', 900_000],
      ['<', 0],
    ] as const) {
      expect(read(bytes(piece.repeat(300_000))).length, piece).to.equal(operators);
    }
  });
});

describe('splice', () => {
  it('leaves every byte alone that is not replaced', () => {
    const content = bytes('q  1 0 0 1 0 0 cm\r\n(a)Tj%c\nQ');
    expect(splice(content, [])).to.equal(content);
    expect(rewriteContent(content, () => undefined)).to.equal(content);
    expect(
      Buffer.from(rewriteContent(content, ({ name }) => (name === 'Tj' ? '' : undefined))).toString('latin1'),
    ).to.equal('q  1 0 0 1 0 0 cm\r\n%c\nQ');
  });

  it('keeps tokens apart', () => {
    expect(
      Buffer.from(
        rewriteContent(bytes('(a)Tj(b)Tj/F1 1 Tf'), ({ name }) => (name === 'Tj' ? '5 w' : undefined)),
      ).toString('latin1'),
    ).to.equal('5 w 5 w/F1 1 Tf');
  });

  it('takes replacements in any order and refuses those that overlap', () => {
    const content = bytes('abc def');
    expect(
      Buffer.from(
        splice(content, [
          { start: 4, end: 7, with: 'y' },
          { start: 0, end: 3, with: 'x' },
        ]),
      ).toString('latin1'),
    ).to.equal('x y');
    expect(() =>
      splice(content, [
        { start: 0, end: 5, with: '' },
        { start: 4, end: 7, with: '' },
      ]),
    ).to.throw(RangeError);
  });
});

describe('operandText', () => {
  it('writes what the lexer reads back', () => {
    const operands = [
      1,
      -0.5,
      1e-9,
      123_456_789.25,
      1e20,
      true,
      null,
      new ContentName('A b#/'),
      Buffer.from('(\\)'),
      Buffer.from([0, 255]),
      [1, [2]],
      new Map([['K', 1]]),
    ] as const;
    const again = read(`${operands.map((operand) => operandText(operand as never)).join(' ')} x`)[0]!.operands;
    expect(again[2]).to.equal(0);
    expect(again[4]).to.equal(1e20);
    expect((again[7] as ContentName).text).to.equal('A b#/');
    expect(again.slice(8, 10).map((value) => [...(value as Uint8Array)])).to.deep.equal([
      [0x28, 0x5c, 0x29],
      [0, 255],
    ]);
    expect(again[10]).to.deep.equal([1, [2]]);
    expect([...(again[11] as Map<string, number>)]).to.deep.equal([['K', 1]]);
  });
});
