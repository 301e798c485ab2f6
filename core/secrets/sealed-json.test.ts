import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecretKey, openJson, sealJson } from './sealed-json.js';

describe('job secrets', () => {
  const key = randomBytes(32);

  it('opens what it sealed and shows nothing of it', () => {
    const sealed = sealJson(key, 'job-1', { password: 's3cr3t-canary' });
    expect(Buffer.from(sealed, 'base64').toString('latin1')).to.not.include('canary');
    expect(openJson(key, 'job-1', sealed)).to.deep.equal({ password: 's3cr3t-canary' });
  });

  it('refuses another key, another job and changed bytes', () => {
    const sealed = sealJson(key, 'job-1', { a: 1 });
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(() => openJson(randomBytes(32), 'job-1', sealed)).to.throw();
    expect(() => openJson(key, 'job-2', sealed)).to.throw();
    expect(() => openJson(key, 'job-1', changed.toString('base64'))).to.throw();
  });

  it('makes one key file that only its owner reads, also when many ask at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-key-'));
    const path = join(folder, 'store', 'secret.key');
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(path)));
    expect(new Set(keys.map((one) => one.toString('hex'))).size).to.equal(1);
    expect(keys[0]).to.have.length(32);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await rm(folder, { recursive: true });
  });
});
