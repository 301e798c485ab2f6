import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { epub2, epub3, pack } from '../../../fixtures/book-files.js';
import type { Book } from '../../../src/functions/ebook/book.js';
import { addressOf, resolveIn } from '../../../src/functions/ebook/book.js';
import { composeBook } from '../../../src/functions/ebook/compose-book.js';
import { readEpub } from '../../../src/functions/ebook/read-epub.js';

const { signal } = new AbortController();
let folder: string;
let n = 0;
const read = async (bytes: Uint8Array): Promise<Book> => {
  const path = join(folder, `book-${n++}.epub`);
  await writeFile(path, bytes);
  return readEpub(path, `${path}.files`, signal);
};
const refusal = (bytes: Uint8Array): Promise<string> =>
  read(bytes).then(
    () => 'read',
    (error: { code?: string }) => error.code ?? String(error),
  );
const html = async (bytes: Uint8Array, contents = false): Promise<string> =>
  composeBook(await read(bytes), { contents, files: 'files', signal }).html();

const opf = (manifest: string, spine: string, more = ''): string =>
  `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata ` +
  `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title>${more}</metadata><manifest>${manifest}` +
  `</manifest><spine>${spine}</spine></package>`;
const small = (body: string, files: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
  pack({
    mimetype: 'application/epub+zip',
    'c.opf': opf('<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>', '<itemref idref="a"/>'),
    'a.xhtml': body,
    ...files,
  });

describe('Reading an EPUB', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epub-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('reads the package: title, authors, order, contents of two levels, cover', async () => {
    const book = await read(await epub3());
    expect([book.title, book.authors, book.language, book.cover]).to.deep.equal([
      'The Small Book',
      ['Ann Author', 'Ben Writer'],
      'en',
      'OEBPS/images/cover.jpg',
    ]);
    expect(book.documents.map(({ path }) => path)).to.deep.equal([
      'OEBPS/text/one.xhtml',
      'OEBPS/text/two.xhtml',
      'OEBPS/text/notes.xhtml',
    ]);
    expect(book.entries).to.deep.equal([
      {
        title: 'One: Beginnings',
        target: 'OEBPS/text/one.xhtml',
        children: [{ title: 'The map', target: 'OEBPS/text/one.xhtml#map', children: [] }],
      },
      { title: 'Two: The table', target: 'OEBPS/text/two.xhtml#start', children: [] },
    ]);
  });

  it('reads version 2 with NCX, fixed layout, reading direction and obfuscated fonts', async () => {
    const font = Buffer.from(`font data ${'x'.repeat(2000)}`);
    const book = await read(await epub2(font));
    expect([book.rightToLeft, book.documents.map(({ page }) => page), book.entries]).to.deep.equal([
      true,
      [
        { width: 400, height: 600 },
        { width: 400, height: 600 },
      ],
      [{ title: 'Second page', target: 'b.xhtml', children: [] }],
    ]);
    expect(await readFile(join(folder, `book-${n - 1}.epub.files/fonts/own.ttf`), 'utf8')).to.equal(font.toString());
  });

  it('makes one page of all documents, in which links, pictures and style still lead somewhere', async () => {
    const page = await html(await epub3());
    // Both chapters have a place called start: the second one gets another name.
    const second = /<a href="#(book-n\d+)">chapter two<\/a>/.exec(page)?.[1];
    expect(page)
      .to.include('<h1 id="start">Beginnings')
      .and.include(`<h1 id="${second}">The table`)
      .and.include('href="#n1"')
      .and.include('href="https://example.org/"');
    expect(page)
      .to.include('src="files/OEBPS/images/a%20map.jpg"')
      .and.include('variant: small-caps')
      .and.include('div:where(.book-body).dark h1')
      .and.include('<div class="book-cover"><img src="files/OEBPS/images/cover.jpg"');
    expect(page.match(/@scope/g)).to.have.length(2);
    expect(page).to.include('<linearGradient id="g">').and.include('url(#g)').and.include('dir="rtl"');
    expect(page).to.not.match(/127\.0\.0\.1|<script|document\.write/);
  });

  it("prints a contents with the numbers of pages, in place of the book's own", async () => {
    const book = await read(await epub3());
    const withNav = {
      ...book,
      documents: [{ path: 'OEBPS/nav.xhtml', markup: "<p>the book's own</p>" }, ...book.documents],
    };
    const composed = composeBook(withNav, { contents: true, files: 'files', signal });
    expect(composed.html(() => 42))
      .to.include('<h1>Contents</h1>')
      .and.include('<i>42</i>')
      .and.not.include("the book's own");
    const without = composeBook(withNav, { contents: false, files: 'files', signal }).html();
    expect([without.includes('<h1>Contents</h1>'), without.includes("the book's own")]).to.deep.equal([false, true]);
  });

  it('makes a contents of headings, or titles, for a book that brings none', async () => {
    const { entries } = composeBook(
      { ...(await read(await epub3())), entries: [] },
      { contents: true, files: 'files', signal },
    );
    expect(entries.map(({ title }) => title)).to.deep.equal(['Beginnings', 'The table', 'Notes']);
  });

  it("leaves a cover of the book's own in front of the contents", async () => {
    const book = await read(await epub3());
    const cover = {
      path: 'OEBPS/cover.xhtml',
      markup:
        '<html><body><svg viewBox="0 0 3 4"><image xlink:href="images/cover.jpg" width="3" height="4"/></svg>' +
        '</body></html>',
    };
    const page = composeBook(
      { ...book, documents: [cover, ...book.documents] },
      { contents: true, files: 'files', signal },
    ).html();
    expect(page.match(/files\/OEBPS\/images\/cover\.jpg/g)).to.have.length(1);
    expect(page.indexOf('cover.jpg')).to.be.lessThan(page.indexOf('<h1>Contents</h1>'));
  });

  it('puts the contents in front of a short first chapter with a picture', async () => {
    const book = await read(await epub3());
    const chapter = (path: string) => ({ path, markup: `<body><h1>One</h1><img src="images/other.png"/></body>` });
    const first = { title: 'One', target: 'OEBPS/one.xhtml#start', children: [] };
    const page = composeBook(
      { ...book, cover: 'none.jpg', documents: [chapter('OEBPS/one.xhtml'), ...book.documents], entries: [first] },
      { contents: true, files: 'files', signal },
    ).html();
    expect(page.indexOf('<h1>Contents</h1>')).to.be.greaterThan(0).and.lessThan(page.indexOf('<h1>One</h1>'));
  });

  it('leaves entities and document types alone', async () => {
    const attack =
      '<?xml version="1.0"?><!DOCTYPE package [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aaaaaaaaaa">' +
      '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const bytes = await pack({
      mimetype: '',
      'c.opf':
        attack +
        opf(
          '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="n" href="n.ncx" ' +
            'media-type="application/x-dtbncx+xml"/>',
          '<itemref idref="a"/>',
          '<dc:creator>&x;&b;</dc:creator>',
        ),
      'n.ncx':
        `${attack}<ncx><navMap><navPoint><navLabel><text>&x;</text></navLabel><content src="a.xhtml"/></navPoint>` +
        '</navMap></ncx>',
      'a.xhtml': `${attack}<html><body><p>&x;&b;</p></body></html>`,
    });
    const book = await read(bytes);
    expect([book.authors, book.entries[0]?.title]).to.deep.equal([['&x;&b;'], '&x;']);
    expect(composeBook(book, { contents: true, files: 'f', signal }).html()).to.not.match(/root:|aaaaaaaaaa/);
  });

  it('fetches nothing and runs nothing', async () => {
    const page = await html(
      await small(
        '<html><head><link rel="stylesheet" href="http://127.0.0.1:9/s.css"/><link rel="stylesheet" ' +
          'href="a.css"/><base href="http://127.0.0.1:9/"/></head><body onload="x()"><img ' +
          'src="file:///etc/passwd"/><img src="../../../etc/passwd"/><img src="/etc/passwd"/><img ' +
          'srcset="http://127.0.0.1:9/x 2x"/><svg><image xlink:href="http://127.0.0.1:9/i"/><use ' +
          'href="http://127.0.0.1:9/u#x"/><foreignObject><p>fo</p></foreignObject><script>s()</script></svg><a ' +
          'href="javascript:x()">j</a><iframe srcdoc="x"></iframe><p style="background:url(//127.0.0.1:9/b)" ' +
          'onclick="y()">kept</p></body></html>',
        {
          'a.css':
            '@import "http://127.0.0.1:9/i.css"; @import "b.css"; p { background: url("http://127.0.0.1:9/c") ' +
            '} @font-face { font-family: F; src: url(http://127.0.0.1:9/f.woff) } q { background: url(a.css) }',
          'b.css': '@import "b.css"; @import "a.css"; i { color: red }',
        },
      ),
    );
    expect(page).to.not.match(/127\.0\.0\.1|passwd|onload|onclick|javascript:|iframe|s\(\)|<script/i);
    expect(page).to.include('kept').and.include('color: red').and.include('url("files/a.css")');
  });

  it('refuses books that are encrypted, and files that are not books', async () => {
    const encryption =
      '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>' +
      '<CipherData><CipherReference URI="a.xhtml"/></CipherData></EncryptedData></encryption>';
    expect(await refusal(await small('<p/>', { 'META-INF/encryption.xml': encryption }))).to.equal('BOOK_PROTECTED');
    expect(await refusal(await pack({ mimetype: 'application/epub+zip' }))).to.equal('BOOK_UNREADABLE');
    expect(await refusal(await pack({ mimetype: '', 'c.opf': opf('', '<itemref idref="gone"/>') }))).to.equal(
      'BOOK_UNREADABLE',
    );
    expect(await refusal(await pack({ mimetype: '', 'c.opf': '<package/>' }))).to.equal('BOOK_UNREADABLE');
    expect(await refusal(Buffer.from('no zip'))).to.equal('ARCHIVE_UNSAFE');
  });

  it('refuses zips that are traps', async () => {
    const named = (name: string): Promise<Buffer> =>
      small('<p/>', { aaaaaaaaaaaa: 'x' }).then((zip) =>
        Buffer.from(zip.toString('latin1').replaceAll('aaaaaaaaaaaa', name), 'latin1'),
      );
    expect(await refusal(await named('../../../abc'))).to.equal('ARCHIVE_UNSAFE');
    expect(await refusal(await small('<p/>', { 'bomb.css': '\0'.repeat(40 * 1024 * 1024) }))).to.equal(
      'ARCHIVE_UNSAFE',
    );
  });

  it('reads documents whose markup is broken', async () => {
    expect(await html(await small('<html><head><title>t<body><p>one<p>two &nbsp; &copy; <br><b>three'))).to.include(
      '<html',
    );
    expect(await html(await small('<p>one<p>two &copy;<b>three'))).to.include('two ©<b>three');
    expect(await html(await small('<div>'.repeat(50_000)))).to.include('<section');
  });

  it('resolves addresses within the book and never out of it', () => {
    expect(resolveIn('a/b.xhtml', '../c%20d.png?x#y%20z')).to.deep.equal({ path: 'c d.png', fragment: 'y z' });
    expect(resolveIn('a/b.xhtml', '#x')).to.deep.equal({ path: 'a/b.xhtml', fragment: 'x' });
    for (const reference of ['../../x', '/x', '\\x', '//h/x', 'http://h/x', 'FILE:/x', '..%2f..%2fx', '\tfile:x'])
      expect(resolveIn('a/b.xhtml', reference)?.path ?? '', reference).to.not.match(/^\.\.|^\/|:/);
    expect(addressOf('a b/c#d?e.png')).to.equal('a%20b/c%23d%3Fe.png');
  });
});
