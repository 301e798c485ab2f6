import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { printHtml } from '../../src/functions/pages/print-page.js';
import { markdownPage } from '../../src/functions/pages/markdown-page.js';

describe('laying a page out for the printer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-page-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const source = '<title>A &amp; B</title><form><input value="v"></form><script>s()</script><p>caf\u00e9';
  const lay = async (
    trusted: boolean,
  ): Promise<{ page: string; title: string | undefined; producer: string | undefined }> => {
    await writeFile(join(folder, 'in.html'), Buffer.from(source, 'latin1'));
    let page = '';
    const path = await printHtml({ path: join(folder, 'in.html'), isZip: false }, trusted, {
      folder,
      now: new Date('2026-01-01T00:00:00Z'),
      signal: new AbortController().signal,
      print: async (file, output) => {
        page = await readFile(file, 'utf8');
        await writeFile(output, await makePdf({ pages: 1 }));
      },
    });
    const document = await PDFDocument.load(await readFile(path), { updateMetadata: false });
    return { page, title: document.getTitle(), producer: document.getProducer() };
  };

  it('cleans it, declares its encoding and names it', async () => {
    const { page, title, producer } = await lay(false);
    expect(page)
      .to.contain('<meta charset="utf-8">')
      .and.contain('café')
      .and.not.match(/<input|<script|s\(\)/);
    expect([title, producer]).to.deep.equal(['A & B', 'Quire']);
  });

  it('names what the page shows and cannot be loaded, and why', async () => {
    const warnings: string[] = [];
    const named =
      '<img src="here.png"><img src="gone.png"><img src="http://a.example/b.png">' +
      '<style>p{background:url(http://a.example/c.png)}</style><a href="http://a.example/">link</a>';
    await writeFile(join(folder, 'in.html'), named);
    await printHtml({ path: join(folder, 'in.html'), isZip: false }, false, {
      folder,
      now: new Date('2026-01-01T00:00:00Z'),
      signal: new AbortController().signal,
      warn: (sentence) => void warnings.push(sentence),
      print: async (_file, output) => writeFile(output, await makePdf({ pages: 1 })),
    });
    expect(warnings).to.deep.equal([
      '4 resources of the page could not be loaded: here.png, gone.png (not found in the upload); ' +
        'http://a.example/b.png, http://a.example/c.png (outside the upload, from where nothing is loaded). Send a zip ' +
        'that contains the page and its files.',
    ]);
  });

  it('leaves it as it is where the operator says so', async () => {
    const { page, title } = await lay(true);
    expect(page).to.equal(`\uFEFF${source}`);
    expect(title).to.equal('A & B');
  });

  it('takes metadata for what it is and nothing else', async () => {
    for (const [text, title, printed] of [
      ['---\ntitle: T\n---\nbody', 'T', false],
      ['---\ntitle: 5\n...\nbody', '5', false],
      ['---\njust text\n---\nbody', undefined, true],
      ['---\n[a, b]\n---\n', undefined, true],
      ['--- \n: : :\n\t- x\n---\nb', undefined, true],
      ['body\n---\ntitle: T\n---\n', undefined, true],
    ] as const) {
      const page = await markdownPage(text, '');
      expect([page.title, /title:|just text|\[a, b\]|: : :/.test(page.html)], text).to.deep.equal([title, printed]);
    }
  });

  it('gives headings names, tables their classes and code its colours', async () => {
    const { html } = await markdownPage(
      '# A b!\n# A b!\n\n|a|\n|-|\n|1|\n\n```ts\nconst a = 1;\n```\n\n```nonsense\n<b>\n```\n\n~~s~~ ' +
        'https://example.org/\n\n- [x] d',
      '',
    );
    for (const part of [
      '<h1 id="a-b">',
      '<h1 id="a-b-1">',
      '<table class="table table-striped">',
      'hljs-keyword',
      '&lt;b&gt;',
      '<s>s</s>',
      'href="https://example.org/"',
      'checkbox',
    ])
      expect(html, part).to.contain(part);
  });
});
