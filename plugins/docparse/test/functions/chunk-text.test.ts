import { expect } from 'chai';
import { type Chunk, chunkText } from '../../src/functions/chunk-text.js';
import type { Passage } from '../../src/functions/passages.js';

/** Numbers that look random and are the same every time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** Runs of letters without a gap are of different letters, so that a part of one stands in one place only. */
function word(random: (below: number) => number): string {
  const run = (from: number, of: number, length: number): string =>
    String.fromCodePoint(...Array.from({ length }, () => from + random(of)));
  const kinds = [
    () => 'harbour',
    () => 'a',
    () => 'Schiff',
    () => 'e\u0301',
    () => '\u{1f469}\u200d\u{1f692}',
    () => '港口',
    () => '。',
    () => 'נמל',
    () => '!',
    () => '3.5',
    () => 'end.',
    () => run(97, 26, 90),
    () => run(0x20000, 9000, 40),
    () => run(0x4e00, 9000, 120),
  ];
  return `${kinds[random(kinds.length)]!()}${random(3) === 0 ? random(100_000) : ''}`;
}

function passages(seed: number): Passage[] {
  const random = numbers(seed);
  let page = 1;
  return Array.from({ length: 1 + random(12) }, (): Passage => {
    page += random(3) === 0 ? 1 : 0;
    const text = Array.from({ length: 1 + random(60) }, () => word(random))
      .join(random(4) === 0 ? '\n' : ' ')
      .trim();
    const level = random(4) === 0 ? 1 + random(3) : undefined;
    const pages = [{ at: 0, page }, ...(random(5) === 0 ? [{ at: Math.floor(text.length / 2), page: ++page }] : [])];
    return {
      text,
      pages,
      kind: random(3) === 0 ? 'lines' : 'flow',
      ...(level === undefined ? {} : { level, title: text }),
    };
  });
}

/** The position of each chunk in the text; fails if one is not part of it or they are not in order. */
function placed(text: string, chunks: readonly Chunk[]): { from: number; to: number }[] {
  let least = 0;
  return chunks.map((chunk) => {
    const from = text.indexOf(chunk.text, least);
    expect(from, `chunk ${chunk.index} in the text`).to.be.at.least(0);
    least = from + 1;
    return { from, to: from + chunk.text.length };
  });
}

const flow = (text: string, more: Partial<Passage> = {}): Passage => ({
  text,
  kind: 'flow',
  pages: [{ at: 0, page: 1 }],
  ...more,
});
const cut = (given: readonly Passage[], chunkSize: number, overlap = 0, language?: string): Chunk[] => [
  ...chunkText(given, { chunkSize, overlap, language }),
];

