import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib';
import {
  addAttachments,
  attachmentFacts,
  listAttachments,
  removeAttachment,
  renameAttachment,
} from '../../../structure/attachments/index.js';
import { distinctNames } from '../../../structure/names/index.js';
import { walkPages } from '../../../structure/pages/index.js';

async function empty(): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([100, 100]);
  return document;
}

function attach(document: PDFDocument, name: string, content = name): number {
  const bytes = Buffer.from(content);
  return addAttachments(document.context, walkPages(document.context), [
    {
      name,
      file: PDFRawStream.of(document.context.obj({}), bytes),
      mediaType: 'text/plain',
      size: bytes.length,
      checksum: new Uint8Array(16),
    },
  ]);
}

const names = ({ context }: PDFDocument): string[] => listAttachments(context).map(({ name }) => name);

describe('attachments of a document', () => {
  it('are sorted in a tree that viewers can search, however many there are', async () => {
    const document = await empty();
    for (let i = 0; i < 200; i++) attach(document, `file ${String((i * 7) % 200).padStart(3, '0')}.txt`);
    expect(names(document)).to.deep.equal(
      Array.from({ length: 200 }, (_none, i) => `file ${String(i).padStart(3, '0')}.txt`),
    );
    const tree = document.catalog.lookup(PDFName.of('Names'), PDFDict).lookup(PDFName.of('EmbeddedFiles'), PDFDict);
    expect(tree.lookup(PDFName.of('Kids'), PDFArray).size()).to.equal(4);
  });

  it('have the given dates and descriptions only', async () => {
    const document = await empty();
    attach(document, 'a');
    const [bare] = listAttachments(document.context);
    expect(bare && attachmentFacts(document.context, bare)).to.deep.equal({
      filename: 'a',
      size: 1,
      contentType: 'text/plain',
      description: null,
      creationDate: null,
      modificationDate: null,
    });
  });

  it('replace all files of the same name', async () => {
    const document = await empty();
    attach(document, 'a', 'one');
    attach(document, 'b', 'two');
    renameAttachment(document.context, 'b', 'c');
    expect([attach(document, 'a', 'three'), attach(document, 'b', 'four')]).to.deep.equal([1, 0]);
    expect(
      listAttachments(document.context).map(({ name, file }) => `${name} ${Buffer.from(file.contents)}`),
    ).to.deep.equal(['a three', 'b four', 'c two']);
  });

  it('are processed in linear time, even if many have one name', async () => {
    const document = await empty();
    const { context } = document;
    const file = (name: string) => ({
      name,
      file: PDFRawStream.of(context.obj({}), Buffer.from('x')),
      mediaType: 'text/plain',
      size: 1,
      checksum: new Uint8Array(16),
    });
    addAttachments(
      context,
      [],
      Array.from({ length: 60_000 }, (_none, i) => file(`f${i}`)),
    );
    for (const { spec } of listAttachments(context))
      for (const key of ['F', 'UF']) spec.set(PDFName.of(key), PDFString.of('same'));
    expect(addAttachments(context, walkPages(context), [file('same')])).to.equal(60_000);
    expect(names(document)).to.deep.equal(['same']);
  }).timeout(50_000);

  it('keep their place in a portfolio when they are renamed', async () => {
    const document = await empty();
    const { context } = document;
    attach(document, 'a.txt');
    const list = document.catalog
      .lookup(PDFName.of('Names'), PDFDict)
      .lookup(PDFName.of('EmbeddedFiles'), PDFDict)
      .lookup(PDFName.of('Names'), PDFArray);
    list.set(0, PDFString.of('<12>a.txt'));
    const collection = context.obj({ Type: 'Collection', D: PDFString.of('<12>a.txt') });
    document.catalog.set(PDFName.of('Collection'), collection);
    expect(renameAttachment(context, 'a.txt', 'ä.txt')).to.equal('renamed');
    expect(collection.lookup(PDFName.of('D'), PDFHexString).decodeText()).to.equal('<12>ä.txt');
    expect(removeAttachment(context, walkPages(context), 'ä.txt')).to.equal(true);
    expect([collection.has(PDFName.of('D')), names(document)]).to.deep.equal([false, []]);
  });

  it('are found by their key if viewers show the key', async () => {
    const document = await empty();
    const { context } = document;
    attach(document, 'shown.txt');
    const list = document.catalog
      .lookup(PDFName.of('Names'), PDFDict)
      .lookup(PDFName.of('EmbeddedFiles'), PDFDict)
      .lookup(PDFName.of('Names'), PDFArray);
    list.set(0, PDFHexString.fromText('schlüssel'));
    expect(renameAttachment(context, 'schlüssel', 'new.txt')).to.equal('renamed');
    expect(names(document)).to.deep.equal(['new.txt']);
  });

  it('are unchanged if a name is taken or unknown, and may keep their own name', async () => {
    const document = await empty();
    attach(document, 'a');
    attach(document, 'b');
    expect([
      renameAttachment(document.context, 'a', 'b'),
      renameAttachment(document.context, 'x', 'y'),
      renameAttachment(document.context, 'a', 'a'),
      removeAttachment(document.context, [], 'x'),
    ]).to.deep.equal(['taken', 'unknown', 'renamed', false]);
    expect(names(document)).to.deep.equal(['a', 'b']);
  });

  it('are removed from a specification that something else still refers to', async () => {
    const document = await empty();
    attach(document, 'a', 'canary');
    const spec = document.catalog
      .lookup(PDFName.of('Names'), PDFDict)
      .lookup(PDFName.of('EmbeddedFiles'), PDFDict)
      .lookup(PDFName.of('Names'), PDFArray)
      .get(1);
    document.catalog.set(PDFName.of('Elsewhere'), spec);
    removeAttachment(document.context, walkPages(document.context), 'a');
    expect(document.context.lookup(spec, PDFDict).has(PDFName.of('EF'))).to.equal(false);
  });
});

describe('distinctNames', () => {
  it('adds a number before the extension, ignoring case', () => {
    const distinct = distinctNames(['taken.txt']);
    expect(
      ['Taken.TXT', 'a', 'a', 'A', '.hidden', '.hidden', 'a_1', 'b.tar.gz', 'b.tar.gz'].map(distinct),
    ).to.deep.equal(['Taken_1.TXT', 'a', 'a_1', 'A_2', '.hidden', '.hidden_1', 'a_1_1', 'b.tar.gz', 'b.tar_1.gz']);
  });
});
