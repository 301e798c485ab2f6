import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOperation, makePdf, readZip, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import sharp from 'sharp';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Every text document that is made of the same report, and what each must say. */
describe('Text documents made of a PDF', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-texts-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const call = async (
    path: string,
    params: Record<string, unknown> = {},
    name = 'annual-report.pdf',
  ): Promise<OperationAnswer> =>
    callOperation(server.url, { path: `convert/${path}`, files: [await fixture(name)], params });
  const members = async (answer: OperationAnswer): Promise<Map<string, Uint8Array>> =>
    new Map((await readZip(answer.bytes)).map(({ name, bytes }) => [name, bytes]));

  describe('pdf/word', () => {
    let parts: Map<string, Uint8Array>;
    let body: string;
    before(async () => {
      const answer = await call('pdf/word');
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'annual-report.docx',
        'application/octet-stream',
      ]);
      await writeFile(join(folder, 'report.docx'), answer.bytes);
      parts = await members(answer);
      body = text(parts.get('word/document.xml')!);
    });
    const paragraphs = (): string[] =>
      [...body.matchAll(/<w:p>.*?<\/w:p>|<w:p [^>]*>.*?<\/w:p>/gs)].map(([xml]) => xml);
    const words = (xml: string): string =>
      [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, word]) => word).join('');

    it('keeps headings as headings of their level', () => {
      const headings = paragraphs().flatMap((xml) =>
        [...xml.matchAll(/<w:pStyle w:val="Heading(\d)"/g)].map(([, level]) => [Number(level), words(xml)]),
      );
      expect(headings).to.deep.equal([
        [1, 'The annual report'],
        [2, 'Lists of things'],
        [2, 'Tables with merged cells'],
        [3, 'A picture'],
        [2, 'Two columns of prose'],
        [2, 'A wide page'],
      ]);
    });

    it('keeps the look of words within a line', () => {
      const run = (word: string): string =>
        new RegExp(`<w:r>(?:(?!</w:r>).)*${word}.*?</w:r>`, 's').exec(body)?.[0] ?? '';
      expect(run('several people')).to.contain('<w:b/>');
      expect(run('read by more')).to.contain('<w:i/>');
      expect([...body.matchAll(/w:vertAlign w:val="(\w+)"/g)].map(([, way]) => way)).to.deep.equal([
        'subscript',
        'superscript',
      ]);
    });

    it('numbers lists as they were numbered, each from its own start, and nests them', () => {
      const items = paragraphs()
        .filter((xml) => xml.includes('<w:numPr>'))
        .map((xml) => [Number(/<w:ilvl w:val="(\d)"/.exec(xml)?.[1]), words(xml).slice(0, 10)]);
      expect(items).to.deep.equal([
        [0, 'Apples and'],
        [0, 'Stone frui'],
        [1, 'Plums'],
        [1, 'Cherries, '],
        [0, 'Berries'],
        [0, 'Third step'],
        [0, 'Fourth ste'],
      ]);
      expect(text(parts.get('word/numbering.xml')!)).to.match(/<w:start w:val="3"\/><w:numFmt w:val="decimal"\/>/);
    });

    it('keeps tables with their merged cells and repeats their header', () => {
      const table = /<w:tbl>.*<\/w:tbl>/s.exec(body)?.[0] ?? '';
      const rows = [...table.matchAll(/<w:tr>.*?<\/w:tr>|<w:tr .*?<\/w:tr>/gs)].map(([xml]) =>
        [...xml.matchAll(/<w:tc>.*?<\/w:tc>/gs)].map(([cell]) => words(cell)),
      );
      expect(rows).to.deep.equal([
        ['Region', 'Sales'],
        ['', '2024', '2025'],
        ['North', '120', '140'],
        ['South', 'not reported'],
      ]);
      expect([
        table.match(/<w:gridSpan w:val="2"/g)?.length,
        /<w:vMerge w:val="restart"/.test(table),
        table.match(/<w:tblHeader\/>/g)?.length,
      ]).to.deep.equal([2, true, 2]);
    });

    it('keeps links to the web and within, and no script', () => {
      const relations = text(parts.get('word/_rels/document.xml.rels')!);
      expect(
        [...relations.matchAll(/Target="([^"]*)" TargetMode="External"/g)].map(([, target]) => target),
      ).to.deep.equal(['https://example.org/a?b=1']);
      expect(body)
        .to.match(/<w:hyperlink [^>]*w:anchor="page-2"/)
        .and.to.match(/<w:bookmarkStart [^>]*w:name="page-2"/);
      expect(relations + body).not.to.match(/javascript/i);
    });

    it('gives pages their size, and columns where there were some', () => {
      const sections = [...body.matchAll(/<w:sectPr.*?<\/w:sectPr>/gs)].map(([xml]) => [
        /w:orient="(\w+)"/.exec(xml)?.[1],
        Number(/<w:cols [^>]*w:num="(\d)"/.exec(xml)?.[1] ?? 1),
      ]);
      expect(sections.at(-1)).to.deep.equal(['landscape', 1]);
      expect(sections.some(([, columns]) => columns === 2)).to.equal(true);
    });

    it('shows the same pages with the same words when another program prints it', async function () {
      execFileSync(
        'soffice',
        [
          `-env:UserInstallation=file://${folder}/profile`,
          '--headless',
          '--convert-to',
          'pdf',
          '--outdir',
          folder,
          join(folder, 'report.docx'),
        ],
        { stdio: 'ignore' },
      );
      const source = new URL('../../fixtures/annual-report.pdf', import.meta.url).pathname;
      const latin = (path: string): string[] =>
        execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }).match(/[A-Za-z0-9]+/g) ?? [];
      expect(latin(join(folder, 'report.pdf')).sort()).to.deep.equal(latin(source).sort());
      const pages = (path: string): string =>
        /Pages:\s+(\d+)/.exec(execFileSync('pdfinfo', [path], { encoding: 'utf8' }))?.[1] ?? '';
      expect(pages(join(folder, 'report.pdf'))).to.equal(pages(source));
      // Blurred to the size of a line, the first pages look alike.
      const small = async (path: string): Promise<Buffer> =>
        sharp(execFileSync('pdftoppm', ['-r', '36', '-png', '-l', '1', path]))
          .greyscale()
          .blur(4)
          .resize(60, 84, { fit: 'fill' })
          .raw()
          .toBuffer();
      const [a, b] = [await small(source), await small(join(folder, 'report.pdf'))];
      expect(
        a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length,
        'mean difference of 255',
      ).to.be.below(6);
    });

    it('makes the other formats with the office program', async () => {
      for (const [outputFormat, head] of [
        ['odt', '504b0304'],
        ['doc', 'd0cf11e0'],
      ] as const) {
        const answer = await call('pdf/word', { outputFormat });
        expect([answer.fileName, Buffer.from(answer.bytes).toString('hex', 0, 4)], outputFormat).to.deep.equal([
          `annual-report.${outputFormat}`,
          head,
        ]);
      }
    });

    it('refuses a format that it does not write', async () => {
      const answer = await call('pdf/word', { outputFormat: 'wpd' });
      expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer]).to.deep.equal([
        400,
        '/outputFormat',
      ]);
    });
  });

  it('make RTF of the same text with the office program', async () => {
    const answer = await call('pdf/text', { outputFormat: 'rtf' });
    expect([
      answer.fileName,
      answer.headers.get('content-type'),
      text(answer.bytes).startsWith('{\\rtf'),
    ]).to.deep.equal(['annual-report.rtf', 'application/octet-stream', true]);
    expect(text(answer.bytes)).to.contain('several people').and.to.contain('not reported');
  });

  describe('pdf/html', () => {
    it('gives a page and its pictures, with everything in reading order', async () => {
      const answer = await call('pdf/html');
      expect([answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        'annual-reportToHtml.zip',
        'application/octet-stream',
      ]);
      const files = await members(answer);
      expect([...files.keys()]).to.deep.equal(['annual-report.html', 'annual-report-1.png']);
      const html = text(files.get('annual-report.html')!);
      const order = [
        '<h1',
        'several people',
        '<h2>Lists',
        'Plums',
        'Third step',
        '<table',
        'not reported',
        'A picture',
        '<img',
        'Two columns',
        'In paragraph 5',
        'A wide page',
      ].map((mark) => html.indexOf(mark));
      expect(order)
        .to.deep.equal([...order].sort((a, b) => a - b))
        .and.not.to.include(-1);
      expect(html)
        .to.contain('<th rowspan="2"')
        .and.to.contain('<td colspan="2">not reported</td>')
        .and.to.contain('<ol start="3">')
        .and.to.contain('<a href="https://example.org/a?b=1">')
        .and.to.contain('href="#page-2"');
      expect(html).not.to.match(/javascript|<script/i);
    });

    it('writes what the PDF says as text, whatever it looks like', async () => {
      const answer = await callOperation(server.url, {
        path: 'convert/pdf/html',
        files: [
          { name: 'a & b.pdf', bytes: await makePdf({ pages: 1, text: ['<script>alert("1")</script> & more'] }) },
        ],
      });
      const files = await members(answer);
      const html = text(files.get('a & b.html')!);
      expect(html).to.contain('&lt;script&gt;').and.not.to.contain('<script');
    });
  });

  describe('pdf/epub', () => {
    it('makes a book of chapters that readers can check', async () => {
      const answer = await call('pdf/epub');
      expect([answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        'annual-report_convertedToEPUB.epub',
        'application/epub+zip',
      ]);
      expect(Buffer.from(answer.bytes).toString('latin1', 30, 58)).to.equal('mimetypeapplication/epub+zip');
      const files = await members(answer);
      const opf = text(files.get('OEBPS/content.opf')!);
      for (const [, href] of opf.matchAll(/<item [^>]*href="([^"]+)"/g))
        expect(files.has(`OEBPS/${href}`), href).to.equal(true);
      for (const [name, bytes] of files)
        if (/\.(?:xhtml|opf|ncx|xml)$/.test(name))
          execFileSync('python3', ['-c', 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)'], {
            input: bytes,
          });
      expect(text(files.get('OEBPS/nav.xhtml')!))
        .to.contain('>Tables with merged cells</a>')
        .and.to.contain('epub:type="page-list"');
      expect(opf).to.contain('properties="cover-image"');
      const parts = [...files]
        .filter(([name]) => name.includes('part-'))
        .map(([, bytes]) => text(bytes))
        .join('');
      expect(parts)
        .to.contain('rowspan="2"')
        .and.to.match(/href="part-\d+\.xhtml#page-2"/)
        .and.not.to.contain('page:');
    });

    it('gives a reader with electronic ink grey pictures of its size', async () => {
      const files = await members(await call('pdf/epub', { targetDevice: 'KINDLE_EINK_TEXT', detectChapters: false }));
      for (const [name, bytes] of files) {
        if (!/\.(?:jpg|png)$/.test(name)) continue;
        const { channels, width, height } = await sharp(bytes).metadata();
        expect([channels, width <= 1072 && height <= 1448], name).to.deep.equal([1, true]);
      }
    });

    it('says that Calibre is missing, by its name, where AZW3 is asked for without it', async function () {
      const answer = await call('pdf/epub', { outputFormat: 'azw3' });
      if (answer.status === 200)
        expect([
          answer.fileName,
          answer.headers.get('content-type'),
          Buffer.from(answer.bytes).toString('latin1', 60, 68),
        ]).to.deep.equal(['annual-report_convertedToAZW3.azw3', 'application/vnd.amazon.ebook', 'BOOKMOBI']);
      else
        expect([answer.status, answer.code, text(answer.bytes).includes('calibre')]).to.deep.equal([
          503,
          'PROGRAM_MISSING',
          true,
        ]);
    });
  });
});