describe('Chunks of a text', () => {
  it('together hold all of it, in order, none too long, whatever the sizes', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = numbers(seed * 7919);
      const [given, chunkSize] = [passages(seed), 64 + random(600)];
      const overlap = random(chunkSize);
      const chunks = cut(given, chunkSize, overlap);
      const text = given.map((one) => one.text).join('\n\n');
      const without = chunks.map((chunk) => chunk.text);
      expect(Math.max(...without.map(({ length }) => length)), `seed ${seed}`).to.be.at.most(chunkSize);
      expect(
        without.reduce((sum, { length }) => sum + length, 0),
        `seed ${seed}: no more than a few times the text`,
      ).to.be.at.most(8 * text.length + chunkSize);
      expect(chunks.map(({ index }) => index)).to.deep.equal(chunks.map((_, i) => i));
      // With overlap 0 every character except white space is in exactly one chunk.
      const plain = cut(given, chunkSize);
      expect(
        plain
          .map((chunk) => chunk.text)
          .join('')
          .replace(/\s/g, ''),
        `seed ${seed}`,
      ).to.equal(text.replace(/\s/g, ''));
      const covered = new Uint8Array(text.length);
      for (const { from, to } of placed(text, chunks)) covered.fill(1, from, to);
      for (let i = 0; i < text.length; i++)
        if (covered[i] === 0 && !/\s/.test(text[i]!))
          expect.fail(`seed ${seed}: character ${i} of ${text.length} is in no chunk`);
      expect(cut(given, chunkSize, overlap), 'the same again').to.deep.equal(chunks);
    }
  });

  it('never divide a letter from its marks, nor a pair of surrogates', () => {
    const emoji = '\u{1f469}\u200d\u{1f692}';
    for (const unit of [emoji, 'e\u0301', '\u{20000}']) {
      const chunks = cut([flow(unit.repeat(200))], 65, 20);
      for (const { text } of chunks) expect(text.length % unit.length, JSON.stringify(text.slice(0, 12))).to.equal(0);
      expect(chunks.length).to.be.greaterThan(2);
    }
  });

  it('end with a block, else a sentence, else a word', () => {
    const sentence = (n: number): string => `Sentence ${n} is about forty characters long.`;
    const block = (from: number): Passage => flow([0, 1, 2].map((n) => sentence(from + n)).join(' '));
    const chunks = cut([block(1), block(4), block(7)], 300).map(({ text }) => text);
    expect(chunks).to.deep.equal([`${block(1).text}\n\n${block(4).text}`, block(7).text]);
    expect(cut([block(1)], 100).map(({ text }) => text)).to.deep.equal([`${sentence(1)} ${sentence(2)}`, sentence(3)]);
    const long = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
    for (const { text } of cut([flow(long)], 64)) expect(text).to.match(/^word\d+( word\d+)*$/);
    expect(cut([flow('船只很多。'.repeat(40))], 64).every(({ text }) => text.endsWith('。'))).to.equal(true);
    const rows = Array.from({ length: 30 }, (_, i) => `| row ${i} | ${i * 3} |`);
    for (const { text } of cut([flow(rows.join('\n'), { kind: 'lines' })], 100))
      expect(
        text.split('\n').every((line) => /^\| row \d+ \| \d+ \|$/.test(line)),
        text,
      ).to.equal(true);
  });

  it('repeat the end of the one before from a sentence or word, within a section only', () => {
    const sentences = Array.from({ length: 12 }, (_, i) => `Number ${i} stands here.`);
    const chunks = cut(
      [
        flow('# One', { level: 1, title: 'One' }),
        flow(sentences.join(' ')),
        flow('# Two', { level: 1, title: 'Two' }),
        flow('Another text.'),
      ],
      100,
      30,
    );
    for (const [i, { text, headingPath }] of chunks.entries()) {
      if (i === 0 || headingPath[0] === 'Two') continue;
      const again = sentences.find((one) => text.startsWith(one))!;
      expect(chunks[i - 1]!.text.endsWith(again), `chunk ${i} begins with the end of the one before`).to.equal(true);
    }
    expect(chunks.at(-1)!.text).to.equal('# Two\n\nAnother text.');
  });

  it('report their headings and their pages', () => {
    const chunks = cut(
      [
        flow('# A', { level: 1, title: 'A' }),
        flow('## B', { level: 2, title: 'B' }),
        flow('Text of B.'),
        flow('## C', { level: 2, title: 'C', pages: [{ at: 0, page: 2 }] }),
        flow(`${'left '.repeat(30)}${'right '.repeat(30)}`.trim(), {
          pages: [
            { at: 0, page: 2 },
            { at: 150, page: 3 },
          ],
        }),
        flow('# D', { level: 1, title: 'D', pages: [{ at: 0, page: 4 }] }),
      ],
      100,
    );
    expect(
      chunks.map(({ headingPath, pageStart, pageEnd }) => [headingPath.join('/'), pageStart, pageEnd]),
    ).to.deep.equal([
      ['A/B', 1, 1],
      ['A/C', 2, 2],
      ['A/C', 2, 3],
      ['A/C', 3, 3],
      ['A/C', 3, 3],
      ['D', 4, 4],
    ]);
  });

  it('of nothing are none, and a language that is none does no harm', () => {
    expect(cut([], 64)).to.deep.equal([]);
    expect(cut([flow('One. Two.')], 64, 0, 'not a language!').map(({ text }) => text)).to.deep.equal(['One. Two.']);
  });

  it('of a long text take no more than a moment', () => {
    const count = cut(
      [flow('x'.repeat(500_000)), flow('日'.repeat(300_000)), flow('word '.repeat(100_000))],
      4097,
      4096,
    ).length;
    expect(count).to.be.greaterThan(200);
  }).timeout(40_000);
});
