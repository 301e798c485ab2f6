import { expect } from 'chai';
import { cleanHtml } from '../../src/functions/clean-html.js';

const clean = (html: string): string => new TextDecoder().decode(cleanHtml(new TextEncoder().encode(html)));

describe('Cleaning HTML', () => {
  it('keeps formatting, tables, lists and links', () => {
    const kept = clean(
      '<h1 style="color:red">A</h1><table border="1"><tr><td colspan="2">b</td></tr></table><ul><li>c</li></ul>' +
        '<a href="https://example.org/x">d</a>',
    );
    for (const piece of ['<h1 style="color:red">A</h1>', 'colspan="2"', '<li>c</li>', 'href="https://example.org/x"'])
      expect(kept).to.contain(piece);
  });

  it('drops scripts, forms, frames and page style sheets with what they hold', () => {
    const kept = clean(
      '<script>steal()</script><style>@import url(http://x)</style><iframe src="file:///etc/passwd"></iframe>' +
        '<form action="/x"><input></form><object data="x"></object><noscript>n</noscript><p onclick="x()">' +
        'stays</p>',
    );
    expect(kept).to.contain('stays');
    for (const piece of ['steal', '@import', 'iframe', 'passwd', '<form', '<input', 'object', 'onclick'])
      expect(kept).to.not.contain(piece);
  });

  it('leaves no way to fetch from elsewhere or to read a local file', () => {
    const kept = clean(
      '<img src="http://127.0.0.1/x.png"><img src="file:///etc/passwd"><img src="/etc/passwd"><img ' +
        'src="//host/x"><p style="background:url(file:///etc/passwd)">p</p><a href="javascript:x()">j</a><base ' +
        'href="http://x/"><link rel="stylesheet" href="http://x/">',
    );
    for (const piece of ['127.0.0.1', 'passwd', '//host', 'url(', 'javascript', '<base', '<link'])
      expect(kept).to.not.contain(piece);
  });

  it('keeps pictures that carry their own bytes', () => {
    expect(clean('<img src="data:image/png;base64,iVBORw0KGgo=" alt="x">')).to.contain(
      'data:image/png;base64,iVBORw0KGgo=',
    );
  });

  it('reads quotes and signs of windows-1252, named or not', () => {
    const bytes = (head: string): Uint8Array =>
      new Uint8Array([
        ...new TextEncoder().encode(`${head}<p>`),
        0x93,
        0x41,
        0x94,
        0x20,
        0x80,
        ...new TextEncoder().encode('</p>'),
      ]);
    for (const head of ['', '<meta charset="windows-1252">', '<meta charset="iso-8859-1">'])
      expect(new TextDecoder().decode(cleanHtml(bytes(head))), head).to.contain('“A” €');
  });

  it('reads the encoding that the page names', () => {
    const latin = new Uint8Array([
      ...new TextEncoder().encode('<meta charset="iso-8859-1"><p>caf'),
      0xe9,
      ...new TextEncoder().encode('</p>'),
    ]);
    expect(new TextDecoder().decode(cleanHtml(latin))).to.contain('café');
  });
});
