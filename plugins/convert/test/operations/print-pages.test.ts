import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { withPages } from '@quire/document/layout';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import sharp from 'sharp';
import { fixture, fontFace, page, pixels, type Sent, share, zipped } from './printed-pages.js';

describe('printing pages over HTTP', function () {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let web: Server;
  let site: string;
  let folder: string;
  const asked: string[] = [];
  const pages: Record<
    string,
    readonly [status: number, type: string, body: string | Buffer, more?: Record<string, string>]
  > = {};
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-pages-'));
    web = createServer((request, response) => {
      asked.push(request.url ?? '');
      const [status, type, body, more] = pages[request.url ?? ''] ?? [404, 'text/plain', 'nothing here'];
      response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...more }).end(body);
    });
    await new Promise<void>((resolve) => void web.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(web.address() as { port: number }).port}`;
    server = await createTestServer({
      plugins: ['@quire/plugin-convert'],
      settings: { 'system.enableUrlToPDF': true, 'outbound.allowed': ['127.0.0.1'] },
    });
    url = await server.start();
  });
  after(async () => {
    await server.stop();
    web.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => void asked.splice(0));

  const call = (path: string, file: Sent | undefined, params: Record<string, unknown> = {}): Promise<OperationAnswer> =>
    callOperation(url, { path: `convert/${path}`, files: file === undefined ? [] : [file], params });
  const save = (answer: OperationAnswer): string => {
    expect(answer.status, new TextDecoder().decode(answer.bytes.subarray(0, 500))).to.equal(200);
    const path = join(folder, 'result.pdf');
    writeFileSync(path, answer.bytes);
    execFileSync('qpdf', ['--check', path], { stdio: 'ignore' });
    return path;
  };
  const text = (answer: OperationAnswer): string =>
    execFileSync('pdftotext', ['-layout', save(answer), '-'], { encoding: 'utf8' });
  const info = (answer: OperationAnswer, ...more: string[]): string =>
    execFileSync('pdfinfo', [...more, save(answer)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  describe('html/pdf', () => {
    it(
      'prints style, columns, merged cells, drawings and every script, tagged, with an outline and links, as a ' +
        'document of ours',
      async () => {
        const answer = await call('html/pdf', await fixture('report.html'));
        expect(answer.fileName).to.equal('report.pdf');
        const shown = text(answer);
        for (const part of [
          'Quarterly report',
          'Left and right',
          'closed',
          '日本語の文章',
          '한국어 문장',
          '中文句子',
          'ภาษาไทย',
          'Ελληνικά',
          '😀',
          'across',
        ])
          expect(shown.replace(/[\u200e\u200f\u202a-\u202e]/g, ''), part).to.contain(part);
        expect(shown).not.to.contain('script ran');
        expect(info(answer))
          .to.match(/Title:\s+Quarterly report\n/)
          .and.match(/Producer:\s+Quire/)
          .and.match(/Tagged:\s+yes/)
          .and.match(/Pages:\s+2/)
          .and.not.match(/Chromium|Skia/);
        expect(info(answer, '-f', '1', '-l', '2'))
          .to.match(/Page\s+1 size:\s+59\d[.\d]* x 84\d/)
          .and.match(/Page\s+2 size:\s+84\d[.\d]* x 59\d/);
        expect(info(answer, '-url')).to.contain('https://example.org/report');
        expect(info(answer, '-struct-text')).to.match(/H1[^]*Quarterly report[^]*Table[^]*TH[^]*Area/);
      },
    );

    it('looks as the browser itself prints the page', async function () {
      const program = ['/usr/bin/chromium', '/usr/bin/google-chrome-stable'].find((file) => {
        try {
          return readFileSync(file).length > 0;
        } catch {
          return false;
        }
      });
      if (program === undefined) return this.skip();
      const source = (await fixture('report.html')).bytes;
      // Scripts of the page would run in the plain program. Both get the same font, since only the server has its own.
      const plain = Buffer.from(source)
        .toString('utf8')
        .replace('<style>', `<style>${await fontFace(400, 'Regular')}${await fontFace(700, 'Bold')}`)
        .replace('sans-serif', 'Embedded')
        .replace(/<script>[^]*<\/script>/, '')
        .replace(/<p dir="rtl"[^]*😀<\/p>/, '');
      writeFileSync(join(folder, 'plain.html'), plain);
      execFileSync(
        program,
        [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          `--user-data-dir=${join(folder, 'profile')}`,
          '--no-pdf-header-footer',
          `--print-to-pdf=${join(folder, 'plain.pdf')}`,
          join(folder, 'plain.html'),
        ],
        { stdio: 'ignore', timeout: 60_000 },
      );
      const ours = save(await call('html/pdf', page(plain)));
      for (const n of [1, 2]) {
        const [a, b] = [await pixels(ours, n), await pixels(join(folder, 'plain.pdf'), n)];
        expect([a.width, a.height]).to.deep.equal([b.width, b.height]);
        let different = 0;
        for (let i = 0; i < a.data.length; i += 3)
          if ([0, 1, 2].some((k) => Math.abs((a.data[i + k] ?? 0) - (b.data[i + k] ?? 0)) > 64)) different++;
        expect(different / (a.width * a.height), `page ${n}`).to.be.lessThan(0.005);
      }
    });

    it('prints the page of a zip with its pictures and style, in its own encoding', async () => {
      const answer = await call('html/pdf', await fixture('site.zip'));
      expect(answer.fileName).to.equal('site.pdf');
      expect(text(answer)).to.contain('Café €').and.not.contain('Not this one');
      const pdf = save(answer);
      expect(await share(pdf, [255, 0, 0]), 'red picture').to.be.greaterThan(0.005);
      expect(await share(pdf, [0, 0, 255]), 'background of the style sheet').to.be.greaterThan(0.0001);
    });

    it('finds pictures by addresses that begin at the root of the zip, and lie above the page', async () => {
      const red = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      for (const src of ['/img/a%20b.png', '../img/a b.png', 'http:../img/a b.png']) {
        const answer = await call(
          'html/pdf',
          await zipped('deep.zip', { 'pages/index.html': `<img src="${src}">`, 'img/a b.png': red }),
        );
        expect(await share(save(answer), [255, 0, 0]), src).to.be.greaterThan(0.05);
      }
    });

    it('scales by zoom and refuses other values, naming the field', async () => {
      const black = page(
        '<style>body { margin: 0 } div { width: 200px; height: 200px; background: #000 }</style><div></div>',
      );
      const whole = await share(save(await call('html/pdf', black)), [0, 0, 0]);
      const half = await share(save(await call('html/pdf', black, { zoom: 0.5 })), [0, 0, 0]);
      expect(half / whole).to.be.closeTo(0.25, 0.03);
      for (const zoom of [0, 0.05, 2.5, -1, 'big', 'NaN']) {
        const answer = await call('html/pdf', black, { zoom });
        expect(
          [answer.status, answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer],
          String(zoom),
        ).to.deep.equal([400, '/zoom']);
      }
    });

    it('asks nobody for anything', async () => {
      const answer = await call(
        'html/pdf',
        await zipped('x.zip', {
          'index.html':
            `<base href="${site}/"><link rel="stylesheet" href="${site}/a.css"><style>@import "${site}/b.css"; ` +
            `body { background: url(${site}/c.png) }</style><img src="${site}/d.png"><img src="${site.slice(5)}` +
            `/e.png"><link rel="stylesheet" href="own.css"><p>shown`,
          'own.css': `@import url(${site}/f.css); p { background: url("${site}/g.png") }`,
        }),
      );
      expect(text(answer)).to.contain('shown');
      expect(asked).to.deep.equal([]);
    });

    it('refuses archives that lead out or have no page, and other kinds', async () => {
      expect([
        (await call('html/pdf', await fixture('no-page.zip'))).code,
        (await call('html/pdf', page('text', 'a.txt'))).status,
      ]).to.deep.equal(['PAGE_MISSING', 415]);
      const slip = Buffer.from((await zipped('slip.zip', { 'index.html': '<p>x', 'aa/evil.txt': 'x' })).bytes);
      for (let at = slip.indexOf('aa/evil'); at >= 0; at = slip.indexOf('aa/evil')) slip.write('../evil', at, 'latin1');
      expect((await call('html/pdf', { name: 'slip.zip', bytes: slip })).code).to.equal('ARCHIVE_UNSAFE');
    });

    it('leaves nothing of a call behind that was cancelled or ran out of time', async () => {
      // Work for minutes.
      const heavy = page(`<table>${`<tr>${'<td>c'.repeat(20)}</tr>`.repeat(150_000)}</table>`);
      const form = new FormData();
      form.append('fileInput', new Blob([Buffer.from(heavy.bytes)]), heavy.name);
      const { jobId } = (await (
        await fetch(`${url}/api/v1/convert/html/pdf?async=true`, { method: 'POST', body: form })
      ).json()) as { jobId: string };
      const address = `${url}/api/v1/general/job/${jobId}`;
      const state = async (): Promise<string> => ((await (await fetch(address)).json()) as { status: string }).status;
      while ((await state()) !== 'running') await new Promise((resolve) => void setTimeout(resolve, 20));
      await new Promise((resolve) => void setTimeout(resolve, 600));
      await (await fetch(address, { method: 'DELETE' })).arrayBuffer();
      while ((await state()) === 'running') await new Promise((resolve) => void setTimeout(resolve, 20));
      expect(await state()).to.equal('cancelled');
      expect(text(await call('html/pdf', page('<p>next')))).to.contain('next');
    });
  });

  describe('markdown/pdf', () => {
    it('prints headings, tables, lists, code, quotations and footnotes, with the title of the metadata', async () => {
      const answer = await call('markdown/pdf', { ...(await fixture('notes.md')), name: 'NOTES.MD' });
      expect(answer.fileName).to.equal('NOTES.pdf');
      const shown = text(answer);
      for (const part of [
        'Notes',
        'struck out',
        'Two',
        '22',
        '☑',
        '☐',
        'const answer = 42;',
        'A quotation',
        'With a footnote',
        'HTML within',
      ])
        expect(shown, part).to.contain(part);
      expect(shown).not.to.match(/alert|tags:|\| Name/);
      expect(info(answer))
        .to.match(/Title:\s+Notes of a meeting\n/)
        .and.match(/Tagged:\s+yes/);
      expect(info(answer, '-struct-text')).to.match(/Table[^]*TH[^]*Name/);
      expect(info(answer, '-dests')).to.contain('the-table');
    });

    it('keeps the bullets of a list in which other items are tasks', async () => {
      const answer = await call('markdown/pdf', page('- plain\n- [x] done\n- [ ] todo', 'a.md'));
      const { words, shapes } = await withPages(answer.bytes, ({ reader }) => reader.read(0));
      const [plain, done, todo] = ['plain', 'done', 'todo'].map(
        (name) => words.find((word) => word.text === name)!.box,
      );
      expect([done!.left, todo!.left].map((left) => Math.abs(left - plain!.left) < 3)).to.deep.equal([true, true]);
      const bullets = shapes.filter(({ right }) => right < plain!.left);
      expect(bullets.map(({ top, bottom }) => top > plain!.top && bottom < plain!.bottom)).to.deep.equal([true]);
    });

    it('takes the title from the first heading where there is no metadata', async () => {
      expect(info(await call('markdown/pdf', page('# A & *B*\n\ntext', 'a.markdown')))).to.match(/Title:\s+A & B\n/);
    });

    it('prints the index of a zip with its pictures', async () => {
      const answer = await call('markdown/pdf', await fixture('handbook.zip'));
      expect(text(answer)).to.contain('Handbook').and.not.contain('Not this one');
      expect(await share(save(answer), [255, 0, 0])).to.be.greaterThan(0.0001);
      expect((await call('markdown/pdf', await fixture('no-page.zip'))).code).to.equal('PAGE_MISSING');
    });

    it('is not held up by text that is hard to read', async () => {
      for (const source of [
        '['.repeat(20_000),
        '*a_'.repeat(20_000),
        '> '.repeat(2000) + 'x',
        `${'a|'.repeat(5000)}\n${'-|'.repeat(5000)}`,
      ]) {
        const answer = await call('markdown/pdf', page(source, 'hard.md'));
        expect(answer.status, source.slice(0, 10)).to.be.lessThan(500);
      }
    });
  });

  describe('url/pdf', () => {
    it('prints a page with what it shows, through redirects, and names it after its address', async () => {
      const red = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      Object.assign(pages, {
        '/start': [302, '', '', { location: '/site/page' }],
        '/site/page': [
          200,
          'text/html; charset=iso-8859-1',
          Buffer.from(
            '<!doctype html><title>Caf\u00e9</title><link rel="stylesheet" href="../css/main.css"><h1>' +
              'Caf\u00e9</h1><img src="red"><a href="next">next</a><script>document.body.remove()</script><img ' +
              'src="/gone.png">',
            'latin1',
          ),
        ],
        '/css/main.css': [200, 'text/css', '@import "more.css"; h1 { color: #00ff00 }'],
        '/css/more.css': [200, 'text/css', 'h1 { background: url(blue.svg) }'],
        '/css/blue.svg': [
          200,
          'image/svg+xml',
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#00f"/></svg>',
        ],
        '/site/red': [200, 'image/png', red],
      });
      const answer = await call('url/pdf', undefined, { urlInput: `${site}/start` });
      expect(answer.fileName).to.match(/^http_127_0_0_1_\d+_start\.pdf$/);
      expect(text(answer)).to.contain('Café').and.contain('next');
      expect(info(answer)).to.match(/Title:\s+Café\n/);
      expect(info(answer, '-url')).to.contain(`${site}/site/next`);
      const pdf = save(answer);
      expect(await share(pdf, [255, 0, 0]), 'picture').to.be.greaterThan(0.05);
      expect(await share(pdf, [0, 0, 255]), 'background of an imported style sheet').to.be.greaterThan(0.005);
      expect([...asked].sort()).to.deep.equal([
        '/css/blue.svg',
        '/css/main.css',
        '/css/more.css',
        '/gone.png',
        '/site/page',
        '/site/red',
        '/start',
      ]);
    });

    it(
      'refuses an invalid or unreachable address, a file that is not a page, and references to files of this ' +
        'machine',
      async () => {
        Object.assign(pages, {
          '/down': [500, 'text/html', 'x'],
          '/file.zip': [200, 'application/zip', 'PK'],
          '/local': [200, 'text/html', '<iframe src="file:///etc/passwd">'],
          '/hidden': [200, 'text/html', '<img src="&#102;i%6ce:///etc/passwd">'],
          '/words': [200, 'text/html', '<p>The word file: is allowed.</p>'],
        });
        const answers = await Promise.all(
          [
            '',
            'example.org',
            'ftp://x/',
            'http://a:b@c/',
            `${site}/down`,
            `${site}/none`,
            'http://127.0.0.1:9/',
            `${site}/file.zip`,
            `${site}/local`,
            `${site}/hidden`,
            `${site}/words`,
            'http://10.0.0.1/',
            'http://[::1]/',
          ].map((urlInput) => call('url/pdf', undefined, { urlInput })),
        );
        expect(answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim())).to.deep.equal([
          '400 INPUT_INVALID',
          '400 URL_INVALID',
          '400 URL_INVALID',
          '400 URL_INVALID',
          '400 URL_UNREACHABLE',
          '400 URL_UNREACHABLE',
          '400 URL_UNREACHABLE',
          '400 URL_CONTENT_REFUSED',
          '400 URL_CONTENT_REFUSED',
          '400 URL_CONTENT_REFUSED',
          '200',
          '400 ADDRESS_REFUSED',
          '400 ADDRESS_REFUSED',
        ]);
        expect(answers[1]?.json<{ detail: string }>().detail).to.contain('error.invalidUrlFormat');
      },
    );

    it('works as a job too', async () => {
      pages['/job'] = [200, 'text/html', '<p>as a job</p>'];
      const answer = await call('url/pdf?async=true', undefined, { urlInput: `${site}/job` });
      const { jobId } = answer.json<{ jobId: string }>();
      let result: Response | undefined;
      while (result?.status !== 200) {
        await new Promise((resolve) => void setTimeout(resolve, 50));
        result = await fetch(`${url}/api/v1/general/job/${jobId}/result`);
      }
      expect(
        Buffer.from((await result?.arrayBuffer()) ?? new ArrayBuffer(0))
          .subarray(0, 5)
          .toString(),
      ).to.equal('%PDF-');
    });
  });
});
