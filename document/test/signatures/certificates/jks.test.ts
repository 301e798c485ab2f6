import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority } from '../../../../test/pki/index.js';
import { openKeystore } from '../../../signatures/certificates/index.js';
import { expectRefused, isThere, run } from './support.js';

describe('Java keystores (skipped where keytool is not on PATH)', function jks() {
  this.timeout(60_000);
  let folder: string;
  let keystore: Buffer;
  let jceks: Buffer;
  const subjectOf = async (bytes: Buffer, password: string | undefined, alias?: string): Promise<string> => {
    const { certificate, privateKey } = await openKeystore(bytes, password, { alias, field: 'jksFile' });
    expect(new X509Certificate(certificate).checkPrivateKey(privateKey)).to.equal(true);
    return new X509Certificate(certificate).subject;
  };

  before(async function setUp() {
    if (!(await isThere('keytool', '-help')) || !(await isThere('openssl', 'version'))) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-jks-'));
    const root = await Authority.root(join(folder, 'root'), { name: 'Java Root' });
    const leaf = await root.issue({ name: 'Duke', key: 'p384' });
    await writeFile(join(folder, 'duke.p12'), await root.pkcs12(leaf, 'secret1', { friendlyName: 'Duke' }));
    const keytool = (...args: readonly string[]): Promise<string> => run('keytool', folder, args);
    const store = ['-storetype', 'JKS', '-keystore', 'a.jks', '-storepass', 'secret1'];
    await keytool(
      '-importkeystore',
      '-srckeystore',
      'duke.p12',
      '-srcstorepass',
      'secret1',
      '-destkeystore',
      'a.jks',
      '-deststoretype',
      'JKS',
      '-deststorepass',
      'secret1',
      '-noprompt',
    );
    await keytool(
      '-genkeypair',
      '-alias',
      'Oak',
      '-keyalg',
      'RSA',
      '-keysize',
      '2048',
      '-dname',
      'CN=Oak',
      '-keypass',
      'secret2',
      ...store,
    );
    await keytool('-importcert', '-noprompt', '-alias', 'anchor', '-file', root.own.certificateFile, ...store);
    keystore = await readFile(join(folder, 'a.jks'));
    await keytool(
      '-J-Djdk.jceks.iterationCount=10000',
      '-genkeypair',
      '-alias',
      'cees',
      '-keyalg',
      'EC',
      '-dname',
      'CN=Cees',
      '-storetype',
      'JCEKS',
      '-keystore',
      'a.jceks',
      '-storepass',
      'secret1',
    );
    jceks = await readFile(join(folder, 'a.jceks'));
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('open with their password, and give the key that is named with its chain', async () => {
    const { chain, alias } = await openKeystore(keystore, 'secret1', { alias: 'DUKE' });
    expect([alias, chain.map((der) => new X509Certificate(der).subject)]).to.deep.equal([
      'duke',
      ['O=Test\nCN=Java Root'],
    ]);
    expect(await subjectOf(keystore, 'secret1', 'duke')).to.equal('C=DE\nO=Test\nCN=Duke');
  });

  it('give the first key that opens when none, a certificate or an unknown one is named', async () => {
    for (const alias of [undefined, '', 'nobody', 'anchor'])
      expect(await subjectOf(keystore, 'secret1', alias)).to.equal('C=DE\nO=Test\nCN=Duke');
  });

  it('open a key that has a password of its own with that one alone', async () => {
    expect(await subjectOf(keystore, 'secret2', 'oak')).to.equal('CN=Oak');
    expect(await subjectOf(keystore, 'secret2')).to.equal('CN=Oak');
    // The named key is meant and no other, whatever would open.
    await expectRefused(
      openKeystore(keystore, 'secret1', { alias: 'oak' }),
      'KEYSTORE_PASSWORD',
      /does not open/,
      'secret1',
    );
  });

  it('do not open with a wrong password', async () => {
    for (const password of ['wrong-secret', '', undefined]) {
      const error = await expectRefused(
        openKeystore(keystore, password, { field: 'jksFile' }),
        'KEYSTORE_PASSWORD',
        password ? /wrong/ : /needs/,
        password || undefined,
      );
      expect(error.data['field']).to.equal('jksFile');
    }
  });

  it('open as JCEKS too', async () => {
    expect(await subjectOf(jceks, 'secret1')).to.equal('CN=Cees');
    await expectRefused(openKeystore(jceks, 'secret2'), 'KEYSTORE_PASSWORD', /wrong/);
  });

  it('open as PKCS#12 under their name, as Java has written them since version 9', async () => {
    await run('keytool', folder, [
      '-genkeypair',
      '-alias',
      'late',
      '-keyalg',
      'RSA',
      '-dname',
      'CN=Late',
      '-keystore',
      'late.jks',
      '-storepass',
      'secret1',
    ]);
    expect(await subjectOf(await readFile(join(folder, 'late.jks')), 'secret1')).to.equal('CN=Late');
  });

  it('are refused when they hold certificates alone', async () => {
    await run('keytool', folder, [
      '-importcert',
      '-noprompt',
      '-alias',
      'anchor',
      '-file',
      join('root', 'ca.pem'),
      '-storetype',
      'JKS',
      '-keystore',
      'bare.jks',
      '-storepass',
      'secret1',
    ]);
    await expectRefused(
      openKeystore(await readFile(join(folder, 'bare.jks')), 'secret1'),
      'KEYSTORE_NO_KEY',
      /certificates alone/,
    );
  });

  it('are refused wherever they are cut off, and with lengths that lie', async () => {
    for (let end = 0; end < keystore.length; end += 11) {
      const code = await openKeystore(keystore.subarray(0, end), 'secret1', { alias: 'duke' }).then(
        () => 'opened',
        (error: { code?: string }) => error.code,
      );
      expect(code, `cut at ${end}`).to.be.oneOf(['KEYSTORE_UNREADABLE', 'KEYSTORE_PASSWORD']);
    }
    for (const [at, value] of [
      [4, 9],
      [8, 0xffffffff],
      [12, 77],
      [16, 0xffff0000],
    ] as const) {
      const lying = Buffer.from(keystore);
      lying.writeUInt32BE(value, at);
      await expectRefused(openKeystore(lying, 'secret1'), 'KEYSTORE_UNREADABLE');
    }
  });
});
