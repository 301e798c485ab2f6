import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fb2 } from '../../../fixtures/book-files.js';
import { composeBook } from '../../../src/functions/ebook/compose-book.js';
import type { Book } from '../../../src/functions/ebook/book.js';
import { readFb2 } from '../../../src/functions/ebook/read-fb2.js';
import { readMobi } from '../../../src/functions/ebook/read-mobi.js';
import { readText } from '../../../src/functions/ebook/read-text.js';

const { signal } = new AbortController();
const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url)));
const html = (book: Book): string => composeBook(book, { contents: false, files: 'files', signal }).html();
const code = (run: () => unknown): string => {
  try {
    run();
    return 'read';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};
let folder: string;

/** A Palm database of these records. */
function database(records: readonly Buffer[], kind = 'BOOKMOBI'): Buffer {
  const head = Buffer.alloc(78 + records.length * 8);
  head.write(kind, 60, 'latin1');
  head.writeUInt16BE(records.length, 76);
  let at = head.length;
  records.forEach((record, i) => {
    head.writeUInt32BE(at, 78 + i * 8);
    at += record.length;
  });
  return Buffer.concat([head, ...records]);
}

/** The first record of a Mobipocket book. */
function header({ compression = 1, encryption = 0, texts = 1, huff = 0, huffs = 0, trailing = 0 }): Buffer {
  const record = Buffer.alloc(16 + 232);
  record.writeUInt16BE(compression, 0);
  record.writeUInt16BE(texts, 8);
  record.writeUInt16BE(encryption, 12);
  record.write('MOBI', 16, 'latin1');
  for (const [at, value] of [
    [20, 232],
    [28, 65001],
    [36, 6],
    [108, 0xffffffff],
    [112, huff],
    [116, huffs],
    [240, trailing],
    [244, 0xffffffff],
  ] as const)
    record.writeUInt32BE(value, at);
  return record;
}

/** Records of a dictionary in which the code of eight bits k means phrase k; marked phrases are plain. */
function dictionary(phrases: readonly (readonly [bytes: Buffer, plain: boolean])[]): Buffer[] {
  const huff = Buffer.alloc(24 + 1024 + 256);
  huff.write('HUFF', 0, 'latin1');
  huff.writeUInt32BE(24, 8);
  huff.writeUInt32BE(24 + 1024, 12);
  for (let code = 0; code < 256; code++)
    huff.writeUInt32BE((((code < phrases.length ? code * 2 : 0) << 8) | 0x80 | 8) >>> 0, 24 + code * 4);
  const cdic = Buffer.alloc(16);
  cdic.write('CDIC', 0, 'latin1');
  cdic.writeUInt32BE(16, 4);
  cdic.writeUInt32BE(phrases.length, 8);
  cdic.writeUInt32BE(8, 12);
  const offsets = Buffer.alloc(phrases.length * 2);
  let at = offsets.length;
  const texts = phrases.map(([bytes, plain], i) => {
    offsets.writeUInt16BE(at, i * 2);
    const mark = Buffer.alloc(2);
    mark.writeUInt16BE(bytes.length | (plain ? 0x8000 : 0));
    at += bytes.length + 2;
    return Buffer.concat([mark, bytes]);
  });
  return [huff, Buffer.concat([cdic, offsets, ...texts])];
}

describe('Reading other books', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'books-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  describe('Mobipocket and KF8', () => {
    it('reads both formats as the program of their readers writes them', () => {
      for (const name of ['book.mobi', 'book.azw3']) {
        const book = readMobi(fixture(name), folder, signal);
        const page = html(book);
        expect([book.title, book.authors, book.language], name).to.deep.equal([
          'The Small Book',
          ['Ann Author', 'Ben Writer'],
          'en',
        ]);
        expect(
          book.entries.map(({ title }) => title),
          name,
        ).to.include.members(['One: Beginnings', 'Two: The table']);
        expect(page, name)
          .to.include('Beginnings')
          .and.include('Paragraph 22 of a story')
          .and.include('كان يا ما كان')
          .and.include('The end.');
        expect(page, name).to.match(/<a\b[^>]*href="#[\w-]+"[^>]*>chapter two<\/a>/);
        expect(page, name).to.not.match(/filepos=|kindle:|recindex|127\.0\.0\.1/);
        const pictures = [...page.matchAll(/src="files\/([^"]+)"/g)].map(([, file]) =>
          readFileSync(join(folder, file!)).subarray(0, 3).toString('hex'),
        );
        expect(pictures.length, name).to.be.greaterThan(0);
        // A drawing within KF8 is a file of its own.
        expect(
          [...new Set(pictures)].filter((start) => start !== '3c7376'),
          name,
        ).to.deep.equal(['ffd8ff']);
      }
    });

    it('keeps the levels and the style of KF8, and leads links to their very places', () => {
      const book = readMobi(fixture('book.azw3'), folder, signal);
      expect(book.entries[0]?.children.map(({ title }) => title)).to.deep.equal(['The map']);
      const page = html(book);
      const place = /href="#([\w-]+)"[^>]*>chapter two/.exec(page)?.[1];
      expect(page.slice(page.indexOf(`id="${place}"`), page.indexOf(`id="${place}"`) + 400)).to.include('The table');
      expect(page).to.include('float: right');
    });

    it('reads text that is packed with a dictionary, and refuses one that leads back to itself', () => {
      const phrases = [
        [Buffer.from('Hello '), true],
        [Buffer.from('wörld'), true],
        [Buffer.from([0, 1]), false],
      ] as const;
      const book = database([
        header({ compression: 17_480, huff: 2, huffs: 2 }),
        Buffer.from([2, 0, 1]),
        ...dictionary(phrases),
      ]);
      expect(html(readMobi(book, folder, signal))).to.include('Hello wörldHello wörld');
      const loop = database([
        header({ compression: 17_480, huff: 2, huffs: 2 }),
        Buffer.from([0]),
        ...dictionary([[Buffer.from([0, 0]), false]]),
      ]);
      expect(code(() => readMobi(loop, folder, signal))).to.equal('BOOK_UNREADABLE');
    });

    it('takes away what stands behind the text of a record', () => {
      const book = database([
        header({ trailing: 0b11, texts: 2 }),
        Buffer.from('<p>one \x00AB\x83', 'latin1'),
        Buffer.from('<p>two\x00\x81', 'latin1'),
      ]);
      expect(html(readMobi(book, folder, signal))).to.include('<p>one </p><p>two</p>');
    });

    it('refuses books that are encrypted, and formats that it does not read', () => {
      expect(code(() => readMobi(database([header({ encryption: 2 }), Buffer.from('x')]), folder, signal))).to.equal(
        'BOOK_PROTECTED',
      );
      expect(code(() => readMobi(database([header({ compression: 3 }), Buffer.from('x')]), folder, signal))).to.equal(
        'BOOK_UNREADABLE',
      );
      for (const bytes of [
        Buffer.alloc(100),
        Buffer.from('TPZ0'.padEnd(100)),
        Buffer.from('CONT'.padEnd(100)),
        Buffer.from('\xeaDRMION\xee'.padEnd(100), 'latin1'),
        database([], 'BOOKMOBI'),
        Buffer.alloc(3),
      ])
        expect(code(() => readMobi(bytes, folder, signal))).to.equal('BOOK_UNREADABLE');
    });

    it('shows old books of plain text', () => {
      const record = Buffer.alloc(16);
      record.writeUInt16BE(1, 0);
      record.writeUInt16BE(1, 8);
      expect(html(readMobi(database([record, Buffer.from('Some old text')], 'TEXtREAd'), folder, signal))).to.include(
        'Some old text',
      );
    });
  });

  describe('FictionBook', () => {
    it('reads title, author, cover, sections, poems, notes and pictures', async () => {
      const book = readFb2(Buffer.from(await fb2()), folder);
      expect([book.title, book.authors, book.language, book.cover]).to.deep.equal([
        'Маленькая книга',
        ['Анна Автор'],
        'ru',
        'pictures/0.jpeg',
      ]);
      expect(book.entries.map(({ title, children }) => [title, children.map((child) => child.title)])).to.deep.equal([
        ['Глава первая', ['Внутри']],
        ['Глава вторая', []],
      ]);
      const page = html(book);
      expect(page)
        .to.include('<p class="fb-verse">Первая строка</p>')
        .and.include('<strong>абзац</strong>')
        .and.include('<a href="#n1"><sup>[1]</sup></a>')
        .and.include('src="files/pictures/1.png"')
        .and.include('id="n1"');
    });

    it('reads the encoding that it names', () => {
      const words = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
      const bytes = Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="windows-1251"?><FictionBook><body><section><p>'),
        words,
        Buffer.from('</p></section></body></FictionBook>'),
      ]);
      expect(html(readFb2(bytes, folder))).to.include('Привет');
    });

    it('leaves entities alone, and fetches nothing', () => {
      const page = html(
        readFb2(
          Buffer.from(
            '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><FictionBook xmlns:l="l"><body><section><p>' +
              '&e; <image l:href="http://127.0.0.1:9/a.png"/><a l:href="javascript:x()">a</a><a ' +
              'l:href="file:///etc/passwd">b</a><script>x</script></p></section></body></FictionBook>',
          ),
          folder,
        ),
      );
      expect(page)
        .to.include('&amp;e;')
        .and.not.match(/root:|127\.0\.0\.1|javascript:|file:/);
    });

    it('bounds sections within sections, and refuses a file that is not a FictionBook', () => {
      expect(
        html(
          readFb2(Buffer.from(`<FictionBook><body>${'<section>'.repeat(20_000)}<p>x</p></body></FictionBook>`), folder),
        ),
      ).to.include('<section');
      expect(
        html(readFb2(Buffer.from(`<FictionBook><body><section><p>${'<emphasis>'.repeat(20_000)}`), folder)),
      ).to.include('<section');
      expect(code(() => readFb2(fixture('no-book.fb2'), folder))).to.equal('BOOK_UNREADABLE');
      expect(code(() => readFb2(Buffer.from('<FictionBook/>'), folder))).to.equal('BOOK_UNREADABLE');
    });
  });

  describe('plain text', () => {
    const text = (words: string | Uint8Array): Book => readText(Buffer.from(words as string), 'My book.txt');

    it('joins lines that a window broke, and finds headings', () => {
      const book = text(
        'CHAPTER I\n\nIt was a dark\nand stormy night.\n\nChapter 2: The end\n\nAnd then\nit was over.\n',
      );
      expect([book.title, book.entries.map(({ title }) => title)]).to.deep.equal([
        'My book',
        ['CHAPTER I', 'Chapter 2: The end'],
      ]);
      expect(html(book))
        .to.include('It was a dark and stormy night.')
        .and.match(/<h2[^>]*>CHAPTER I<\/h2>/);
    });

    it('keeps lines where each is a paragraph, verse, and columns', () => {
      expect(html(text('First long paragraph.\nSecond one.\nThird.')).match(/<p /g)).to.have.length(3);
      expect(html(text('Two roads diverged\nin a yellow wood\nand sorry I\ncould not\n\nx\n'))).to.include(
        'diverged<br />in a yellow wood',
      );
      expect(html(text('Name      Size\nAlpha     12\nBeta      9\n'))).to.include('Name      Size\nAlpha     12');
    });

    it('knows UTF-8, UTF-16 and windows-1252', () => {
      expect(html(text('naïve €'))).to.include('naïve €');
      expect(html(text(Buffer.from('\ufeffnaïve', 'utf16le')))).to.include('naïve');
      expect(html(text(Buffer.from('plain utf16 text', 'utf16le')))).to.include('plain utf16 text');
      expect(html(text(Buffer.from('na\xefve \x80', 'latin1')))).to.include('naïve €');
    });

    it('takes text for text, and refuses what is none', () => {
      expect(html(text('<script>alert(1)</script> & <img src=x>'))).to.not.match(/<script|<img/);
      expect(code(() => text(Buffer.from([1, 0, 2, 3, 0, 0, 5])))).to.equal('BOOK_UNREADABLE');
    });
  });
});
