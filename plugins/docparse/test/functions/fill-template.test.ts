import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeZip } from '@quire/document/file/zip';
import { readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import {
  cell,
  invoiceBody,
  openMembers,
  paragraph,
  row,
  runs,
  table,
  wordMembers,
} from '../../fixtures/make-templates.js';
import { fillTemplate, type Missing, type TemplateKind } from '../../src/functions/fill-template.js';

type Member = { name: string; content: string | Uint8Array };
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';

describe('Filling templates', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'quire-templates-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  let files = 0;
  async function filled(
    members: readonly Member[],
    data: Record<string, unknown>,
    { kind = 'docx', missing = 'error' }: { kind?: TemplateKind; missing?: Missing } = {},
  ): Promise<Map<string, string>> {
    const n = ++files;
    await writeZip(members, join(folder, `t${n}`));
    await fillTemplate(join(folder, `t${n}`), data, join(folder, `r${n}`), {
      kind,
      missing,
      folder: await mkdtemp(join(folder, 'u')),
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    return new Map(
      (await readZip(await readFile(join(folder, `r${n}`)))).map(({ name, bytes }) => [
        name,
        Buffer.from(bytes).toString('utf8'),
      ]),
    );
  }
  /** Lines of text of a part; cells of a row parted by bars. */
  const linesOf = (xml: string | undefined): string[] =>
    (xml ?? '')
      .replace(/<\/w:tc>(?!<\/w:tr>)/g, '|')
      .replace(/<w:br\/>/g, '\n')
      .replace(/<\/w:p>(?!(<\/w:tc>)?[|])(?!<\/w:tc>)|<\/w:tr>/g, '\n')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .split('\n')
      .filter((line) => line !== '');
  const body = async (xml: string, data: Record<string, unknown>, missing: Missing = 'error'): Promise<string[]> =>
    linesOf(
      (
        await filled(
          wordMembers(xml, {
            'word/header1.xml':
              '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p/></w:hdr>',
            'word/footer1.xml':
              '<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p/></w:ftr>',
            'word/footnotes.xml':
              '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
          }),
          data,
          { missing },
        )
      ).get('word/document.xml'),
    );
  const refusal = (
    work: Promise<unknown>,
  ): Promise<{
    code: string;
    message: string;
    data: Record<string, unknown>;
    errors: { pointer: string; detail: string }[];
  }> =>
    work.then(
      () => {
        throw new Error('was not refused');
      },
      (error: Error) => error as never,
    );

  const invoice = {
    number: 'R-7',
    customer: { name: 'Ada <&>' },
    items: [
      { title: 'Book', price: '12.00' },
      { title: 'Pen', price: 3 },
    ],
    paid: false,
  };

  it('fills placeholders split over runs, repeats rows and paragraphs, evaluates conditions', async () => {
    const result = await filled(wordMembers(invoiceBody), invoice);
    expect(linesOf(result.get('word/document.xml'))).to.deep.equal([
      'Invoice R-7',
      'Dear Ada <&>, thank you for your order.',
      'No.|Title|Price',
      '1|Book|12.00 EUR',
      '2|Pen|3 EUR',
      'Item Book;',
      'Item Pen',
      'Please pay within 14 days.',
      'Terms for Ada <&>',
    ]);
  });

  it('fills headers, footers and footnotes', async () => {
    const result = await filled(wordMembers(invoiceBody), invoice);
    expect(['header1', 'footer1', 'footnotes'].map((part) => linesOf(result.get(`word/${part}.xml`))[0])).to.deep.equal(
      ['Invoice R-7', 'Page footer for Ada <&>', 'Note for Ada <&>'],
    );
  });

  it('keeps the look of the text around a placeholder, and links', async () => {
    const document = (await filled(wordMembers(invoiceBody), invoice)).get('word/document.xml') ?? '';
    expect(document).to.match(
      /<w:r><w:rPr><w:b\/><\/w:rPr><w:t(?: xml:space="preserve")?>Ada &lt;&amp;(?:>|&gt;)<\/w:t>/,
    );
    expect(document)
      .to.match(/<w:hyperlink r:id="rId4">/)
      .and.not.contain('quire-tag');
  });

  it('keeps text that stands in one run with a placeholder, and line feeds of the data', async () => {
    expect(
      await body(`<w:p><w:r><w:t>a {{x}} b</w:t><w:br/><w:t>c{{</w:t><w:t>y}}</w:t><w:t>d</w:t></w:r></w:p>`, {
        x: 'one\ntwo',
        y: 2,
      }),
    ).to.deep.equal(['a one', 'two b', 'c2d']);
  });

  it('repeats rows over several rows and blocks with tables in them, loops within loops', async () => {
    const nested = [
      paragraph('{{#groups}}'),
      paragraph('Group {{name}} of {{company}}'),
      table(row('{{#people}}{{name}}', '{{company}}', '{{@number}}/{{@count}}{{/people}}')),
      paragraph('{{/groups}}'),
    ].join('');
    expect(
      await body(nested, {
        company: 'C',
        groups: [
          { name: 'A', people: [{ name: 'a1' }, { name: 'a2' }] },
          { name: 'B', people: [] },
        ],
      }),
    ).to.deep.equal(['Group A of C', 'a1|C|1/2', 'a2|C|2/2', 'Group B of C']);
    expect(
      await body(
        table(
          row('head', '', ''),
          row('{{#l}}', '', ''),
          row('{{.}}', 'x', ''),
          row('more', '', ''),
          row('{{/l}}', '', ''),
        ),
        { l: [1, 2] },
      ),
    ).to.deep.equal(['head||', '1|x|', 'more||', '2|x|', 'more||']);
  });

  it('leaves valid cells behind when all that was in them goes', async () => {
    const document =
      (
        await filled(
          wordMembers(
            table(
              `<w:tr>${cell(paragraph('{{#gone}}'), paragraph('text'), paragraph('{{/gone}}'))}` +
                `${cell(paragraph('stays'))}</w:tr>`,
            ),
          ),
          { ...invoice, gone: [] },
        )
      ).get('word/document.xml') ?? '';
    expect(document)
      .to.match(/<\/w:tcPr><w:p\/><\/w:tc>/)
      .and.contain('stays');
  });

  it('names every placeholder that the data does not have, in all parts, and those that do not fit', async () => {
    const fault = await refusal(
      filled(wordMembers(invoiceBody), {
        items: [{ title: 'Book' }],
        paid: { a: 1 },
        customer: { name: { first: 'A' } },
      }),
    );
    expect([fault.code, fault.errors.map(({ pointer }) => pointer).sort()]).to.deep.equal([
      'INPUT_INVALID',
      ['/data/customer/name', '/data/number', '/data/price'],
    ]);
    expect(String(fault.data['detail'])).to.contain('number').and.contain('price');
  });

  it('keeps unknown placeholders as they are written, or leaves them empty, when asked to', async () => {
    const xml = paragraph('a {{un', 'known}} b {{#some}}c {{five}}{{/some}} {{x}}');
    expect(await body(xml, { x: 1, five: 5 }, 'keep')).to.deep.equal(['a {{unknown}} b {{#some}}c 5{{/some}} 1']);
    expect(await body(xml, { x: 1 }, 'empty')).to.deep.equal(['a  b  1']);
  });

  it('never reaches what every object has', async () => {
    const fault = await refusal(
      body(paragraph('{{constructor}} {{x.__proto__}} {{list.length}} {{x.toString}}'), { x: {}, list: [] }),
    );
    expect(fault.errors).to.have.length(4);
  });

  it('puts pictures in, each file once, with their size and text', async () => {
    const members = wordMembers(`<w:p>${runs('{{%logo}} and {{sign}} and {{%logo}}')}</w:p>`);
    const result = await filled(members, {
      ...invoice,
      logo: `data:image/png;base64,${PNG}`,
      sign: { image: PNG, width: 100, alt: 'Signature "A"' },
    });
    const document = result.get('word/document.xml') ?? '';
    expect([...result.keys()].filter((name) => name.startsWith('word/media/'))).to.have.length(1);
    expect([...document.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"/g)].map(({ 1: cx }) => cx)).to.deep.equal([
      '95250',
      '1270000',
      '95250',
    ]);
    expect(new Set([...document.matchAll(/<wp:docPr id="(\d+)"/g)].map(({ 1: id }) => id)).size).to.equal(3);
    expect(document).to.contain('descr="Signature &quot;A&quot;"');
    expect(result.get('word/_rels/document.xml.rels')).to.match(/Target="media\/quire-[0-9a-f]+\.png"/);
    expect(result.get('[Content_Types].xml')).to.contain('Extension="png"');
    const fault = await refusal(
      filled(members, { ...invoice, logo: 'bm8gcGljdHVyZQ==', sign: { image: PNG, width: -1 } }),
    );
    expect(fault.errors.map(({ pointer }) => pointer).sort()).to.deep.equal(['/data/logo', '/data/sign']);
  });

  it('fills OpenDocument text: spans, rows, list items, header, picture; the first member stays the type', async () => {
    const result = await filled(openMembers(), { ...invoice, logo: PNG }, { kind: 'odt' });
    const content = result.get('content.xml') ?? '';
    expect([...result.keys()][0]).to.equal('mimetype');
    expect(
      content
        .replace(/<\/text:(?:p|h)>/g, '\n')
        .replace(/<[^>]*>/g, '')
        .split('\n')
        .filter((line) => line !== ''),
    ).to.deep.equal(
      [
        'Invoice R-7',
        'Dear Ada &lt;&amp;>, thank you.',
        'No.',
        'Title',
        'Price',
        '1',
        'Book',
        '12.00',
        '2',
        'Pen',
        '3',
        'Please pay.',
        'Item Book',
        'Item Pen',
      ].map((line) => (content.includes('&gt;') ? line.replace('>', '&gt;') : line)),
    );
    expect(content.match(/<text:list-item/g)).to.have.length(2);
    expect([
      result
        .get('styles.xml')
        ?.replace(/<[^>]*>/g, '')
        .includes('Invoice R-7'),
      result.get('META-INF/manifest.xml')?.includes('Pictures/quire-'),
    ]).to.deep.equal([true, true]);
  });

  it('refuses sections that do not begin or end', async () => {
    for (const xml of [paragraph('{{#a}}x'), paragraph('x{{/a}}'), paragraph('{{#a}}{{#b}}{{/a}}{{/b}}')])
      expect((await refusal(body(xml, { a: true, b: true }))).code).to.equal('TEMPLATE_INVALID');
  });

  it('refuses macros, parts that lie elsewhere, entities and broken XML', async () => {
    const rels = (type: string): Record<string, string> => ({
      'word/_rels/header1.xml.rels':
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ` +
        `Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" ` +
        `Target="https://example.org/x" TargetMode="External"/></Relationships>`,
    });
    const bad: readonly Member[][] = [
      [...wordMembers(invoiceBody), { name: 'word/vbaProject.bin', content: 'x' }],
      wordMembers(invoiceBody, rels('image')),
      wordMembers(invoiceBody, rels('oleObject')),
      wordMembers(invoiceBody, {
        'word/header1.xml': '<!DOCTYPE a [<!ENTITY e "x">]><w:hdr xmlns:w="w"><w:p>&e;</w:p></w:hdr>',
      }),
      wordMembers(`${invoiceBody}<w:p>`),
      wordMembers('<w:p>'.repeat(3000) + '</w:p>'.repeat(3000)),
      openMembers().map((member) =>
        member.name === 'content.xml'
          ? {
              ...member,
              content: member.content.replace(
                '<text:p>{{%logo}}',
                '<text:p><draw:frame><draw:image xlink:href="https://example.org/x.png"/></draw:frame>{{%logo}}',
              ),
            }
          : member,
      ),
    ];
    for (const [i, members] of bad.entries())
      expect((await refusal(filled(members, invoice, { kind: i === 6 ? 'odt' : 'docx' }))).code, String(i)).to.equal(
        'ARCHIVE_UNSAFE',
      );
  });

  it("forgets where the author's own template lay, and keeps links to click", async () => {
    const settings = {
      'word/settings.xml':
        '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="r">' +
        '<w:attachedTemplate r:id="rId1"/></w:settings>',
      'word/_rels/settings.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ' +
        'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" ' +
        'Target="file:///C:/x.dotx" TargetMode="External"/></Relationships>',
    };
    const result = await filled(wordMembers(invoiceBody, settings), invoice);
    expect([
      result.get('word/_rels/settings.xml.rels')?.includes('x.dotx'),
      result.get('word/settings.xml')?.includes('attachedTemplate'),
      result.get('word/_rels/document.xml.rels')?.includes('https://example.org/'),
    ]).to.deep.equal([false, false, true]);
  });

  it('repeats a row thousands of times', async () => {
    const lines = await body(table(row('{{#l}}{{@number}}', '{{.}}', '{{/l}}')), {
      l: Array.from({ length: 4000 }, () => 'x'),
    });
    expect([lines.length, lines.at(-1)]).to.deep.equal([4000, '4000|x|']);
  }).timeout(50_000);

  it('ends values without end: many long ones, and many lines', async () => {
    const items = Array.from({ length: 4000 }, (_, i) => i);
    expect(await refusal(body(paragraph('{{#l}}{{t}}{{/l}}'), { l: items, t: 'x'.repeat(10_000) })))
      .to.deep.include({ code: 'INPUT_TOO_COMPLEX' })
      .and.to.have.nested.property('data.resource')
      .that.contains('characters');
    expect(await refusal(body(paragraph('{{#l}}{{t}}{{/l}}'), { l: items, t: '\n'.repeat(400) })))
      .to.deep.include({ code: 'INPUT_TOO_COMPLEX' })
      .and.to.have.nested.property('data.resource')
      .that.contains('elements');
  });

  it('writes no character into the words for a picture that XML does not have', async () => {
    const result = await filled(wordMembers(paragraph('{{logo}}')), {
      ...invoice,
      logo: { image: PNG, alt: 'a\u0000b\u0008c' },
    });
    expect(result.get('word/document.xml')).to.match(/descr="a[^\u0000-\u0008]?b[^\u0000-\u0008]?c"/);
  });

  it('ends repetitions without end', async () => {
    const list = Array.from({ length: 3000 }, (_, i) => i);
    const large = [
      paragraph('{{#l}}'),
      ...Array.from({ length: 300 }, () => paragraph('text')),
      paragraph('{{/l}}'),
    ].join('');
    expect((await refusal(body(large, { l: list }))).code).to.equal('INPUT_TOO_COMPLEX');
  });
});
