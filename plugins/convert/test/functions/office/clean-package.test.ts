import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromBuffer } from 'yauzl';
import { ZipFile } from 'yazl';
import { cleanPackage } from '../../../src/functions/office/clean-package.js';
import { allowHosts } from '../../../src/functions/office/outside.js';

let folder: string;
/** Cleans a package in files, as operations do. */
async function cleanOffice(bytes: Uint8Array, hosts: readonly string[] = []): Promise<Buffer> {
  const [source, target] = [join(folder, 'in'), join(folder, 'out')];
  await rm(target, { force: true });
  await writeFile(source, bytes);
  await cleanPackage(source, target, { mayStay: allowHosts(hosts), signal: new AbortController().signal });
  return readFile(target);
}

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
      archive
        .on('end', () => resolve(found))
        .on('error', reject)
        .on('entry', (entry: { fileName: string }) => {
          archive.openReadStream(entry as never, (failed, stream) => {
            if (failed !== null) return reject(failed);
            const chunks: Buffer[] = [];
            stream
              .on('data', (chunk: Buffer) => chunks.push(chunk))
              .on('end', () => {
                found[entry.fileName] = Buffer.concat(chunks).toString('utf8');
                archive.readEntry();
              });
          });
        });
      archive.readEntry();
    });
  });
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );

