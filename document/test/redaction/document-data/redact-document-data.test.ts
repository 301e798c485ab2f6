import { expect } from 'chai';
import {
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFString,
  StandardFonts,
} from 'pdf-lib';
import {
  redactDocumentData,
  type DocumentDataTargets,
  type TextFinder,
} from '../../../redaction/document-data/index.js';
import { openPdf, pdfBytes } from '../../../file/open/index.js';
import { allFieldNodes, fullName, readFields } from '../../../forms/fields/index.js';
import { listAttachments } from '../../../structure/attachments/index.js';
import { readAnnotations } from '../../../structure/annotations/index.js';
import { readNamedDestinations, targetOf } from '../../../structure/names/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { runQpdf } from '../../../engines/qpdf/index.js';
import { renderPage } from '../../../engines/rendering/index.js';

/** Finds every occurrence of a word, ignoring case. */
const word =
  (term: string): TextFinder =>
  (text) =>
    [...text.toLowerCase().matchAll(new RegExp(term.toLowerCase(), 'g'))].map(
      ({ index, 0: { length } }) => [index, index + length] as const,
    );
const secret = word('secret');

async function blank(pages = 1): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (let i = 0; i < pages; i++) document.addPage([200, 200]);
  return document;
}

async function cleansed(
  document: PDFDocument,
  what: DocumentDataTargets = { find: secret },
): Promise<{
  readonly document: PDFDocument;
  readonly counts: Awaited<ReturnType<typeof redactDocumentData>>;
  readonly bytes: Uint8Array;
}> {
  const opened = await openPdf(
    await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
  );
  const counts = await redactDocumentData(opened, what);
  const bytes = pdfBytes(opened);
  return { document: await PDFDocument.load(bytes, { updateMetadata: false }), counts, bytes };
}

/**
 * Returns everything in a file that may be read as text: qpdf decompresses all streams; null bytes are removed from
 * UTF-16 strings.
 */
async function readable(bytes: Uint8Array): Promise<string> {
  const { files } = await runQpdf(
    ['--qdf', '--object-streams=disable', '--stream-data=uncompress', '--decode-level=all', 'in.pdf', 'out.pdf'],
    { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] },
  );
  const plain = Buffer.from(files['out.pdf'] ?? new Uint8Array()).toString('latin1');
  const hex = [...plain.matchAll(/<((?:[\da-f]{2}\s*)+)>/gi)].map(([, digits = '']) =>
    Buffer.from(digits.replaceAll(/\s/g, ''), 'hex').toString('latin1'),
  );
  return [plain, ...hex].join('\n').replaceAll('\0', '');
}

const put = (dict: PDFDict, key: string, value: PDFObject): void => dict.set(PDFName.of(key), value);

function stream(document: PDFDocument, text: string, dict: Record<string, unknown> = {}): PDFRef {
  return document.context.register(document.context.flateStream(text, dict as never));
}

function annotate(document: PDFDocument, dict: Record<string, unknown>, page = 0): PDFDict {
  const annotation: PDFDict = document.context.obj({
    Type: 'Annot',
    Rect: [10, 10, 60, 30],
    ...(dict as Record<string, string>),
  });
  document.getPage(page).node.addAnnot(document.context.register(annotation));
  return annotation;
}

