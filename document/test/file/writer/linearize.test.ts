import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createSecurity } from '../../../file/encryption/index.js';
import { openLazily } from '../../../file/reader/index.js';
import { FileSink, linearizeBytes, linearizeFile, rewriteBytes, rewriteTo } from '../../../file/writer/index.js';
import { hasQpdf, qpdf, secretDocument } from '../encryption/support.js';
import { difference } from './same-document.js';

describe('linearizing', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'linearize-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = (file: string): string => join(folder, file);

  it('moves the first page to the front; the document and the file mode stay the same', async () => {
    const source = secretDocument();
    const sink = FileSink.create(path('in.pdf'));
    rewriteTo(sink, source);
    sink.close();
    await linearizeFile(path('in.pdf'), path('out.pdf'));
    const bytes = readFileSync(path('out.pdf'));
    expect(bytes.toString('latin1', 0, 1024)).to.include('/Linearized 1');
    expect(difference(source, openLazily(bytes).context)).to.equal(undefined);
    expect(statSync(path('out.pdf')).mode & 0o777).to.equal(0o600);
    if (hasQpdf)
      expect(spawnSync('qpdf', ['--check', path('out.pdf')], { encoding: 'utf8' }).stdout)
        .to.include('File is linearized')
        .and.include('No syntax');
  });

  it('keeps encryption', async () => {
    const source = secretDocument();
    const security = createSecurity({ context: source, scheme: 'AES-256', userPassword: 'user', permissions: -4 });
    const bytes = await linearizeBytes(rewriteBytes(source, { security, objectStreams: true }), { password: 'user' });
    expect(Buffer.from(bytes).toString('latin1', 0, 1024)).to.include('/Linearized 1');
    const document = openLazily(bytes, { password: 'user' });
    expect(document.security?.revision).to.equal(6);
    // Unfiltered streams are compressed here.
    if (hasQpdf)
      expect(
        difference(
          source,
          openLazily(qpdf(bytes, ['--password=user', '--decrypt', '--stream-data=uncompress'])).context,
        ),
      ).to.equal(undefined);
  });

  it('leaves nothing behind on failure, and never overwrites a file', async () => {
    writeFileSync(path('in.pdf'), '%PDF-1.4\nnothing');
    const code = await linearizeFile(path('in.pdf'), path('out.pdf')).then(
      () => '',
      (error: { code?: string }) => error.code,
    );
    expect(code).to.equal('PDF_DAMAGED');
    expect(existsSync(path('out.pdf'))).to.equal(false);
    expect(
      await linearizeFile(path('in.pdf'), path('in.pdf')).then(
        () => '',
        (error: { code?: string }) => error.code,
      ),
    ).to.equal('EEXIST');
    expect(readFileSync(path('in.pdf'), 'latin1')).to.equal('%PDF-1.4\nnothing');
  });
});
