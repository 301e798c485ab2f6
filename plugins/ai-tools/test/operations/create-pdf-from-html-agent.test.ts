import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { type OperationAnswer, callOperation, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import sharp from 'sharp';

describe('laying structured documents out', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-ai-tools'], settings: { 'aiEngine.enabled': true } });
  const folder = mkdtempSync(join(tmpdir(), 'quire-layout-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const create = (
    document: unknown,
    filename: string | undefined = 'document.pdf',
    url = server.url,
  ): Promise<OperationAnswer> =>
    callOperation(url, {
      path: 'ai/tools/create-pdf-from-html-agent',
      params: { document: typeof document === 'string' ? document : JSON.stringify(document), filename },
    });
  const saved = (answer: OperationAnswer): string => {
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, 500))).to.equal(200);
    const path = join(folder, 'document.pdf');
    writeFileSync(path, answer.bytes);
    execFileSync('qpdf', ['--check', path], { stdio: 'ignore' });
    return path;
  };
  const textOf = (path: string, ...more: string[]): string =>
    execFileSync('pdftotext', ['-layout', ...more, path, '-'], { encoding: 'utf8' });
  const info = (path: string): string => execFileSync('pdfinfo', [path], { encoding: 'utf8' });
  const pixels = async (path: string, page = 1): Promise<(x: number, y: number) => number[]> => {
    execFileSync('pdftoppm', ['-r', '36', '-f', String(page), '-singlefile', '-png', path, join(folder, 'page')]);
    const {
      data,
      info: { width, channels },
    } = await sharp(join(folder, 'page.png')).raw().toBuffer({ resolveWithObject: true });
    return (x, y) => [...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3)];
  };

  it('repeats the head of a table on every page, its total once, and numbers the pages', async () => {
    const rows = Array.from({ length: 70 }, (_, i) => [`A-${i + 1}`, 'Paper, white', i * 1.5, null]);
    const path = saved(
      await create({
        title: 'Invoice',
        subtitle: 'Acme',
        referenceNumber: 'R-17',
        sections: [
          {
            type: 'table',
            heading: 'Goods',
            columns: ['No.', 'Description', 'Amount', 'Note'],
            rows,
            totalRow: ['Sum of all', '', 3622.5],
          },
          { type: 'signature', signatories: ['Ada Lovelace', { name: 'Grace Hopper', title: 'Director' }] },
        ],
      }),
    );
    const pages = textOf(path).split('\f').slice(0, -1);
    expect(pages).to.have.length(3);
    pages.forEach((page, i) =>
      expect(page)
        .to.match(/No\.\s+Description\s+Amount\s+Note/)
        .and.match(new RegExp(`${i + 1}\\s*/\\s*3\\s*$`)),
    );
    expect(pages.join('').match(/Sum of all/g)).to.have.length(1);
    for (const row of rows) expect(pages.join('')).to.match(new RegExp(`${String(row[0])}\\s+Paper`));
    expect(pages[2]).to.match(/Ada Lovelace\s+Grace Hopper\s+Director/);
    expect(info(path))
      .to.match(/^Title:\s+Invoice$/m)
      .and.match(/^Tagged:\s+yes$/m)
      .and.match(/^Producer:\s+Quire/m);
    expect(pages[0]).to.contain('R-17').and.contain('Acme').and.contain('Goods');
  });

  it('shows all that sections of any type hold, and nothing of it as markup', async () => {
    const hostile = '<img src="http://127.0.0.1:1/x"><script>x()</script></title></style>&amp;';
    const sections = [
      {
        type: 'key_value',
        heading: hostile,
        pairs: [
          ['Customer', 'Grüße GmbH'],
          ['Paid', true],
        ],
      },
      { type: 'numberedList', items: ['first', 'second'] },
      { type: 'checklist', items: ['open'] },
      { type: 'callout', body: 'mind this' },
      { type: 'quote', body: 'to be' },
      { type: 'two_columns', body: 'left\n\nright' },
      { type: 'divider' },
      { type: 'nobody knows', body: hostile, items: ['shown'] },
      { type: 'page_break', heading: 'On a new page', body: '漢字 한국어 عربي' },
    ];
    const path = saved(await create({ title: hostile, sections }));
    const pages = textOf(path).split('\f').slice(0, -1);
    expect(pages).to.have.length(2);
    const first = pages[0]!.replace(/\s+/g, '');
    expect(first.split('<script>x()</script></title></style>&amp;')).to.have.length(4);
    expect(pages[0])
      .to.match(/Customer\s+Grüße GmbH/)
      .and.match(/Paid\s+true/)
      .and.match(/1\.\s*first[^]*2\.\s*second/)
      .and.match(/mind this[^]*to be/)
      .and.match(/left[^]*right/)
      .and.contain('shown');
    expect(pages[1]).to.contain('On a new page').and.contain('漢字').and.contain('한국어');
  });

  it('paints paper, bars and text in the colours of the document, to the edges of the page', async () => {
    const path = saved(
      await create({
        title: 'T',
        style: { primaryColor: '#008000', backgroundColor: '#FFE0C0', bodyTextColor: '#0000ff' },
        sections: [{ columns: ['Only'], rows: [['one']] }],
      }),
    );
    const at = await pixels(path);
    expect(at(1, 1)).to.deep.equal([255, 224, 192]);
    expect(at(295, 415)).to.deep.equal([255, 224, 192]);
    const colours = new Set(Array.from({ length: 420 }, (_, y) => at(200, y).join()));
    expect([...colours]).to.include('0,128,0');
    expect(textOf(path)).to.contain('one').and.not.contain('1 / 1');
  });

  it('lays wide tables on the long side, and writes from the right what is read from there', async () => {
    const wide = saved(
      await create({
        sections: [
          {
            columns: Array.from({ length: 14 }, (_, i) => `C${i}`),
            rows: [Array.from({ length: 14 }, (_, i) => i * 1000)],
          },
        ],
      }),
    );
    expect(info(wide)).to.match(/Page size:\s+84[12][.\d]* x 59[45]/);
    const hebrew = saved(await create({ sections: [{ columns: ['שם', 'מחיר'], rows: [['לחם', 5]] }] }));
    const boxes = execFileSync('pdftotext', ['-bbox', hebrew, '-'], { encoding: 'utf8' });
    const left = (word: string): number => Number(new RegExp(`xMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes)?.[1]);
    expect(left('5')).to.be.lessThan(left('(?:לחם|םחל)'));
  });

  it('makes no table wider than the page, whatever its words', async () => {
    const path = saved(
      await create({ sections: [{ columns: ['w'.repeat(400), 'b'], rows: [['x'.repeat(900), 'y']] }] }),
    );
    const right = [
      ...execFileSync('pdftotext', ['-bbox', path, '-'], { encoding: 'utf8' }).matchAll(/xMax="([\d.]+)"/g),
    ].map(([, x]) => Number(x));
    expect(Math.max(...right)).to.be.lessThan(560);
  });

  it('takes the name that ends in .pdf, and another one for all others', async () => {
    const names = [];
    for (const name of ['Offer März.pdf', 'x.txt', '.pdf', '../../etc/x.pdf'])
      names.push((await create({}, name)).fileName);
    expect(names).to.deep.equal(['Offer März.pdf', 'generated-document.pdf', 'generated-document.pdf', 'x.pdf']);
  });

  it('refuses a value that is not a document, naming the place', async () => {
    const pointers = async (document: unknown, filename?: string): Promise<string[]> => {
      const answer = await create(document, filename ?? 'x.pdf');
      expect(answer.status).to.equal(400);
      return answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer);
    };
    expect(await pointers('{"title":')).to.deep.equal(['/document']);
    expect(await pointers([])).to.deep.equal(['/document']);
    expect(
      await pointers({
        title: 7,
        style: { primaryColor: 'red', backgroundColor: '#12345g' },
        sections: [{ rows: [[{}]] }, 'x'],
      }),
    ).to.deep.equal([
      '/document/title',
      '/document/style/primaryColor',
      '/document/style/backgroundColor',
      '/document/sections/0/rows/0/0',
      '/document/sections/1',
    ]);
    expect(
      await pointers({ sections: [{ pairs: [['a', 'b', 'c']], columns: Array.from({ length: 41 }, () => 'x') }] }),
    ).to.have.members(['/document/sections/0/columns', '/document/sections/0/pairs/0']);
    expect(await pointers({}, '   ')).to.deep.equal(['/filename']);
    expect(
      (
        await callOperation(server.url, { path: 'ai/tools/create-pdf-from-html-agent', params: { filename: 'x.pdf' } })
      ).json<{ errors: { pointer: string }[] }>().errors[0]?.pointer,
    ).to.equal('/document');
  });

  it('is not there while the tools are off, and not set up while its switch is', async () => {
    for (const [settings, status] of [
      [{}, 404],
      [{ 'aiEngine.enabled': true, 'aiEngine.features.createPdf': false }, 503],
    ] as const) {
      const other = await createTestServer({ plugins: ['@quire/plugin-ai-tools'], settings });
      try {
        const answer = await create({}, 'x.pdf', await other.start());
        expect(answer.status).to.equal(status);
        if (status === 503) expect(answer.json<{ detail: string }>().detail).to.contain('createPdf');
      } finally {
        await other.stop();
      }
    }
  });
});
