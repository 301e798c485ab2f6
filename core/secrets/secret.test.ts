import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServerSecret } from './secret.js';

describe("The server's secret", () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'quire-secret-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('is one file that only the server reads, and the same after a restart', async () => {
    const path = join(folder, 'store', 'server.key');
    const [first, second] = [await ServerSecret.load(path), await ServerSecret.load(path)];
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(first.digest('keys', 'text')).to.equal(second.digest('keys', 'text'));
    expect(second.open('keys', 'id', first.seal('keys', 'id', { a: 1 }))).to.deep.equal({ a: 1 });
  });

  it('gives every purpose a key of its own', async () => {
    const secret = await ServerSecret.load(join(folder, 'another.key'));
    expect(secret.digest('keys', 'text')).not.to.equal(secret.digest('tokens', 'text'));
    expect(secret.keyFor('keys').equals(secret.keyFor('tokens'))).to.equal(false);
    const sealed = secret.seal('keys', 'id', 'value');
    expect(() => secret.open('tokens', 'id', sealed)).to.throw();
    expect(() => secret.open('keys', 'other id', sealed)).to.throw();
  });
});