describe('redactDocumentData', () => {
  it('blanks comments in content that contain found text, and nothing that only looks like one', async () => {
    const document = await blank();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.getPage(0);
    const resources = { Font: { F: font.ref } };
    page.node.setXObject(
      PDFName.of('Fm'),
      stream(document, '% a SECRET of the form\n0 0 10 10 re f', {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 10, 10],
      }),
    );
    page.node.set(
      PDFName.of('Contents'),
      document.context.obj([
        stream(document, 'q % the secret of the author\r1 0 0 1 0 0 cm % harmless'),
        stream(document, '/Fm Do BT /F 12 Tf 20 100 Td (100 % of it) Tj ET Q % another remark\n'),
      ]),
    );
    put(
      page.node,
      'Resources',
      document.context.obj({ ...resources, XObject: page.node.Resources()?.lookup(PDFName.of('XObject')) } as never),
    );
    const { bytes, counts } = await cleansed(document);
    const text = await readable(bytes);
    expect(counts.streams).to.equal(2);
    expect(text.toLowerCase()).not.to.contain('secret');
    expect(text)
      .to.contain('(100 % of it)')
      .and.to.contain('% another remark')
      .and.to.match(/q\s+1 0 0 1 0 0 cm/);
    expect(await withDocument(bytes, {}, (opened) => opened.pageText(0))).to.contain('100 % of it');
  });

  it('empties forms that no page draws, whatever refers to them, and keeps the others', async () => {
    const document = await blank();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const form = (text: string): PDFRef =>
      stream(document, `BT /F 12 Tf (${text}) Tj ET`, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 100, 50],
        Resources: { Font: { F: font.ref } },
      });
    const page = document.getPage(0);
    const [drawn, left, odd, innocent] = [
      form('the secret seen'),
      form('a secret left'),
      form('an odd secret'),
      form('nothing'),
    ];
    for (const [name, ref] of [
      ['Drawn', drawn],
      ['Left', left],
      ['Innocent', innocent],
    ] as const)
      page.node.setXObject(PDFName.of(name), ref);
    put(document.catalog, 'FooBar', document.context.obj({ N: odd }));
    page.node.set(PDFName.of('Contents'), stream(document, '/Drawn Do'));
    const { bytes, counts } = await cleansed(document);
    const text = await readable(bytes);
    expect(counts.streams).to.equal(2);
    expect(text)
      .to.contain('the secret seen')
      .and.to.contain('nothing')
      .and.not.to.contain('a secret left')
      .and.not.to.contain('an odd secret');
  });

  it('cuts found words out of strings and keeps their encoding', async () => {
    const document = await blank();
    document.setTitle('Report');
    const { context } = document;
    const info = context.lookup(context.trailerInfo.Info, PDFDict);
    put(info, 'Plain', PDFString.of('The Secret plan'));
    put(info, 'Wide', PDFHexString.fromText('Der Secret-Plan für Łódź'));
    put(info, 'Utf8', PDFHexString.of(Buffer.from('\ufeffle secret d’été').toString('hex')));
    put(info, 'Soft', PDFHexString.fromText('a se\u00adcr\u200bet here'));
    put(info, 'Accent', PDFString.of('caf\\351 secret'));
    const result = await cleansed(document);
    const after = result.document.context.lookup(result.document.context.trailerInfo.Info, PDFDict);
    const bytes = (key: string): Buffer => Buffer.from((after.get(PDFName.of(key)) as PDFHexString).asBytes());
    expect(bytes('Plain').toString('latin1')).to.equal('The  plan');
    expect((after.get(PDFName.of('Wide')) as PDFHexString).decodeText()).to.equal('Der -Plan für Łódź');
    expect(bytes('Utf8').toString('utf8')).to.equal('\ufeffle  d’été');
    expect((after.get(PDFName.of('Soft')) as PDFHexString).decodeText()).to.equal('a  here');
    expect(bytes('Accent').toString('latin1')).to.equal('café');
    expect(result.document.getTitle()).to.equal('Report');
  });

  it('leaves found text in no place that a program could read', async () => {
    const document = await blank(2);
    const { context } = document;
    const [first, second] = document.getPages();
    if (first === undefined || second === undefined) throw new Error('two pages');
    const text = PDFString.of('a secret here');
    const at = (value: unknown): PDFRef => context.register(context.obj(value as never));
    const xmp = stream(document, '<x:xmpmeta xmlns:x="adobe:ns:meta/"><b>a s&#x65;cret</b></x:xmpmeta>', {
      Type: 'Metadata',
      Subtype: 'XML',
    });
    annotate(document, {
      Subtype: 'Text',
      Contents: text,
      T: text,
      Subj: text,
      NM: text,
      RC: PDFString.of('<body><p>a sec</p><p>ret</p></body>'),
    });
    annotate(document, { Subtype: 'Link', A: { S: 'URI', URI: PDFString.of('https://example.com/%53ecret') } });
    annotate(document, { Subtype: 'Link', A: { S: 'JavaScript', JS: stream(document, 'app.alert("secret")') } });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('secret place') } });
    annotate(document, {
      Subtype: 'Link',
      A: { S: 'Launch', F: { F: PDFString.of('secret.exe') }, Next: { S: 'Named', N: 'NextPage' } },
    });
    const root = context.nextRef();
    const item = at({ Title: text, Parent: root, Dest: PDFString.of('secret place') });
    const structure = at({
      Type: 'StructTreeRoot',
      K: { S: 'P', P: root, Alt: text, ActualText: text, E: text, T: text, ID: PDFString.of('secret element') },
      IDTree: { Names: [PDFString.of('secret element'), structElement()] },
    });
    function structElement(): PDFRef {
      return at({ Type: 'StructElem', S: 'P', ID: PDFString.of('secret element') });
    }
    for (const [key, value] of Object.entries({
      Outlines: root,
      StructTreeRoot: structure,
      Metadata: xmp,
      PieceInfo: { A: { Private: text } },
      SpiderInfo: { V: 1, C: [text] },
      Unheard: stream(document, 'of a Secret'),
      Strings: [[text], at([text])],
      PageLabels: { Nums: [0, { P: text }] },
      OCProperties: { OCGs: [at({ Type: 'OCG', Name: text })], D: { Name: text } },
      Threads: [at({ Type: 'Thread', I: { Title: text } })],
      URI: { Base: text },
      OutputIntents: [{ Type: 'OutputIntent', S: 'GTS_PDFX', Info: text }],
      Collection: { Schema: { A: { Type: 'CollectionField', N: text } } },
      Dests: { secretName: [first.ref, 'Fit'] },
      Names: {
        Dests: { Names: [PDFString.of('a'), [first.ref, 'Fit'], PDFString.of('secret place'), [second.ref, 'Fit']] },
        JavaScript: { Names: [PDFString.of('secret script'), { S: 'JavaScript', JS: PDFString.of('1') }] },
        URLS: { Names: [PDFString.of('secret'), [1]] },
        AlternatePresentations: { Names: [PDFString.of('secret show'), { Type: 'SlideShow', StartResource: text }] },
      },
    }))
      document.catalog.set(PDFName.of(key), context.obj(value as never));
    context.assign(root, context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
    put(first.node, 'Thumb', stream(document, 'secret', { Width: 1, Height: 1 }));
    put(first.node, 'AF', context.obj([at({ Type: 'Filespec', F: text, Desc: text })]));
    expect(await readable(await document.save())).to.match(/secret/i);
    const result = await cleansed(document);
    expect(await readable(result.bytes)).not.to.match(/s(?:e|&#x65;)cret|%53ecret/i);
    expect(result.counts).to.include({ actions: 3, files: 0 });
    expect(result.document.getPageCount()).to.equal(2);
  });

  it('keeps bookmarks and links to renamed destinations valid', async () => {
    const document = await blank(2);
    const { context } = document;
    const destinations = [
      [PDFString.of('secret b'), [document.getPage(1).ref, 'Fit']],
      [PDFString.of('redacted-1'), [document.getPage(0).ref, 'Fit']],
      [PDFString.of('other'), [document.getPage(0).ref, 'Fit']],
    ].flat();
    document.catalog.set(PDFName.of('Names'), context.obj({ Dests: { Names: destinations } } as never));
    annotate(document, { Subtype: 'Link', Dest: PDFHexString.fromText('secret b') });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('secret b') } });
    annotate(document, { Subtype: 'Link', A: { S: 'GoTo', D: PDFString.of('other') } });
    const after = (await cleansed(document)).document;
    const named = readNamedDestinations(after.context);
    const pages = after.getPages().map(({ ref }) => ref);
    const targets = readAnnotations(after.context, after.getPage(0).node).map(({ dict }) =>
      targetOf(after.context, named, dict, pages),
    );
    expect(targets.map((target) => (target.kind === 'page' ? pages.indexOf(target.page) : target.kind))).to.deep.equal([
      1, 1, 0,
    ]);
    expect([...named.strings.keys()].sort())
      .to.have.length(3)
      .and.to.include('other')
      .and.to.include('redacted-1');
  });

  it('cleans field values and redraws their widgets', async () => {
    const document = await blank();
    const form = document.getForm();
    const page = document.getPage(0);
    const name = form.createTextField('person.secret name');
    name.setText('My secret value');
    name.addToPage(page, { x: 10, y: 150, width: 150, height: 20 });
    const list = form.createOptionList('list');
    list.addOptions(['plain', 'the secret one']);
    list.select('the secret one');
    list.addToPage(page, { x: 10, y: 80, width: 150, height: 60 });
    const other = form.createTextField('other');
    other.setText('kept');
    other.addToPage(page, { x: 10, y: 50, width: 150, height: 20 });
    const formatted = form.createTextField('formatted');
    formatted.setText('secret');
    formatted.addToPage(page, { x: 10, y: 20, width: 150, height: 20 });
    form.updateFieldAppearances();
    put(formatted.acroField.dict, 'V', PDFString.of('s3cr3t'));
    const reset = annotate(document, {
      Subtype: 'Link',
      A: { S: 'ResetForm', Fields: [PDFString.of('person.secret name'), PDFString.of('other')] },
    });
    expect(reset).not.to.equal(undefined);
    const { bytes, counts } = await cleansed(document);
    expect(await readable(bytes)).not.to.match(/secret|s3cr3t/i);
    expect(counts.widgets).to.equal(3);
    const drawn = await withDocument(bytes, {}, (one) =>
      renderPage(one, 0, { width: 200, height: 200, annotations: true }),
    );
    expect(
      drawn.some((byte) => byte < 100),
      'widgets are drawn',
    ).to.equal(true);
    const after = await PDFDocument.load(bytes, { updateMetadata: false });
    const names = [...allFieldNodes(readFields(after.context))].map((node) => fullName(after.context, node));
    expect(names).to.include('person.redacted-1').and.to.include('other');
    expect(await readable(bytes)).to.match(/person\.redacted-1/);
    expect(after.getForm().getTextField('other').getText()).to.equal('kept');
    expect(after.getForm().getTextField('person.redacted-1').getText()).to.equal('My  value');
  });

  it('removes annotations whose appearances show found text, and keeps the others', async () => {
    const document = await blank();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const look = (...shown: string[]): PDFRef =>
      stream(document, `BT /F 10 Tf ${shown.map((one) => `(${one}) Tj`).join(' ')} ET`, {
        Type: 'XObject',
        Subtype: 'Form',
        BBox: [0, 0, 50, 20],
        Resources: { Font: { F: font.ref } },
      });
    annotate(document, { Subtype: 'Stamp', AP: { N: look('the se', 'cret') } });
    annotate(document, { Subtype: 'Stamp', AP: { N: look('harmless'), R: look('Secret') } });
    annotate(document, { Subtype: 'Stamp', AP: { N: look('harmless') } });
    const spoken = stream(document, '/Span << /ActualText (secret) >> BDC BT /F 10 Tf (x) Tj ET EMC', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 50, 20],
      Resources: { Font: { F: font.ref } },
    });
    annotate(document, { Subtype: 'Stamp', AP: { N: spoken } });
    annotate(document, { Subtype: 'FreeText', Contents: PDFString.of('secret'), DA: PDFString.of('/Helv 10 Tf') });
    const { bytes, counts, document: after } = await cleansed(document);
    expect([counts.annotations, readAnnotations(after.context, after.getPage(0).node).length]).to.deep.equal([4, 1]);
    expect(await readable(bytes)).not.to.match(/secret|se\)/i);
  });

  it('inspects attached files, and removes those that contain a word or cannot be inspected', async () => {
    const document = await blank();
    const inner = await blank();
    inner
      .getPage(0)
      .drawText('A secret page', { x: 10, y: 100, size: 12, font: await inner.embedFont(StandardFonts.Helvetica) });
    const titled = await blank();
    titled.setTitle('Of a secret');
    const files: Record<string, Uint8Array> = {
      'notes.txt': Buffer.from('the secret'),
      'plain.txt': Buffer.from('harmless'),
      'wide.csv': Buffer.from('\ufeffa;secret', 'utf16le'),
      'page.html': Buffer.from('<b>sec</b>ret'),
      'page.pdf': await inner.save(),
      'titled.pdf': await titled.save(),
      'empty.pdf': await (await blank()).save(),
      'table.xlsx': Buffer.from('504b030414000600', 'hex'),
      'secret picture.png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
    };
    for (const [name, bytes] of Object.entries(files))
      await document.attach(bytes, name, { description: `${name} is a file` });
    const { counts, document: after, bytes } = await cleansed(document);
    expect(
      listAttachments(after.context)
        .map(({ name }) => name)
        .sort(),
    ).to.deep.equal(['empty.pdf', 'plain.txt', 'redacted-1.png']);
    expect(counts.files).to.equal(6);
    expect(await readable(bytes)).not.to.match(/secret/i);
  });

  it('removes annotations under an area with their fields and pop-ups, and those of wiped pages', async () => {
    const document = await blank(2);
    const { context: made } = document;
    const field = document.getForm().createTextField('covered');
    field.setText('covered value');
    field.addToPage(document.getPage(0), { x: 20, y: 20, width: 50, height: 20 });
    document
      .getForm()
      .createTextField('elsewhere')
      .addToPage(document.getPage(0), { x: 160, y: 20, width: 30, height: 20 });
    document.getForm().updateFieldAppearances();
    put(
      document.getForm().acroForm.dict,
      'XFA',
      made.obj([PDFString.of('datasets'), stream(document, '<data>covered value</data>')]),
    );
    const note = annotate(document, { Subtype: 'Text', Rect: [30, 100, 50, 120] });
    const [noteRef] = document.getPage(0).node.Annots()?.asArray().slice(-1) ?? [];
    annotate(document, { Subtype: 'Popup', Rect: [150, 150, 199, 199], Parent: noteRef });
    annotate(document, {
      Subtype: 'Link',
      Rect: [0, 0, 200, 200],
      QuadPoints: [150, 160, 190, 160, 150, 150, 190, 150],
    });
    annotate(document, { Subtype: 'Square', Rect: [100, 100, 120, 120] });
    annotate(document, { Subtype: 'Square' }, 1);
    expect(note).not.to.equal(undefined);
    const opened = await openPdf(await document.save({ updateFieldAppearances: false }));
    const [first, second] = opened.pages;
    if (first === undefined || second === undefined) throw new Error('two pages');
    // A square standing on its corner: its bounding box touches the last square, the squares themselves do not touch.
    const counts = await redactDocumentData(opened, {
      areas: new Map([[first.dict, [[40, 0, 110, 70, 40, 140, -30, 70]]]]),
      wiped: new Set([second.dict]),
    });
    const { context } = opened.document;
    expect(readAnnotations(context, first.dict).map(({ kind }) => kind)).to.deep.equal(['Widget', 'Link', 'Square']);
    expect(readAnnotations(context, second.dict)).to.have.length(0);
    expect(counts, 'the pop-up and the XFA form too').to.include({ annotations: 4, streams: 1 });
    expect(await readable(pdfBytes(opened))).not.to.match(/covered/);
  });

  it('removes author, subject, keywords and XMP on request, and keeps the title', async () => {
    const document = await blank();
    document.setTitle('Title');
    document.setAuthor('Author');
    document.setSubject('Subject');
    document.setKeywords(['a', 'b']);
    document.catalog.set(
      PDFName.of('Metadata'),
      stream(document, '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>', { Type: 'Metadata', Subtype: 'XML' }),
    );
    put(document.getPage(0).node, 'Metadata', stream(document, '<a/>', { Type: 'Metadata', Subtype: 'XML' }));
    const { document: after, bytes } = await cleansed(document, { metadata: true });
    expect([after.getTitle(), after.getAuthor(), after.getSubject(), after.getKeywords()]).to.deep.equal([
      'Title',
      undefined,
      undefined,
      undefined,
    ]);
    expect(await readable(bytes)).not.to.match(/xmpmeta|Metadata/);
  });

  it('leaves a document unchanged if nothing is found', async () => {
    const document = await blank();
    document.setTitle('Nothing to see');
    annotate(document, { Subtype: 'Text', Contents: PDFString.of('a note'), M: PDFString.of('D:20260101') });
    await document.attach(Buffer.from('harmless'), 'a.txt');
    const { counts, document: after } = await cleansed(document);
    expect(Object.values(counts).every((count) => count === 0)).to.equal(true);
    expect([after.getTitle(), listAttachments(after.context).length]).to.deep.equal(['Nothing to see', 1]);
  });

  it('ends for a pattern that matches everything, and for endless structures', async () => {
    const document = await blank();
    const { context } = document;
    document.setTitle('Title');
    const loop = context.nextRef();
    const array = context.obj([PDFString.of('text')]);
    array.push(array as never);
    context.assign(
      loop,
      context.obj({
        Title: PDFString.of('text'),
        Next: loop,
        Parent: loop,
        A: { S: 'JavaScript', JS: PDFString.of('1') },
      }),
    );
    document.catalog.set(PDFName.of('Outlines'), context.obj({ First: loop, Last: loop }));
    let actions: PDFObject = context.obj({ S: 'Named', N: 'NextPage' });
    for (let depth = 0; depth < 40; depth++)
      actions = context.register(context.obj({ S: 'Named', N: 'NextPage', Next: [actions, actions, actions] }));
    document.catalog.set(PDFName.of('OpenAction'), actions);
    const opened = await openPdf(await document.save());
    document.catalog.set(PDFName.of('Endless'), array);
    const counts = await redactDocumentData(opened, { find: (text) => (text === '' ? [] : [[0, text.length]]) });
    expect(counts.strings).to.be.greaterThan(1);
    expect(counts.actions).to.equal(1);
  });

  it('does not cut strings that are not text: palettes, checksums, default appearances', async () => {
    const document = await blank();
    const { context } = document;
    document.catalog.set(
      PDFName.of('Held'),
      context.obj({
        Colours: ['Indexed', 'DeviceRGB', 1, PDFString.of('secret')],
        CheckSum: PDFString.of('secret'),
        DA: PDFString.of('/secret 10 Tf'),
      }),
    );
    const { counts, document: after } = await cleansed(document);
    expect(counts.strings).to.equal(0);
    expect(after.catalog.lookup(PDFName.of('Held'))?.toString()).to.match(/secret/);
  });
});
