import { expect } from 'chai';
import { contentDisposition, headerList, headerText } from './content-disposition.js';

const safeHeader =
  /^attachment; filename="[\x20-\x21\x23-\x24\x26-\x3a\x3c-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9%._~-]*$/;

describe('the Content-Disposition of an answer', () => {
  it('contains an ASCII name and the complete name', () => {
    expect(contentDisposition('a b.pdf')).to.equal('attachment; filename="a b.pdf"; filename*=UTF-8\'\'a%20b.pdf');
    expect(contentDisposition('Résumé.pdf')).to.equal(
      'attachment; filename="Resume.pdf"; filename*=UTF-8\'\'R%C3%A9sum%C3%A9.pdf',
    );
    expect(contentDisposition('請求書.pdf')).to.equal(
      'attachment; filename="___.pdf"; filename*=UTF-8\'\'%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf',
    );
  });

  it('contains nothing that could end the value or the header', () => {
    for (const name of ['a"b', 'a\\b', 'a\r\nX: y', 'a;b', 'a%41', "a'b*(c)!", '\u0000\u007f', '\u202e']) {
      expect(contentDisposition(name)).to.match(safeHeader);
    }
  });
});

describe('text in a header', () => {
  it('is visible ASCII, everything else escaped as in JSON', () => {
    expect(headerText('é\r\n日')).to.equal('\\u00e9\\u000d\\u000a\\u65e5');
    expect(JSON.parse(headerText(JSON.stringify({ name: 'é日🎉' })))).to.deep.equal({ name: 'é日🎉' });
  });

  it('is cut to a length that proxies accept', () => {
    expect(headerText('x'.repeat(10_000))).to.have.length(4096);
  });

  it('stays valid JSON when a list is too long for it', () => {
    const items = Array.from({ length: 1000 }, (_, i) => `é${i}`);
    const text = headerList('dropped', items, { files: 0 });
    expect(text.length).to.be.at.most(4096);
    const value = JSON.parse(text) as { files: number; dropped: string[]; droppedCount: number };
    expect(value).to.include({ files: 0, droppedCount: 1000 });
    expect(value.dropped).to.deep.equal(items.slice(0, value.dropped.length)).and.not.have.length(0);
  });

  it('has no count when the list is complete', () => {
    expect(JSON.parse(headerList('dropped', ['a'], { files: 1 }))).to.deep.equal({ files: 1, dropped: ['a'] });
    expect(JSON.parse(headerList('dropped', ['x'.repeat(9000)]))).to.deep.equal({ dropped: [], droppedCount: 1 });
  });
});
