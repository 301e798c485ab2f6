import { readFile } from 'node:fs/promises';
import { callOperation, hostileFiles, type OperationAnswer, readZip, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFHexString, PDFName } from 'pdf-lib';

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;
const fault = (answer: OperationAnswer): unknown[] => [
  answer.status,
  answer.code,
  answer.json<{ errors?: { pointer: string; detail: string }[] }>().errors?.[0]?.pointer,
];

interface Listed {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly pageIndex: number;
  readonly pageOrder: number;
  readonly options?: string[];
  readonly multiSelect: boolean;
  readonly required: boolean;
  readonly tooltip?: string;
}
interface Located {
  readonly name: string;
  readonly widgets?: object[];
  readonly displayOptions?: string[];
  readonly options?: string[];
  readonly readOnly: boolean;
  readonly multiline: boolean;
}

describe('Forms read over HTTP', function suite() {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-form'] });
  const call = (
    path: string,
    bytes: Uint8Array,
    more: {
      readonly data?: string;
      readonly dataName?: string;
      readonly name?: string;
      readonly params?: Record<string, unknown>;
    } = {},
  ): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: `form/${path}`,
      parts: {
        file: { name: more.name ?? 'application.pdf', bytes },
        ...(more.data === undefined
          ? {}
          : { data: { name: more.dataName ?? 'data.json', bytes: Buffer.from(more.data) } }),
      },
      ...(more.params === undefined ? {} : { params: more.params }),
    });
  const operations = ['fields', 'fields-with-coordinates', 'extract-csv', 'extract-xlsx'];

  it('list their fields by page and place in the tree, with what is known of each', async () => {
    const answer = await call('fields', await fixture('application.pdf'));
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).to.deep.equal([200, 'application/json']);
    const { fields } = answer.json<{ fields: Listed[] }>();
    expect(fields.map(({ name, pageIndex, pageOrder }) => `${pageIndex} ${pageOrder} ${name}`)).to.deep.equal([
      '0 0 person.name',
      '0 1 person.dateOfBirth',
      '0 2 person.town',
      '0 3 languages',
      '0 4 newsletter',
      '0 5 terms',
      '0 6 payment',
      '0 7 remarks',
      '0 8 reset',
      '0 9 office.number',
      '0 10 twice',
      '0 11 signature',
      '1 0 turned.left',
      '1 1 turned.right',
      '1 2 outside',
    ]);
    expect(fields[0]).to.deep.equal({
      name: 'person.name',
      label: 'Your name',
      type: 'text',
      value: 'Grüße, Ada',
      required: true,
      pageIndex: 0,
      multiSelect: false,
      tooltip: 'Your name:',
      pageOrder: 0,
    });
    expect(fields[1], 'null members are left out').to.deep.equal({
      name: 'person.dateOfBirth',
      label: 'person date Of Birth',
      type: 'text',
      required: false,
      pageIndex: 0,
      multiSelect: false,
      pageOrder: 1,
    });
    expect(fields[2]).to.deep.include({ value: 'P', options: ['B', 'P', 'Berlin', 'Paris'] });
    expect(fields[3]).to.deep.include({ value: 'English,German', multiSelect: true });
    expect([fields[4]?.value, fields[5]?.value, fields[6]?.options, fields[11]?.label]).to.deep.equal([
      'Yes',
      'Off',
      ['card', 'invoice'],
      'Field 1',
    ]);
  });

  it('report boxes in the order in which people read, without those outside of the crop box', async () => {
    const located = (await call('fields-with-coordinates', await fixture('application.pdf'))).json<Located[]>();
    expect(located.map(({ name }) => name)).to.deep.equal([
      'person.name',
      'person.dateOfBirth',
      'person.town',
      'languages',
      'newsletter',
      'terms',
      'signature',
      'payment',
      'remarks',
      'reset',
      'office.number',
      'twice',
      'turned.left',
      'turned.right',
      'outside',
    ]);
    const of = (wanted: string): Located => located.find(({ name }) => name === wanted)!;
    expect(of('payment').widgets).to.deep.equal([
      { pageIndex: 0, x: 49.5, y: 265.5, width: 17, height: 17, exportValue: 'card', tabOrder: 6 },
      { pageIndex: 0, x: 89.5, y: 265.5, width: 17, height: 17, exportValue: 'invoice', tabOrder: 7 },
    ]);
    expect(of('twice').widgets).to.deep.equal([
      { pageIndex: 0, x: 299.5, y: 421.5, width: 91, height: 21, fontSize: 11, alignment: 'left', tabOrder: 11 },
      { pageIndex: 1, x: 9.5, y: 459.5, width: 91, height: 21, fontSize: 11, alignment: 'left', tabOrder: 2 },
    ]);
    expect([of('person.town').options, of('person.town').displayOptions, of('languages').displayOptions]).to.deep.equal(
      [['B', 'P', 'Berlin', 'Paris'], ['Berlin', 'Paris'], undefined],
    );
    expect([of('office.number').readOnly, of('remarks').multiline, 'widgets' in of('outside')]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('answer nothing, or headings alone, for a document without a form', async () => {
    const letter = await fixture('letter.pdf');
    expect([
      (await call('fields', letter)).json(),
      (await call('fields-with-coordinates', letter)).json(),
      text((await call('extract-csv', letter)).bytes),
    ]).to.deep.equal([{ fields: [], template: {} }, [], '"Field Name","Value"\n']);
    const [sheet] = (await readZip((await call('extract-xlsx', letter)).bytes)).filter(
      ({ name }) => name === 'xl/worksheets/sheet1.xml',
    );
    expect([...text(sheet!.bytes).matchAll(/<row /g)]).to.have.length(1);
  });

  it('become CSV: every value quoted as it is, no value nothing at all', async () => {
    const answer = await call('extract-csv', await fixture('application.pdf'), { name: 'My form.v2.PDF' });
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0], answer.fileName]).to.deep.equal([
      200,
      'text/csv',
      'My form.v2_extracted.csv',
    ]);
    expect(text(answer.bytes)).to.equal(
      [
        '"Field Name","Value"',
        '"person.name","Grüße, Ada"',
        '"person.dateOfBirth",',
        '"person.town","P"',
        '"languages","English,German"',
        '"newsletter","Yes"',
        '"terms","Off"',
        '"payment","invoice"',
        '"remarks","First line\n""Second"", line"',
        '"reset",',
        '"office.number","=1+1"',
        '"twice","on two pages"',
        '"signature",',
        '"turned.left","upper left of the crop box"',
        '"turned.right",',
        '"outside",',
        '',
      ].join('\n'),
    );
    expect(
      (await call('extract-csv', await fixture('application.pdf'), { name: 'form.bak' })).fileName,
      'other endings stay',
    ).to.equal('form.bak_extracted.csv');
  });

  it('become a sheet of texts with fitted columns', async () => {
    const answer = await call('extract-xlsx', await fixture('application.pdf'));
    expect([answer.status, answer.headers.get('content-type'), answer.fileName]).to.deep.equal([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application_extracted.xlsx',
    ]);
    const parts = new Map((await readZip(answer.bytes)).map(({ name, bytes }) => [name, text(bytes)]));
    expect(
      [...parts.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name]) => name),
    ).to.deep.equal(['Form Fields']);
    const sheet = parts.get('xl/worksheets/sheet1.xml')!;
    expect(
      [...sheet.matchAll(/<c [^>]*[^/]>/g)].every(([cell]) => /t="(?:s|inlineStr)"/.test(cell)),
      'texts only',
    ).to.equal(true);
    expect(sheet).not.to.match(/<f>|t="n"/);
    expect([...sheet.matchAll(/<row /g)]).to.have.length(16);
    const widths = [...sheet.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(widths).to.have.length(2);
    expect(
      widths.every((width) => width >= 20 && width <= 40),
      String(widths),
    ).to.equal(true);
    expect(`${sheet}${parts.get('xl/sharedStrings.xml') ?? ''}`)
      .to.contain('Grüße, Ada')
      .and.to.contain('=1+1');
  });

  it('take values from a file before the export, by the rules of filling, and leave a plain field alone', async () => {
    const application = await fixture('application.pdf');
    const answer = await call('extract-csv', application, {
      data: await fixture('values.json').then(text),
      dataName: 'blob',
    });
    const rows = text(answer.bytes).split('\n');
    for (const row of [
      '"person.name","Grace ""Amazing"" Hopper"',
      '"terms","Yes"',
      '"payment","card"',
      '"languages","English,German"',
      '"remarks",',
    ])
      expect(rows).to.include(row);
    expect(report(answer)).to.deep.equal({ fields: 15, unknown: ['unknown'] });
    const partial = await call('extract-csv', application, {
      data: '\ufeff{"dateOfBirth": 1815, "town": "berlin", "payment": "gold", "newsletter": false, "__proto__": "x"}',
    });
    for (const row of ['"person.dateOfBirth","1815"', '"person.town","B"', '"payment","invoice"', '"newsletter","Off"'])
      expect(text(partial.bytes).split('\n')).to.include(row);
    expect(report(partial)).to.deep.equal({ fields: 15, unknown: ['__proto__'], refused: ['payment'] });
    const plain = await call('extract-csv', application, { params: { data: '{"person.name":"Field"}' } });
    expect([plain.status, text(plain.bytes).includes('"Field"\n')]).to.deep.equal([200, false]);
    for (const nothing of ['', 'null', '{}', ' '])
      expect((await call('extract-csv', application, { data: nothing })).status, nothing).to.equal(200);
  });

  it('refuse values that are not JSON or not an object of texts, and other file types', async () => {
    const application = await fixture('application.pdf');
    for (const path of ['extract-csv', 'extract-xlsx']) {
      for (const [data, pointer] of [
        ['{', '/data'],
        ['["a"]', '/data'],
        ['"a"', '/data'],
        ['{"a":["b"]}', '/data/a'],
        ['{"a/b":{}}', '/data/a~1b'],
      ] as const) {
        expect(fault(await call(path, application, { data })), data).to.deep.equal([400, 'INPUT_INVALID', pointer]);
      }
      expect(
        (await call(path, application, { data: text(await fixture('letter.pdf')), dataName: 'letter.pdf' })).status,
      ).to.equal(415);
    }
  });

  it('report an XFA form and change nothing', async () => {
    const hybrid = await fixture('hybrid-xfa.pdf');
    const answer = await call('fields', hybrid);
    expect([report(answer), answer.json<{ xfa: string }>().xfa]).to.deep.equal([{ xfa: 'hybrid' }, 'hybrid']);
    for (const path of operations.slice(1)) expect(report(await call(path, hybrid)).xfa, path).to.equal('hybrid');
  });

  it('refuse what is missing, empty, locked, damaged or no PDF', async () => {
    const locked = hostileFiles().find(({ name }) => name === 'locked.pdf')!.bytes;
    for (const path of operations) {
      const missing = await callOperation(server.url, { path: `form/${path}`, params: { any: 'x' } });
      expect(
        [
          missing.status,
          missing.code,
          (await call(path, new Uint8Array(0))).status,
          (await call(path, await fixture('broken.pdf'))).code,
          (await call(path, locked)).code,
          (await call(path, Buffer.from('text'), { name: 'a.txt' })).status,
        ],
        path,
      ).to.deep.equal([400, 'INPUT_FILE_MISSING', 400, 'PDF_DAMAGED', 'PDF_ENCRYPTED', 415]);
      expect(missing.json(), path).to.include({ partName: 'file', type: '/errors/missing-file' });
    }
  });

  it('name the part as it was sent in what they refuse', async () => {
    const empty = new Uint8Array(0);
    const sent = await call('fields', empty);
    const usual = await callOperation(server.url, { path: 'form/fields', files: [{ name: 'a.pdf', bytes: empty }] });
    expect([fault(sent)[2], fault(usual)[2]]).to.deep.equal(['/file', '/fileInput']);
    expect(sent.json<{ detail: string }>().detail).to.contain('"file"');
  });

  it('refuse a small file whose answer would have gigabytes, and answer one of ten thousand fields', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([300, 300]);
    const { context } = document;
    const parent = context.nextRef();
    const make = (value: string, count: number): void => {
      const kids = Array.from({ length: count }, (_, i) =>
        context.register(
          context.obj({
            Type: 'Annot',
            Subtype: 'Widget',
            T: PDFHexString.fromText(`f${i}`),
            Parent: parent,
            Rect: [9, 9, 99, 29],
          } as never),
        ),
      );
      context.assign(
        parent,
        context.obj({
          T: PDFHexString.fromText('all'),
          FT: 'Tx',
          V: PDFHexString.fromText(value),
          Kids: kids,
        } as never),
      );
      document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [parent] }));
      page.node.set(PDFName.of('Annots'), context.obj(kids));
    };
    make('x'.repeat(1_000_000), 200);
    const heavy = await document.save({ updateFieldAppearances: false });
    for (const path of operations)
      expect(fault(await call(path, heavy)).slice(0, 2), path).to.deep.equal([422, 'INPUT_TOO_COMPLEX']);
    make('short', 10_000);
    const many = await document.save({ updateFieldAppearances: false });
    expect((await call('fields', many)).json<{ fields: unknown[] }>().fields).to.have.length(10_000);
  });
});
