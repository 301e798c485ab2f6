import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { productRoot } from '../http/support/server.js';
import { makeBase, type ServerProcess, startProcess } from '../http/support/process.js';
import { expectPdf } from '../kit/expect-pdf.js';
import { makePdf } from '../kit/make-pdf.js';

const fixtures = join(productRoot, 'plugins', 'misc', 'fixtures');
const guide = readFileSync(join(productRoot, 'docs', 'guides', 'clients', 'paperless-and-nextcloud.md'), 'utf8');

/** The script of the guide that is installed under this name. */
function scriptOf(name: string): string {
  const found = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].find(([, text]) =>
    text?.includes(`\n# /usr/local/bin/${name}\n`),
  );
  if (found?.[1] === undefined) throw new Error(`the guide has no script ${name}`);
  return found[1];
}

describe('The scripts for paperless-ngx and Nextcloud', function () {
  this.timeout(120_000);
  let server: ServerProcess;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-homes-'));
    server = await startProcess(makeBase({ plugins: [] }), {}, undefined, 60);
  });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.exit;
    rmSync(server.basePath, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a script of the guide as paperless and Nextcloud do: a program with variables and arguments. */
  async function run(
    name: string,
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<{ code: number; stderr: string }> {
    const path = join(folder, name);
    writeFileSync(path, scriptOf(name));
    chmodSync(path, 0o755);
    const child = spawn(path, args, { env: { PATH: process.env['PATH'], QUIRE_URL: server.url, ...env } });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stderr };
  }

  it('remove blank pages and recognise the text of a working copy of paperless', async () => {
    const path = join(folder, 'a scan.pdf');
    writeFileSync(path, readFileSync(join(fixtures, 'blank-pages.pdf')));
    const { code, stderr } = await run('quire-pre-consume', { DOCUMENT_WORKING_PATH: path });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    await expectPdf(new Uint8Array(readFileSync(path))).pages(2);
  });

  it('leave a working copy as it is when Quire refuses it, and say why', async () => {
    const path = join(folder, 'broken.pdf');
    writeFileSync(path, 'no PDF');
    const { code, stderr } = await run('quire-pre-consume', { DOCUMENT_WORKING_PATH: path });
    expect(code).to.equal(0);
    expect(stderr).to.contain('misc/remove-blanks failed').and.to.contain('"code"');
    expect(readFileSync(path, 'utf8')).to.equal('no PDF');
    const away = await run('quire-pre-consume', { DOCUMENT_WORKING_PATH: path, QUIRE_URL: 'http://127.0.0.1:9' });
    expect(away.code).to.equal(0);
    expect(await run('quire-pre-consume', { DOCUMENT_WORKING_PATH: '/some/letter.jpg' })).to.deep.equal({
      code: 0,
      stderr: '',
    });
  });

  it('write a copy without metadata after paperless has filed a document', async () => {
    const source = join(folder, 'filed.pdf');
    writeFileSync(source, await makePdf({ pages: 1 }));
    const env = {
      DOCUMENT_ID: '7',
      DOCUMENT_ARCHIVE_PATH: '',
      DOCUMENT_SOURCE_PATH: source,
      QUIRE_COPIES: join(folder, 'copies'),
    };
    const { code, stderr } = await run('quire-post-consume', env);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    await expectPdf(new Uint8Array(readFileSync(join(folder, 'copies', '7.pdf')))).pages(1);
    writeFileSync(source, 'no PDF');
    const refused = await run('quire-post-consume', { ...env, DOCUMENT_ID: '8' });
    expect(refused.stderr).to.contain('no copy of document 8');
    expect(existsSync(join(folder, 'copies', '8.pdf'))).to.equal(false);
  });

  describe('with a WebDAV server', () => {
    let dav: Server;
    const stored = new Map<string, { readonly user: string; readonly body: Buffer }>();

    before(async () => {
      dav = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const user = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString('utf8');
          stored.set(decodeURIComponent(request.url ?? ''), { user, body: Buffer.concat(chunks) });
          response.writeHead(201).end();
        });
      });
      await new Promise<void>((resolve) => dav.listen(0, '127.0.0.1', resolve));
    });
    after(() => dav.close());

    it('put a searchable copy beside an upload in Nextcloud, and not one of the copy', async () => {
      const settings = join(folder, 'settings.conf');
      const address = `http://127.0.0.1:${(dav.address() as AddressInfo).port}`;
      writeFileSync(
        settings,
        `QUIRE_URL=${server.url}\nNEXTCLOUD_URL=${address}\nNEXTCLOUD_USER=alice\nNEXTCLOUD_PASSWORD=secret\n`,
      );
      mkdirSync(join(folder, 'tmp'));
      const file = join(folder, 'tmp', 'oc_tmp_1');
      writeFileSync(file, await makePdf({ pages: 2 }));
      const env = { QUIRE_SETTINGS: settings };
      const { code, stderr } = await run('quire-nextcloud', env, file, 'alice/files/Scans/Brief für Ömer.pdf', 'alice');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const [[path, put] = []] = [...stored];
      expect(path).to.equal('/remote.php/dav/files/alice/Scans/Brief für Ömer_OCR.pdf');
      expect(put?.user).to.equal('alice:secret');
      await expectPdf(new Uint8Array(put?.body ?? [])).pages(2);
      await run('quire-nextcloud', env, file, 'alice/files/Scans/Brief_OCR.pdf', 'alice');
      expect(stored.size).to.equal(1);
    });
  });
});
