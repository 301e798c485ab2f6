import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '@quire/document/layout';
import { inlineText, MarkdownWriter, pdfToMarkdown } from '@quire/document/layout/markdown';
import { expect } from 'chai';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';

const columns = [
  'The first column opens the story of the mill. Water came down from the hills in spring and turned the wheel ' +
    'from morning until late at night, and the miller, who slept little, kept a lamp at the window.',
  'His daughter carried the flour to the village on a grey mule. She knew every stone of the road, and people ' +
    'said that the mule knew it better still, since it went home by itself whenever the fair lasted too long.',
  'When the railway was built the mill lost its trade within a few years. The wheel stood still, the roof let ' +
    'in the rain, and in the end only swallows lived under the beams that had once carried the heavy stones.',
  'The last column closes the story. A school bought the house, mended the roof, and children now measure how ' +
    'much electricity the old wheel makes on a windy day in March.',
];
const rain = Array.from(
  { length: 34 },
  (_, i) => `| Station ${i + 1} | ${(i * 7) % 23} mm | ${i % 2 === 0 ? 'dry' : 'wet'} |`,
);

/**
 * The article, as `fixtures/make-article.ts` writes it: everything but the picture and the notes, which stand where the
 * page has them.
 */
const article = [
  '# The Old Mill',
  'This article has **bold words**, *leaning words* and a note[^1] in its first paragraph, which is long ' +
    'enough to run over two lines of the page. There is a link to the museum and another note[^2]. Water is ' +
    'H<sub>2</sub>O.',
  '## What is needed',
  '- A wheel\n- Two stones\n  - the runner\n  - the bed stone\n- A mule that knows the road well enough to go ' +
    'home alone when the fair lasts longer than its patience, which is short',
  '## How it is done',
  '1. Open the gate.\n2. Pour the grain.\n   1. slowly\n   2. evenly\n3. Close the gate.',
  '### A table with merged cells',
  '| Name | Measures |  |\n| --- | --- | --- |\n| Wheel | Height | 4 m |\n|  | Width | 80 \\| 90 cm |',
  '*\\[Image: 160 x 90 px, 120 x 68 pt, 96 dpi, raw pixels, DeviceRGB 24 bit\\]*',
  'Figure 1: The mill from the south.',
  '[^1]: Measured in the summer of 1911 by the county.',
  '[^2]: See the letters in the archive, box 12.',
  '## The story',
  ...columns,
  '## Other tongues',
  '\u05d4\u05d8\u05d7\u05e0\u05d4 \u05e0\u05d1\u05e0\u05ea\u05d4 \u05d1\u05e9\u05e0\u05ea 1911 ' +
    '\u05dc\u05d9\u05d3 \u05d4\u05e0\u05d4\u05e8.',
  '## Rain by place',
  ['| Place | Rain | State |', '| --- | --- | --- |', ...rain].join('\n'),
  '## A page on its side',
  'This page is wider than it is high. The end of the article stands here, in one line that is long.',
];

describe('A PDF as Markdown', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-markdown-'));
  });
  after(() => rm(folder, { recursive: true }));

  const convert = async (name: string): Promise<string> => {
    const done: number[] = [];
    await pdfToMarkdown(
      { path: new URL(`../../../fixtures/${name}`, import.meta.url).pathname },
      join(folder, 'out.md'),
      { signal: new AbortController().signal, progress: (pages) => void done.push(pages) },
    );
    expect(done).to.deep.equal([1, 2, 3]);
    return readFile(join(folder, 'out.md'), 'utf8');
  };

  for (const name of ['article.pdf', 'article-tagged.pdf']) {
    it(`has headings, lists, tables over pages, columns, notes and text from the right in order: ${name}`, async () => {
      const text = await convert(name);
      let at = 0;
      for (const part of article) {
        const found = text.indexOf(part, at);
        expect(found, `${part}\n--- not found in what follows ---\n${text.slice(at, at + 400)}`).to.be.at.least(at);
        at = found + part.length;
      }
      // It contains no running titles or page numbers, and nothing twice.
      expect(text).not.to.match(/Annals of the Mill|Page \d of/);
      expect(text.match(/mule knew it better/g)).to.have.length(1);
    });
  }

  it(
    'has whole words and lines of a wide page, also written from the right, and paragraphs that tags hold over ' +
      'two columns',
    async () => {
      const text = await convert('annual-report.pdf');
      expect(text).to.include('\n\nIt lies on its side.\n\n\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd, ');
      for (let i = 1; i <= 5; i++)
        expect(text).to.include(
          Array.from(
            { length: 9 },
            (_, n) => `In paragraph ${i} sentence ${n + 1} says something about the economy and its people.`,
          ).join(' '),
        );
    },
  );

  it('ends at the next page when it is cancelled', async () => {
    const stop = new AbortController();
    const run = pdfToMarkdown(
      { path: new URL('../../../fixtures/article.pdf', import.meta.url).pathname },
      join(folder, 'cancelled.md'),
      { signal: stop.signal, progress: (done) => void (done === 1 && stop.abort(new Error('enough'))) },
    );
    expect(
      await run.then(
        () => 'done',
        (error: Error) => error.message,
      ),
    ).to.equal('enough');
  });

  it('renders again as the same words', async () => {
    const html = new MarkdownIt({ html: true }).use(footnotes).render(await convert('article.pdf'));
    expect(html)
      .to.include('<td>80 | 90 cm</td>')
      .and.to.include('<strong>bold words</strong>')
      .and.to.include('Station 34')
      .and.to.include('<section class="footnotes">');
    expect((html.match(/<tr>/g) ?? []).length).to.equal(4 + 35);
  });
});

