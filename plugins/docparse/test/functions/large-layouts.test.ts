import { expect } from 'chai';
import type { LayoutPage, Table } from '@quire/document/layout';
import { PassageWriter } from '../../src/functions/passages.js';
import { parseTable } from '../../src/functions/table-grid.js';

const box = { left: 0, top: 0, right: 1, bottom: 1 };
const run = (text: string): object => ({
  text,
  bold: false,
  italic: false,
  monospace: false,
  strike: false,
  position: 'normal',
});

describe('Layouts without end', () => {
  it('are tables that go on over thousands of pages', () => {
    const rows = Array.from({ length: 300_000 }, () => ({
      cells: [{ column: 1, rowSpan: 1, colSpan: 1, header: false, align: 'left', blocks: [] }],
    }));
    const table = {
      kind: 'table',
      page: 1,
      box,
      ruled: true,
      columnWidths: [1, 1],
      headerRows: 0,
      rows,
    } as unknown as Table;
    expect(parseTable(table).columns).to.equal(2);
  });

  it('are headings that are repeated with every chunk, and cut for that', () => {
    const heading = { kind: 'heading', level: 1, page: 1, box, runs: [run('word '.repeat(5000))] };
    const code = { kind: 'code', page: 1, box, text: '` x '.repeat(300_000) };
    const page = {
      number: 1,
      width: 1,
      height: 1,
      columns: 1,
      blocks: [heading, code],
      footnotes: [],
      artefacts: [],
    } as unknown as LayoutPage;
    const { passages } = new PassageWriter().page(page);
    expect(passages[0]?.title)
      .to.have.length(300)
      .and.match(/^word .*…$/);
    expect(passages[1]?.text.startsWith('```\n')).to.equal(true);
  });
});
