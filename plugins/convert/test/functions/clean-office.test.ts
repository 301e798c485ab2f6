import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { fromBuffer } from 'yauzl';
import { ZipFile } from 'yazl';
import { cleanOffice } from '../../src/functions/clean-office.js';

async function zip(entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const writer = new ZipFile();
  for (const [name, data] of Object.entries(entries)) writer.addBuffer(Buffer.from(data), name);
  writer.end();
  const chunks: Buffer[] = [];
  for await (const chunk of writer.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function unzip(bytes: Uint8Array): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, archive) => {
      if (error !== null) return reject(error);
      const found: Record<string, string> = {};
      archive.on('end', () => resolve(found)).on('error', reject).on('entry', (entry: { fileName: string }) => {
        archive.openReadStream(entry as never, (failed, stream) => {
          if (failed !== null) return reject(failed);
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
            found[entry.fileName] = Buffer.concat(chunks).toString('utf8');
            archive.readEntry();
          });
        });
      });
      archive.readEntry();
    });
  });
}

const refusal = (work: Promise<unknown>) => work.then(() => undefined, (error: unknown) => (error as { code?: string }).code);

describe('cleanOffice', () => {
  it('takes external targets out of a text document and keeps links to click', async () => {
    const parts = await unzip(await cleanOffice(await readFile(new URL('../../fixtures/letter.docx', import.meta.url))));
    const relations = parts['word/_rels/document.xml.rels']!;
    expect(relations).not.to.contain('canary');
    expect(relations).to.contain('https://example.org/');
    expect(parts['word/document.xml']).to.contain('Dear reader');
  });

  it('finds targets written with other quotes, prefixes and encodings', async () => {
    const tag = "<?xml version='1.0' encoding='UTF-16'?><r:Relationships><r:Relationship TargetMode = 'External' Type='x/image' Target = 'file:///etc/passwd'/></r:Relationships>";
    const parts = await unzip(await cleanOffice(await zip({ 'word/_rels/a.xml.rels': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tag, 'utf16le')]) })));
    expect(parts['word/_rels/a.xml.rels']).not.to.contain('passwd');
  });

  it('takes references that leave the package out of OpenDocument content', async () => {
    const content = '<office:document-content><draw:image xlink:href="http://127.0.0.1/x.png"/><draw:image xlink:href="Pictures/a.png"/><text:section-source xlink:href="../../etc/passwd"/><text:a xlink:href="https://example.org/">x</text:a></office:document-content>';
    const parts = await unzip(await cleanOffice(await zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content })));
    expect(parts['content.xml']).to.equal('<office:document-content><draw:image xlink:href=""/><draw:image xlink:href="Pictures/a.png"/><text:section-source xlink:href=""/><text:a xlink:href="https://example.org/">x</text:a></office:document-content>');
    expect(Object.keys(parts)[0]).to.equal('mimetype');
  });

  it('hands other files on as they are', async () => {
    const text = Buffer.from('plain');
    expect(await cleanOffice(text)).to.equal(text);
  });

  it('refuses document types, bombs and damaged archives', async () => {
    expect(await refusal(cleanOffice(await zip({ 'word/document.xml': '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>' })))).to.equal('ARCHIVE_UNSAFE');
    expect(await refusal(cleanOffice(await zip({ 'word/media/zero.bin': Buffer.alloc(40 * 1024 * 1024) })))).to.equal('ARCHIVE_UNSAFE');
    expect(await refusal(cleanOffice((await zip({ 'a.xml': '<a/>' })).subarray(0, 40)))).to.equal('ARCHIVE_UNSAFE');
  });
});
