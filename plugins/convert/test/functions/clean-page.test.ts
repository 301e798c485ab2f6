import { expect } from 'chai';
import { cleanPage, filesBeside } from '../../src/functions/pages/clean-page.js';
import { mapStyleAddresses } from '../../src/functions/pages/style-addresses.js';
import { mainPage } from '../../src/functions/pages/page-folder.js';

const ownFilesOnly = filesBeside('page.html');
const clean = (html: string): string => cleanPage(html, ownFilesOnly).html;
/** Every address that is left, as a browser would resolve it. */
const left = (css: string): string[] => {
  const seen: string[] = [];
  mapStyleAddresses(css, (address) => {
    seen.push(address);
    return undefined;
  });
  return seen;
};

describe('cleaning a page', () => {
  it('takes scripts, handlers, forms, frames, objects, refreshes and bases out, and leaves text and style', () => {
    const html = clean(`<html lang="en" onclick="x()"><head><base href="http://evil.test/"><meta http-equiv="refresh"
  content="0;url=http://evil.test/"><script>evil()</script><style>p { color: red }</style><title>A &amp;
B</title></head>
<body onload="evil()"><p class="a" style="color: blue" onmouseover="evil()">Text</p><form
  action="http://evil.test/"><input name="n"
  value="v"><textarea>secret</textarea><select><option>o</option></select><button
  formaction="http://evil.test/">Go</button></form>
<iframe src="http://evil.test/"></iframe><object data="http://evil.test/"></object><embed
  src="http://evil.test/"><noscript>none</noscript><template>tpl</template><a href="javascript:evil()">bad</a><a
  href="https://example.org/">good</a><svg onload="evil()"><foreignObject><p>foreign</p></foreignObject><animate
  attributeName="href" values="javascript:evil()"/><script>evil()</script><rect width="1" height="1"
  fill="url(#g)"/></svg></body></html>`);
    expect(html).not.to.match(
      /evil|script|<(base|meta http|form|input|textarea|select|button|iframe|object|embed|animate|foreignobject|noscript)|secret|none|tpl|foreign/i,
    );
    expect(html)
      .to.contain('<html lang="en">')
      .and.contain('style="color: blue"')
      .and.contain('p { color: red }')
      .and.contain('href="https://example.org/"')
      .and.contain('<rect width="1" height="1" fill="url(')
      .and.contain('Go');
    expect(cleanPage('<title>A &amp; B</title>', ownFilesOnly).title).to.equal('A &amp; B');
  });

  it('leaves relative addresses and bytes of its own, and none that leads elsewhere', () => {
    const gif = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    const html = clean(`<link rel="stylesheet" href="a/b.css"><link rel="stylesheet" href="//evil.test/x.css"><link
  rel="stylesheet alternate" href="alt.css"><link rel="icon" href="i.png"><img src="img/a b.png"><img
  src="${gif}"><img src="HTTP://evil.test/1"><img src="\\\\evil.test\\2">
<img src="/\\evil.test/3"><img src="htt\np://evil.test/4"><img src=" file:///etc/passwd"><img
  src="data:text/html,<b>evil.test"><img srcset="s.png 1x, http://evil.test/5 2x"><td
  background="http://evil.test/6"></td><svg><image href="http://evil.test/7"/><image href="d.png"/><use
  href="http://evil.test/8#x"/><use href="#ok"/></svg>`);
    expect(html).not.to.match(/evil|passwd|alt\.css|i\.png/);
    for (const kept of ['./a/b.css', './img/a%20b.png', gif, './s.png 1x', './d.png', '#ok'])
      expect(html, kept).to.contain(kept);
  });

  it('gives addresses as they are seen from the root of an archive', () => {
    const map = filesBeside('pages/one two/index.html');
    expect(
      ['a.png', '../b.png', '/c.png', '../../../../d.png', '#x', 'e.svg#f', 'http:g.png'].map((address) =>
        map(address, 'picture'),
      ),
    ).to.deep.equal([
      './pages/one%20two/a.png',
      './pages/b.png',
      './c.png',
      './d.png',
      '#x',
      './pages/one%20two/e.svg#f',
      './pages/one%20two/g.png',
    ]);
  });

  it('keeps the document type away from pages that have none', () => {
    expect(clean('<!-- c --><!DOCTYPE html PUBLIC "x"><p>a')).to.match(/^<!doctype html>/);
    expect(clean('<p>a')).to.match(/^<meta charset="utf-8">/);
  });

  it('reads style as browsers do: escapes, comments, strings, unquoted addresses', () => {
    expect(
      left(
        'a { background: URL( http://a/ ) } b { background: u\\72l("http://b/") } c { background: url( "http://c/" ) }',
      ),
    ).to.deep.equal(['http://a/', 'http://b/', 'http://c/']);
    expect(mapStyleAddresses('d { background: \\75 \\72 \\6c(http://d/) }', ownFilesOnly)).to.equal(
      'd { background: refused(http://d/) }',
    );
    expect(left('@import "http://e/"; @import/**/url(http://f/) print; @\\69mport \'http://g/\';')).to.deep.equal([
      'http://e/',
      'http://f/',
      'http://g/',
    ]);
    expect(
      left(
        'a { background: image-set("http://h/" 1x, url(http://i/) 2x); src: src("http://j/"); mask: ' +
          '-webkit-image-set("http://k/" 1x) } /* url(http://no/) */ b::before { content: "url(http://no/)" }',
      ),
    ).to.deep.equal(['http://h/', 'http://i/', 'http://j/', 'http://k/']);
    expect(left('a { background: url("http://\\65 vil/") }')).to.deep.equal(['http://evil/']);
  });

  it('leaves everything else of style as it is, and nothing that could end the element', () => {
    const css =
      '@page { size: A4 } @media print and (width > 1px) { a > b::after { content: "\\201C" counter(x) } } ' +
      ':root { --x: { y } }';
    expect(mapStyleAddresses(css, ownFilesOnly)).to.equal(css);
    expect(mapStyleAddresses('a { content: "</style><img src=x>" }', ownFilesOnly)).not.to.match(/<[/a-z]/);
    expect(clean('<style>a { background: url(x.png) } @import url(//evil.test/);</style>'))
      .to.contain('x.png')
      .and.not.contain('evil');
  });

  it('takes no longer for nesting, open tags and long attributes', () => {
    const whole: readonly (readonly [html: string, cleaned: string | RegExp])[] = [
      ['<div>'.repeat(50_000), /^(?:<div>){100,1000}(?:<\/div>)+$/],
      ['<'.repeat(200_000), '&lt;'.repeat(200_000)],
      [`<p style="${'url('.repeat(20_000)}">`, '<p></p>'],
      [`<style>${'{('.repeat(50_000)}</style>`, `<style>${'{('.repeat(50_000)}</style>`],
      [`<img srcset="${'a '.repeat(50_000)}">`, '<img srcset="./a" />'],
      ['<!--'.repeat(50_000), ''],
      [`<title>${'<svg>'.repeat(20_000)}`, `<title>${'&lt;svg&gt;'.repeat(20_000)}</title>`],
    ];
    for (const [html, cleaned] of whole) {
      const found = clean(html).replace('<meta charset="utf-8">\n', '');
      expect(typeof cleaned === 'string' ? found === cleaned : cleaned.test(found), html.slice(0, 20)).to.equal(true);
    }
  });
});

describe('choosing the page of an archive', () => {
  it('takes the index nearest to the root, else the first by name', () => {
    const html = ['html', 'htm', 'xhtml'];
    expect(mainPage(['b.html', 'index.html', 'a.html'], html)).to.equal('index.html');
    expect(mainPage(['site/b.html', 'site/INDEX.HTM', 'site/x/index.html'], html)).to.equal('site/INDEX.HTM');
    expect(mainPage(['page10.html', 'page2.html', 'x/index.html'], html)).to.equal('page2.html');
    expect(mainPage(['a.txt'], html)).to.equal(undefined);
    expect(mainPage(['README.MARKDOWN'], ['md', 'markdown'])).to.equal('README.MARKDOWN');
  });
});
