import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOperation, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';

describe('passwords', function () {
  this.timeout(60_000);

  it('appear in no log and in no file that the server keeps', async () => {
    const secret = 'Gehéimnis-7261';
    const plain = { name: 'report.pdf', bytes: await makePdf({ pages: 2, text: ['first', 'second'] }) };
    const folder = await mkdtemp(join(tmpdir(), 'quire-secrets-'));
    const { child, address, output } = await verboseServer(folder);
    try {
      const call = (path: string, params: Record<string, unknown>, file = plain): Promise<OperationAnswer> =>
        callOperation(address, { path, files: [file], params });
      const locked = await call('security/add-password', {
        password: secret,
        ownerPassword: `${secret}!`,
        keyLength: 128,
      });
      expect(locked.status).to.equal(200);
      expect((await call('security/add-password', { password: `${secret}\n`, keyLength: 7 })).status).to.equal(400);
      expect(
        (await call('security/remove-password', { password: `${secret}?` }, { name: 'a.pdf', bytes: locked.bytes }))
          .status,
      ).to.equal(400);
      const job = (await call('security/add-password?async=true', { password: secret })).json<{ jobId: string }>()
        .jobId;
      let record = '';
      for (let i = 0; i < 500 && !record.includes('succeeded'); i++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        record = await (await fetch(`${address}/api/v1/general/job/${job}`)).text();
      }
      expect(record).to.contain('succeeded').and.not.contain(secret);
      expect(output()).to.contain('add-password').and.not.contain(secret).and.not.contain('imnis-7261');
      expect(await filesWith(folder, 'imnis-7261'), 'while the server runs').to.deep.equal([]);
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      const kept = await filesWith(folder, '');
      expect(kept, 'files after the stop').to.not.deep.equal([]);
      expect(await filesWith(folder, 'imnis-7261'), 'after the stop').to.deep.equal([]);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Names of the files below a folder that contain a text; files that the server removes meanwhile are skipped. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (bytes?.includes(text)) found.push(entry.name);
  }
  return found;
}

/** A server in its own process that logs as much as possible. */
async function verboseServer(
  basePath: string,
): Promise<{ readonly child: ChildProcess; readonly address: string; readonly output: () => string }> {
  const script = `import { createTestServer } from '@quire/core';
    const server = await createTestServer({
      plugins: ['@quire/plugin-security'],
      basePath: process.argv[1],
      settings: { logging: { level: 'trace' } },
    });
    console.log('listens on ' + await server.start());
    process.on('SIGTERM', () => server.stop().finally(() => process.exit(0)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, basePath], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => void (text += piece.toString()));
  for (let i = 0; i < 500 && !/listens on http\S+/.test(text); i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return { child, address: /listens on (http\S+)/.exec(text)?.[1] ?? '', output: () => text };
}
