import { readFile } from 'node:fs/promises';
import { createSecurity, encodePermissions } from '@quire/document/file/encryption';
import { pdfBytes, withPdf } from '@quire/document/file/open';
import { documentTitle, readXmp } from '@quire/document/structure/metadata';
import { callOperation, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { everythingIn, qpdfCheck } from '../support/look.js';

const NAMES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  'xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ' +
  'xmlns:own="https://example.org/own/"';
const packet = (claim = ''): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${NAMES}>` +
  `<rdf:Description rdf:about="" pdf:Producer="Old Maker" xmp:CreateDate="2020-01-01T00:00:00Z"${claim}>` +
  '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old Title</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq>' +
  '<rdf:li>Old Author</rdf:li></rdf:Seq></dc:creator><own:thing>kept</own:thing></rdf:Description></rdf:RDF>' +
  '</x:xmpmeta><?xpacket end="w"?>';

/** A document with a lot of metadata. */
async function talkative(xmp: string | undefined = packet()): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([200, 200]);
  document.setTitle('Old Title');
  document.setAuthor('Old Author');
  document.setProducer('Old Maker');
  document.setCreationDate(new Date('2020-01-01T00:00:00Z'));
  const info = document.context.lookup(document.context.trailerInfo.Info, PDFDict);
  info.set(PDFName.of('Own'), PDFString.of('old own canary'));
  info.set(PDFName.of('Gone'), PDFString.of('old gone canary'));
  const piece = document.context.obj({
    App: { Private: PDFString.of('piece canary'), LastModified: PDFString.of('D:2020') },
  });
  for (const owner of [document.catalog, page.node]) owner.set(PDFName.of('PieceInfo'), piece);
  if (xmp !== undefined)
    document.catalog.set(
      PDFName.of('Metadata'),
      document.context.register(document.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })),
    );
  return document.save({ useObjectStreams: false });
}

describe('update-metadata over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-misc'] });

  const call = async (params: Record<string, unknown>, bytes?: Uint8Array): Promise<OperationAnswer> =>
    callOperation(server.url, {
      path: 'misc/update-metadata',
      files: [{ name: 'report.pdf', bytes: bytes ?? (await talkative()) }],
      params,
    });
  const infoOf = async ({ bytes }: OperationAnswer): Promise<Record<string, string>> => {
    const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
    const info = context.lookup(context.trailerInfo.Info);
    if (!(info instanceof PDFDict)) return {};
    return Object.fromEntries(
      info
        .entries()
        .map(([key, value]) => [
          key.decodeText(),
          value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : String(value),
        ]),
    );
  };
  const xmpOf = ({ bytes }: OperationAnswer): Promise<string | undefined> =>
    withPdf(bytes, {}, ({ document: { context } }) => readXmp(context));

  it('writes values exactly as sent, in every script, including the producer', async () => {
    const texts = {
      title: ' Größe & <Titel> – リング ',
      author: 'عمر, Ünal',
      subject: 'Zeile 1\tZeile 2',
      keywords: 'a, b; c',
      creator: 'Writer (7.5)',
      producer: 'My Maker \\ 1',
    };
    const answer = await call({
      ...texts,
      trapped: 'Unknown',
      creationDate: '2023/10/01 12:00:00',
      modificationDate: '2024/02/29 23:59:58',
    });
    expect([answer.status, answer.fileName, answer.headers.get('x-tool-report')]).to.deep.equal([
      200,
      'report_metadata.pdf',
      null,
    ]);
    const info = await infoOf(answer);
    expect(info).to.deep.include({
      Title: texts.title,
      Author: texts.author,
      Subject: texts.subject,
      Keywords: texts.keywords,
      Creator: texts.creator,
      Producer: texts.producer,
      Trapped: '/Unknown',
      Own: 'old own canary',
    });
    const document = await PDFDocument.load(answer.bytes, { updateMetadata: false });
    expect([document.getCreationDate()?.getTime(), document.getModificationDate()?.getTime()]).to.deep.equal([
      new Date(2023, 9, 1, 12).getTime(),
      new Date(2024, 1, 29, 23, 59, 58).getTime(),
    ]);
    expect(await qpdfCheck(answer.bytes)).to.equal('');
  });

  it('removes missing and empty values and the text undefined, and keeps other entries', async () => {
    const answer = await call({ title: '', author: 'undefined', subject: 'kept' });
    expect(await infoOf(answer)).to.deep.equal({ Subject: 'kept', Own: 'old own canary', Gone: 'old gone canary' });
    expect(everythingIn(answer.bytes)).not.to.match(/Old Title|Old Author|Old Maker/);
  });

  it('removes an unreadable date, and reports it', async () => {
    for (const creationDate of [
      '2023-10-01',
      '2023/13/01 00:00:00',
      '2023/02/30 00:00:00',
      '2023/10/01 24:00:00',
      'yesterday',
    ]) {
      const answer = await call({ creationDate });
      expect(
        [
          answer.status,
          'CreationDate' in (await infoOf(answer)),
          JSON.parse(answer.headers.get('x-tool-report') ?? '{}'),
        ],
        creationDate,
      ).to.deep.equal([200, false, { unreadable: 'creationDate' }]);
    }
  });

  it('sets entries of other names, sent as JSON or as fields, and ignores standard names among them', async () => {
    const pairs = {
      customKey1: 'Department',
      customValue1: 'Vertrieb – 営業',
      customKey2: 'Gone',
      Own: 'new',
      Number: 7,
      Title: 'not this',
      AUTHOR: 'nor this',
      customKey3: 'Producer',
      customValue3: 'nor that',
      deleteAll: 'true',
    };
    const wanted = { Department: 'Vertrieb – 営業', Own: 'new', Number: '7', Subject: 's' };
    expect(await infoOf(await call({ subject: 's', allRequestParams: JSON.stringify(pairs) }))).to.deep.equal(wanted);
    const indexed = Object.fromEntries(
      Object.entries(pairs).map(([name, value]) => [`allRequestParams[${name}]`, value]),
    );
    const answer = await call({ subject: 's', ...indexed });
    expect([await infoOf(answer), answer.headers.get('x-ignored-fields')]).to.deep.equal([wanted, null]);
    const both = await call({ subject: 's', allRequestParams: '{"Own":"a","Gone":"b"}', 'allRequestParams[Own]': 'c' });
    expect(await infoOf(both)).to.deep.equal({ Subject: 's', Own: 'c', Gone: 'b' });
  });

  it('writes names beyond ASCII in UTF-8', async () => {
    expect(everythingIn((await call({ 'allRequestParams[Größe]': 'A4' })).bytes)).to.match(/\/Gr#C3#B6#C3#9Fe/i);
  });

  it('accepts the map as an object in a pipeline step', async () => {
    const form = new FormData();
    form.append('fileInput', new Blob([Uint8Array.from(await talkative())]), 'report.pdf');
    form.append(
      'json',
      JSON.stringify({
        pipeline: [
          {
            operation: '/api/v1/misc/update-metadata',
            parameters: { title: 'Neu', allRequestParams: { customKey1: 'A', customValue1: 'b' } },
          },
        ],
      }),
    );
    const response = await fetch(`${server.url}/api/v1/pipeline/handleData`, { method: 'POST', body: form });
    const document = await PDFDocument.load(new Uint8Array(await response.arrayBuffer()), { updateMetadata: false });
    expect([
      response.status,
      document.getTitle(),
      document.context
        .lookup(document.context.trailerInfo.Info, PDFDict)
        .lookup(PDFName.of('A'), PDFHexString)
        .decodeText(),
    ]).to.deep.equal([200, 'Neu', 'b']);
  });

  it('refuses a map that is not an object, invalid names, and an invalid value of trapped', async () => {
    for (const params of [
      { allRequestParams: 'x' },
      { allRequestParams: '[1]' },
      { allRequestParams: '{"a":{}}' },
      { allRequestParams: '{' },
      { allRequestParams: '"x"', 'allRequestParams[a]': 'b' },
      { 'allRequestParams[customKey1]': 'a\u0000b', 'allRequestParams[customValue1]': 'c' },
      { trapped: 'true' },
      { deleteAll: 'perhaps' },
    ]) {
      const answer = await call(params);
      expect(
        [answer.status, answer.code, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer.split('/')[1]],
        JSON.stringify(params),
      ).to.deep.equal([400, 'INPUT_INVALID', Object.keys(params)[0]?.split('[')[0]]);
    }
  });

  it('updates the values of these entries in XMP, and keeps the rest of it', async () => {
    const xmp = (await xmpOf(await call({ title: 'New & Better', producer: 'New Maker', author: 'undefined' }))) ?? '';
    expect(xmp)
      .to.contain('<own:thing>kept</own:thing>')
      .and.to.contain('New &amp; Better')
      .and.to.contain('pdf:Producer="New Maker"')
      .and.not.to.match(/Old Title|Old Maker|Old Author|CreateDate/);
    // Values that XMP did not have are not added.
    expect(
      await xmpOf(
        await call({
          title: 'Old Title',
          author: 'Old Author',
          producer: 'Old Maker',
          creationDate: '2020/01/01 00:00:00',
          subject: 'new subject',
        }),
      ),
    ).not.to.contain('new subject');
  });

  it('writes all values to XMP too if the document declares PDF/A', async () => {
    const xmp =
      (await xmpOf(
        await call(
          { subject: 'new subject' },
          await talkative(
            packet(' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"'),
          ),
        ),
      )) ?? '';
    expect(xmp).to.contain('new subject').and.to.contain('pdfaid:part="2"');
  });

  it('removes everything when asked to, whatever else is sent', async () => {
    const answer = await call({ deleteAll: true, title: 'not this', trapped: 'True' });
    expect(await infoOf(answer)).to.deep.equal({});
    expect(await xmpOf(answer)).to.equal(undefined);
    expect(everythingIn(answer.bytes)).not.to.match(/canary|Old |not this|PieceInfo|Quire/);
    expect(await qpdfCheck(answer.bytes)).to.equal('');
  });

  it('keeps a document encrypted, and refuses one that needs a password', async () => {
    const locked = async (userPassword: string): Promise<Uint8Array> =>
      withPdf(await talkative(), {}, (opened) =>
        pdfBytes(opened, {
          security: createSecurity({
            context: opened.document.context,
            scheme: 'AES-256',
            userPassword,
            ownerPassword: 'owner',
            permissions: encodePermissions({}),
          }),
        }),
      );
    const answer = await call({ title: 'Neu – 新' }, await locked(''));
    expect([answer.status, Buffer.from(answer.bytes).includes('/Encrypt')]).to.deep.equal([200, true]);
    expect(await withPdf(answer.bytes, {}, ({ document: { context } }) => documentTitle(context))).to.equal('Neu – 新');
    const refused = await call({ title: 'x' }, await locked('secret'));
    expect([refused.status, refused.code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
  });

  it('keeps pages and form, and accepts a document without metadata', async () => {
    const broken = new Uint8Array(await readFile(new URL('../../fixtures/broken-table.pdf', import.meta.url)));
    const document = await PDFDocument.load((await call({ title: 'x' }, broken)).bytes, { updateMetadata: false });
    expect([
      document.getPageCount(),
      document.getForm().getTextField('name').getText(),
      document.getTitle(),
    ]).to.deep.equal([2, 'Ada', 'x']);
    const bare = await PDFDocument.create({ updateMetadata: false });
    bare.addPage([10, 10]);
    expect(await infoOf(await call({}, await bare.save()))).to.deep.equal({});
  });
});
