import { expect } from 'chai';
import { PDFDocument, PDFName, type PDFRef, PDFString, StandardFonts } from 'pdf-lib';
import { redactDocumentData } from '../../../redaction/document-data/index.js';
import { openPdf, pdfBytes } from '../../../file/open/index.js';
import { allFieldNodes, fullName, readFields } from '../../../forms/fields/index.js';
import { listAttachments } from '../../../structure/attachments/index.js';
import { readAnnotations } from '../../../structure/annotations/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { renderPage } from '../../../engines/rendering/index.js';
import { blank, redacted, readable, put, stream, annotate } from './support.js';

describe('redactDocumentData for annotations, files and metadata', () => {
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
    const { bytes, counts } = await redacted(document);
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
    const { bytes, counts, document: after } = await redacted(document);
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
    const { counts, document: after, bytes } = await redacted(document);
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
    const { document: after, bytes } = await redacted(document, { metadata: true });
    expect([after.getTitle(), after.getAuthor(), after.getSubject(), after.getKeywords()]).to.deep.equal([
      'Title',
      undefined,
      undefined,
      undefined,
    ]);
    expect(await readable(bytes)).not.to.match(/xmpmeta|Metadata/);
  });
});