describe('an office document in a zip, cleaned', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-clean-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('takes external targets out of a text document and keeps links to click', async () => {
    const parts = await unzip(
      await cleanOffice(await readFile(new URL('../../../fixtures/letter.docx', import.meta.url))),
    );
    const relations = parts['word/_rels/document.xml.rels']!;
    expect(relations).not.to.contain('canary');
    expect(relations).to.contain('https://example.org/');
    expect(parts['word/document.xml']).to.contain('Dear reader');
  });

  it('finds targets written with other quotes, prefixes and encodings', async () => {
    const tag =
      "<?xml version='1.0' encoding='UTF-16'?><r:Relationships><r:Relationship TargetMode = 'External' " +
      "Type='x/image' Target = 'file:///etc/passwd'/></r:Relationships>";
    const parts = await unzip(
      await cleanOffice(
        await zip({ 'word/_rels/a.xml.rels': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tag, 'utf16le')]) }),
      ),
    );
    expect(parts['word/_rels/a.xml.rels']).not.to.contain('passwd');
  });

  it('takes references that leave the package out of OpenDocument content', async () => {
    const content =
      '<office:document-content><draw:image xlink:href="http://127.0.0.1/x.png"/><draw:image ' +
      'xlink:href="Pictures/a.png"/><text:section-source xlink:href="../../etc/passwd"/><text:a ' +
      'xlink:href="https://example.org/">x</text:a></office:document-content>';
    const parts = await unzip(
      await cleanOffice(await zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content })),
    );
    expect(parts['content.xml']).to.equal(
      '<office:document-content><draw:image xlink:href=""/><draw:image xlink:href="Pictures/a.png"/>' +
        '<text:section-source xlink:href=""/><text:a xlink:href="https://example.org/">x</text:a>' +
        '</office:document-content>',
    );
    expect(Object.keys(parts)[0]).to.equal('mimetype');
  });

  it('keeps addresses on hosts that the operator allows', async () => {
    const relations =
      '<Relationships><Relationship Id="a" Type="x/image" TargetMode="External" ' +
      'Target="https://img.example.org/a.png"/><Relationship Id="b" Type="x/image" TargetMode="External" ' +
      'Target="https://example.org.evil.test/b.png"/></Relationships>';
    const content =
      '<x><draw:image xlink:href="https://example.org/x.png"/><draw:image xlink:href="file://example.org/x.png"/></x>';
    const parts = await unzip(
      await cleanOffice(await zip({ 'word/_rels/a.xml.rels': relations, 'content.xml': content }), ['Example.org']),
    );
    expect(parts['word/_rels/a.xml.rels']).to.contain('img.example.org').and.not.to.contain('evil');
    expect(parts['content.xml']).to.equal(
      '<x><draw:image xlink:href="https://example.org/x.png"/><draw:image xlink:href=""/></x>',
    );
  });

  it('lets only links use the relationship of a link', async () => {
    const relations =
      '<Relationships><Relationship Id="rId7" Type="http://x/relationships/hyperlink" TargetMode="External" ' +
      'Target="http://canary/"/></Relationships>';
    const part =
      '<w:document><w:hyperlink r:id="rId7">x</w:hyperlink><v:imagedata r:id="rId7"/><a:blip r:embed="rId1" ' +
      'r:link="rId7"/></w:document>';
    const parts = await unzip(
      await cleanOffice(await zip({ 'word/document.xml': part, 'word/_rels/document.xml.rels': relations })),
    );
    expect(parts['word/document.xml']).to.equal(
      '<w:document><w:hyperlink r:id="rId7">x</w:hyperlink><v:imagedata r:id=""/><a:blip r:embed="rId1"/></w:document>',
    );
  });

  it('looks at pictures in SVG, and at parts that are XML whatever they are called', async () => {
    const svg =
      '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><a href="https://example.org/"><image ' +
      'xlink:href="file:///etc/passwd"/></a><use href="#a"/></svg>';
    const parts = await unzip(
      await cleanOffice(await zip({ 'Pictures/a.png': `\ufeff ${svg}`, 'Pictures/b.svg': svg })),
    );
    for (const name of ['Pictures/a.png', 'Pictures/b.svg'])
      expect(parts[name], name)
        .to.contain('<image xlink:href=""/>')
        .and.to.contain('href="https://example.org/"')
        .and.to.contain('"#a"');
  });

  it('opens documents of programs of old, which name a document type of their own', async () => {
    const content =
      '<?xml version="1.0"?><!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument ' +
      '1.0//EN" "office.dtd"><office:document-content/>';
    expect((await unzip(await cleanOffice(await zip({ 'content.xml': content }))))['content.xml']).to.equal(
      '<?xml version="1.0"?><office:document-content/>',
    );
  });

  it('refuses document types, bombs and damaged archives', async () => {
    expect(
      await refusal(
        cleanOffice(
          await zip({
            'word/document.xml':
              '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
          }),
        ),
      ),
    ).to.equal('ARCHIVE_UNSAFE');
    expect(await refusal(cleanOffice(await zip({ 'word/media/zero.bin': Buffer.alloc(40 * 1024 * 1024) })))).to.equal(
      'ARCHIVE_UNSAFE',
    );
    expect(await refusal(cleanOffice((await zip({ 'a.xml': '<a/>' })).subarray(0, 40)))).to.equal('ARCHIVE_UNSAFE');
    const utf7 = '<?xml version="1.0" encoding="UTF-7"?><x>+ADw-</x>';
    expect(await refusal(cleanOffice(await zip({ 'content.xml': utf7 }))), 'an encoding that hides text').to.equal(
      'ARCHIVE_UNSAFE',
    );
  });

  it('refuses names that lead out', async () => {
    const bytes = await zip({ 'word/xxx/evil.xml': '<a/>' });
    const evil = Buffer.from(bytes.toString('latin1').replaceAll('word/xxx/evil.xml', '../../../evil.xml'), 'latin1');
    expect(await refusal(cleanOffice(evil))).to.equal('ARCHIVE_UNSAFE');
  });

  it('refuses a part of 4 GB without the memory for it', async () => {
    const bytes = await zip({ 'word/document.xml': '<a/>' });
    // The sizes in the central directory and in the entry's own header (APPNOTE, 4.4.9).
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
      bytes.writeUInt32LE(0xfffffff0, at + 24);
    const blank = await zip({ 'word/document.xml': Buffer.alloc(100 * 1024 * 1024, ' ') });
    const before = process.memoryUsage().rss;
    expect(await refusal(cleanOffice(bytes))).to.equal('ARCHIVE_UNSAFE');
    expect(await refusal(cleanOffice(blank)), 'one that says so, deflated').to.equal('ARCHIVE_UNSAFE');
    expect(process.memoryUsage().rss - before).to.be.below(200 * 1024 * 1024);
  });

  it('refuses what a password protects', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data ' +
      'manifest:checksum="x"/></manifest:file-entry></manifest:manifest>';
    expect(
      await refusal(cleanOffice(await zip({ 'META-INF/manifest.xml': manifest, 'content.xml': 'noise' }))),
    ).to.equal('OFFICE_ENCRYPTED');
    const bytes = await zip({ 'content.xml': '<a/>' });
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
      bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | 1, at + 8);
    expect(await refusal(cleanOffice(bytes)), 'of the zip').to.equal('OFFICE_ENCRYPTED');
  });
});
