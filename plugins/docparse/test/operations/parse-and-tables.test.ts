import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';
import type { ParsedBlock } from '../../src/functions/parsed-blocks.js';

type Form = Record<string, unknown>;
interface Parsed {
  readonly pageCount: number;
  readonly mode: string;
  readonly title?: string;
  readonly blocks: readonly ParsedBlock[];
  readonly pages: readonly { page: number; width: number; height: number; columns: number }[];
  readonly markdown: string;
}
interface Tables {
  readonly tables: readonly {
    page: number;
    pageEnd?: number;
    number: number;
    ruled: boolean;
    headerRows: number;
    columns: number;
    rows: string[][];
    cells: { row: number; column: number; rowSpan: number; colSpan: number; header: boolean; text: string }[];
  }[];
}
interface Chunked {
  readonly chunks: readonly {
    index: number;
    text: string;
    pageStart: number;
    pageEnd: number;
    headingPath: string[];
  }[];
}

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const faultyField = (answer: OperationAnswer): string | undefined =>
  answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('Documents parsed over HTTP', function suite() {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-docparse'] });
    url = await server.start();
  });
  after(() => server.stop());

  const call = (path: string, bytes: Uint8Array, params: Form = {}): Promise<OperationAnswer> =>
    callOperation(url, { path: `docparse/${path}`, files: [{ name: 'report.pdf', bytes }], params });
  const good = async (path: string, bytes: Uint8Array, params: Form = {}): Promise<OperationAnswer> => {
    const answer = await call(path, bytes, params);
    expect(answer.status, text(answer.bytes.subarray(0, answer.status === 200 ? 0 : 600))).to.equal(200);
    return answer;
  };

  it('give their blocks in reading order: columns, tables, lists, other scripts', async () => {
    const answer = await good('parse-document', await fixture('report.pdf'));
    expect([answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
      'report_parsed.json',
      'application/json',
    ]);
    const { blocks, pages, pageCount, title, mode, markdown } = answer.json<Parsed>();
    expect([title, pageCount, mode, pages.map(({ columns }) => columns)]).to.deep.equal([
      'Harbour Report',
      4,
      'basic',
      [2, 1, 1, 1],
    ]);
    expect(
      blocks.map(({ type, page, text: words }) => `${page} ${type}: ${words.slice(0, 24).split('\n')[0]!}`),
    ).to.deep.equal([
      '1 heading: Harbour Report',
      '1 paragraph: This report tells of the',
      '1 heading: Traffic',
      '1 paragraph: The harbour was quiet in',
      '1 paragraph: After the storm the cran',
      '1 paragraph: Traffic came back slowly',
      '1 paragraph: The last part of this te',
      '1 heading: Costs',
      '1 table: Item Cost in thousands',
      '1 paragraph: What remains to be done:',
      '1 list: • Order the second crane',
      '1 heading: 中文摘要',
      '1 paragraph: 港口在春天很安静。三月的风暴关闭了码头。夏天以后',
      '1 heading: Summary from the right',
      '1 paragraph: הנמל היה שקט בתחילת השנה',
      '2 heading: Daily counts',
      '2 table: Day Month Ships',
      '4 paragraph: The counts end here.',
    ]);
    expect(blocks.map(({ id }) => id)).to.deep.equal(blocks.map((_, i) => i));
    const of = (start: string): ParsedBlock => blocks.find((block) => block.text.startsWith(start))!;
    expect([of('Harbour').level, of('Traffic').level, of('הנמל').direction, of('The harbour').direction]).to.deep.equal(
      [1, 2, 'rtl', undefined],
    );
    expect(of('•').items).to.deep.equal(
      ['Order the second crane', 'Mend the pier', 'Thank the crews'].map((words) => ({
        level: 1,
        marker: '•',
        text: words,
      })),
    );
    expect(markdown.startsWith('# Harbour Report\n\n')).to.equal(true);
    const left = of('The harbour').bbox;
    const right = of('Traffic came').bbox;
    expect(left[2], 'columns stand side by side').to.be.lessThan(right[0]);
    expect(Math.abs(left[1] - right[1])).to.be.lessThan(2);
    for (const {
      bbox: [x0, y0, x1, y1],
    } of blocks)
      expect(x0 >= 0 && x0 < x1 && y0 >= 0 && y0 < y1 && x1 <= 500 && y1 <= 701).to.equal(true);
    expect(report(answer)).to.deep.include({ mode: 'basic', pages: 4, blocks: 18, tables: 2 });
  });

  it('have the cells of tables, merged ones and those over page breaks', async () => {
    const { tables } = (
      await good('extract-tables', await fixture('report.pdf'), { outputFormat: 'json' })
    ).json<Tables>();
    expect(
      tables.map(({ page, pageEnd, number, ruled, columns, rows, headerRows }) => [
        page,
        pageEnd,
        number,
        ruled,
        columns,
        rows.length,
        headerRows,
      ]),
    ).to.deep.equal([
      [1, undefined, 1, true, 3, 4, 2],
      [2, 4, 1, true, 3, 61, 1],
    ]);
    expect(tables[0]!.rows).to.deep.equal([
      ['Item', 'Cost in thousands', ''],
      ['', 'Planned', 'Paid'],
      ['Crane', '120', '131.5'],
      ['Crews, "winter"', '80', '95'],
    ]);
    expect(
      tables[0]!.cells
        .slice(0, 2)
        .map(({ row, column, rowSpan, colSpan, text: words }) => [row, column, rowSpan, colSpan, words]),
    ).to.deep.equal([
      [0, 0, 2, 1, 'Item'],
      [0, 1, 1, 2, 'Cost in thousands'],
    ]);
    expect([tables[1]!.rows[0], tables[1]!.rows[60]]).to.deep.equal([
      ['Day', 'Month', 'Ships'],
      ['Day 60', 'December', String((59 * 37) % 101)],
    ]);
  });

  it('give their tables as CSV: one as a file, several as a zip, none as nothing', async () => {
    const pdf = await fixture('report.pdf');
    const zip = readZip((await good('extract-tables', pdf)).bytes);
    expect(zip.map(({ name }) => name)).to.deep.equal(['report_p1_t1.csv', 'report_p2_t1.csv']);
    expect(text(zip[0]!.bytes)).to.equal(
      '"Item","Cost in thousands",""\r\n"","Planned","Paid"\r\n"Crane","120","131.5"\r\n"Crews, ""winter""",' +
        '"80","95"\r\n',
    );
    const one = await good('extract-tables', pdf, { pageNumbers: '1' });
    expect([one.fileName, one.bytes.length]).to.deep.equal(['report_tables.csv', zip[0]!.bytes.length]);
    expect((await call('extract-tables', await fixture('scan.pdf'))).status).to.equal(204);
    expect(
      (await good('extract-tables', await fixture('scan.pdf'), { outputFormat: 'json' })).json<Tables>().tables,
    ).to.deep.equal([]);
  });

  it('have blocks where they are seen, on pages that are turned and cut', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    page.drawText('Seen upright after a quarter turn', {
      x: 250,
      y: 60,
      size: 12,
      rotate: degrees(90),
      font: await document.embedFont(StandardFonts.Helvetica),
    });
    page.setRotation(degrees(90));
    page.setCropBox(50, 20, 300, 250);
    const { blocks, pages } = (await good('parse-document', await document.save())).json<Parsed>();
    expect(pages[0]).to.deep.include({ width: 250, height: 300 });
    expect(blocks.map(({ text: words }) => words)).to.deep.equal(['Seen upright after a quarter turn']);
    // Turned clockwise, x is how far above the crop box's lower edge the text begins, y how far right of its left edge
    // it stands.
    const [left, top, , bottom] = blocks[0]!.bbox;
    expect(left).to.be.closeTo(40, 2);
    expect(bottom).to.be.closeTo(200, 5);
    expect(top).to.be.within(186, 195);
  });

  it('are recognised first where that is asked for, and say so', async () => {
    const scan = await fixture('scan.pdf');
    expect((await good('parse-document', scan)).json<Parsed>().blocks.map(({ type }) => type)).to.not.include(
      'paragraph',
    );
    const answer = await good('parse-document', scan, { withOcr: true, languages: 'eng', outputFormat: 'markdown' });
    expect(answer.fileName).to.equal('report_parsed.md');
    expect(text(answer.bytes)).to.include('timber arrived on Monday').and.to.include('450');
    expect(report(answer)).to.deep.include({ ocrPages: 1, ocrLanguages: 'eng', mode: 'basic' });
    const { chunks } = (await good('chunk-document', scan, { withOcr: true })).json<Chunked>();
    expect(chunks.map(({ text: words }) => words).join(' ')).to.include('harbour office');
    expect(
      (await good('chunk-document', scan)).json<Chunked>().chunks,
      'without recognition there is no text',
    ).to.deep.equal([]);
  });

  it('are cut into chunks that know their pages and headings', async () => {
    const pdf = await fixture('report.pdf');
    const { chunks } = (await good('chunk-document', pdf, { chunkSize: 400, overlap: 0 })).json<Chunked>();
    const markdown = text((await good('parse-document', pdf, { outputFormat: 'markdown' })).bytes);
    expect(
      chunks
        .map(({ text: words }) => words)
        .join('')
        .replace(/\s/g, ''),
    ).to.equal(markdown.replace(/\s/g, ''));
    expect(Math.max(...chunks.map(({ text: words }) => words.length))).to.be.at.most(400);
    const rows = chunks.filter(({ text: words }) => /^\| Day \d/m.test(words));
    expect(rows.every(({ headingPath }) => headingPath.join('/') === 'Harbour Report/Daily counts')).to.equal(true);
    // Rows are on the page that they are printed on: poppler says which.
    const { execFileSync } = await import('node:child_process');
    const printed = [2, 3, 4].map((n) =>
      execFileSync(
        'pdftotext',
        [
          '-f',
          String(n),
          '-l',
          String(n),
          '-layout',
          new URL('../../fixtures/report.pdf', import.meta.url).pathname,
          '-',
        ],
        { encoding: 'utf8' },
      ),
    );
    for (const { text: words, pageStart, pageEnd } of rows) {
      const numbers = [...words.matchAll(/^\| Day (\d+) /gm)].map(([, n]) => Number(n));
      const pageOf = (n: number): number => 2 + printed.findIndex((page) => new RegExp(`Day ${n} `).test(page));
      expect([pageStart, pageEnd], `rows ${numbers[0]!} to ${numbers.at(-1)!}`).to.deep.equal([
        pageOf(numbers[0]!),
        pageOf(numbers.at(-1)!),
      ]);
    }
    expect(chunks.at(-1)).to.deep.include({ pageStart: 4, pageEnd: 4 });
    expect(
      (await good('chunk-document', pdf, { chunkSize: 5, overlap: -3 })).json<
        Chunked & { chunkSize: number; overlap: number }
      >(),
    ).to.deep.include({ chunkSize: 64, overlap: 0 });
  });

  it('are refused with the field at fault', async () => {
    const pdf = await fixture('report.pdf');
    const faults: readonly (readonly [string, Form, number, string | undefined])[] = [
      ['parse-document', { outputFormat: 'xml' }, 400, '/outputFormat'],
      ['parse-document', { mode: 'magic' }, 400, '/mode'],
      ['parse-document', { withOcr: 'perhaps' }, 400, '/withOcr'],
      ['parse-document', { withOcr: true, languages: 'xxx' }, 400, '/languages'],
      ['parse-document', { mode: 'advanced' }, 503, undefined],
      ['extract-tables', { outputFormat: 'xlsx' }, 400, '/outputFormat'],
      ['extract-tables', { pageNumbers: '7-9' }, 400, undefined],
      ['chunk-document', { chunkSize: 'many' }, 400, '/chunkSize'],
      ['chunk-document', { chunkSize: 100, overlap: 100 }, 400, '/overlap'],
      ['chunk-document', { chunkSize: '1.5' }, 400, '/chunkSize'],
    ];
    for (const [path, params, status, field] of faults) {
      const answer = await call(path, pdf, params);
      expect(
        [answer.status, field === undefined ? undefined : faultyField(answer)],
        JSON.stringify(params),
      ).to.deep.equal([status, field]);
    }
    expect(
      (
        await callOperation(url, {
          path: 'docparse/parse-document',
          files: [{ name: 'note.txt', bytes: Buffer.from('no pdf at all') }],
        })
      ).status,
    ).to.equal(415);
    expect((await call('chunk-document', await fixture('header-only.pdf'))).code).to.equal('PDF_DAMAGED');
  });

  it('are read in any script: samples of the corpus', async function skippable() {
    const samples = [
      ['pdf.js/ArabicCIDTrueType.pdf', /[\u0600-\u06ff]{3}/],
      ['sample-files/habibi.pdf', /[\u0600-\u06ff]{3}/],
      ['pdfium/hebrew_mirrored.pdf', /[\u0590-\u05ff]{2}/],
    ] as const;
    const there = samples.filter(([name]) => existsSync(`/work/shared/corpus/${name}`));
    if (there.length === 0) this.skip();
    for (const [name, words] of there) {
      const { blocks } = (await good('parse-document', await readFile(`/work/shared/corpus/${name}`))).json<Parsed>();
      expect(blocks.map(({ text: found }) => found).join('\n'), name).to.match(words);
    }
  });
});