describe('Text in Markdown', () => {
  const plain: Run = {
    text: '',
    bold: false,
    italic: false,
    monospace: false,
    underline: false,
    strike: false,
    position: 'normal',
    size: 11,
    family: 'Times New Roman',
    colour: '#000000',
    link: undefined,
    footnote: undefined,
  };
  const render = (runs: readonly Partial<Run>[], lineBreak = ' '): string =>
    new MarkdownIt({ html: true })
      .render(
        inlineText(
          runs.map((run) => ({ ...plain, ...run })),
          { footnote: () => 1, lineBreak },
        ),
      )
      .trim();
  const shown = (html: string): string =>
    html
      .replace(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');

  it('means what it says, whatever signs it holds', () => {
    const texts = [
      '# no heading',
      '1. no list',
      '12) neither',
      '- dash',
      '+ plus',
      '> quote',
      '*star* and **two**',
      '_under_ snake_case __init__',
      '`code` ``two``',
      '[link](x) ![image](y)',
      '<b>tag</b> <!-- c -->',
      'a & b &amp; &lt; &#35;',
      'back\\slash \\* \\_',
      '~~~ fence',
      '~~struck~~',
      '===',
      '---',
      '| a | b |',
      'http://x.y/?a=1&b=2',
      '5 * 3 * 2',
      '*',
      '$x_1$',
      '\u05e9\u05dc\u05d5\u05dd *world*',
      '#',
      '====== x',
      '!',
      '[^1]',
      '<https://a.b>',
      'a  b',
      '2 \\| 3',
      '* * *',
      '_ _ _',
    ];
    for (const text of texts) {
      const html = render([{ text }]);
      expect([shown(html), html.startsWith('<p>')], text).to.deep.equal([
        text.replace(/\s+/g, text.includes('  ') ? '  ' : ' '),
        true,
      ]);
      expect(html.replaceAll(/<\/?p>/g, ''), text).not.to.match(/<(?!br)/);
    }
  });

  it('keeps looks where they begin and end within words and at signs', () => {
    expect(render([{ text: 'a' }, { text: '(b)', bold: true }, { text: 'c' }])).to.equal(
      '<p>a<strong>(b)</strong>c</p>',
    );
    expect(render([{ text: 'one ' }, { text: ' two ', italic: true }, { text: 'three' }]).replace(/ +/g, ' ')).to.equal(
      '<p>one <em>two</em> three</p>',
    );
    expect(
      render([
        { text: 'x', bold: true, italic: true },
        { text: 'y', bold: true },
      ]),
    ).to.match(/<strong>y<\/strong>|<strong>.*y<\/strong>/);
    expect(render([{ text: 'a`b', monospace: true }])).to.equal('<p><code>a`b</code></p>');
    expect(render([{ text: 'mc' }, { text: '2', position: 'superscript' }])).to.equal('<p>mc<sup>2</sup></p>');
  });

  it('links to addresses that a browser may follow and to no others', () => {
    expect(render([{ text: 'x (y)', link: { uri: 'https://a.b/c(d)e f' } }])).to.equal(
      '<p><a href="https://a.b/c(d)e%20f">x (y)</a></p>',
    );
    // That is what is tested
    expect(
      render([
        { text: 'x', link: { uri: 'javascript:alert(1)' } },
        { text: ' y', link: { page: 2 } },
      ]),
    ).to.equal('<p>x y</p>');
  });

  it('fences code that has fences, and keeps lists apart that follow each other', () => {
    const at = { page: 1, box: { left: 0, top: 0, right: 1, bottom: 1 } };
    const paragraph = (text: string) => ({
      ...at,
      kind: 'paragraph' as const,
      align: 'left' as const,
      direction: 'ltr' as const,
      indent: { left: 0, right: 0, first: 0 },
      leading: 0,
      caption: false,
      keepsLines: false,
      runs: [{ ...plain, text }],
    });
    const list = (text: string) => ({
      ...at,
      kind: 'list' as const,
      ordered: false,
      style: 'bullet' as const,
      start: 1,
      direction: 'ltr' as const,
      items: [{ marker: '-', blocks: [paragraph(text)] }],
    });
    const html = new MarkdownIt().render(
      new MarkdownWriter().blocks([{ ...at, kind: 'code', text: '```\nx\n```' }, list('one'), list('two')]),
    );
    expect(html).to.equal(
      '<pre><code>```\nx\n```\n</code></pre>\n<ul>\n<li>one</li>\n</ul>\n<ul>\n<li>two</li>\n</ul>\n',
    );
  });
});
