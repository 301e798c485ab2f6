import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { planCms, signCms } from '../../signatures/cms/index.js';
import { faultOfWritten, type SignedFile, signFile } from '../../signatures/index.js';
import { SigningDesk } from './signing-desk.js';

describe('the check of a written signature', () => {
  let desk: SigningDesk;
  let source: string;
  let target: string;
  let count = 0;
  before(async () => {
    desk = await SigningDesk.open();
  });
  after(() => desk.close());

  /** Signs a new document. `others`: digests of other algorithms are asked for before the one that is signed. */
  async function sign(mode: 'append' | 'rewrite' = 'append', others: readonly 'sha512'[] = []): Promise<SignedFile> {
    source = await desk.plain();
    target = join(desk.folder, `written-${count++}.pdf`);
    const signer = await desk.signer();
    const plan = planCms(signer);
    if (plan === undefined) throw new Error('no plan');
    const { scheme, size } = plan;
    return signFile(source, target, {
      mode,
      entries: ({ pages: [page] }) => {
        if (page === undefined) throw new Error('no page');
        return { subFilter: 'ETSI.CAdES.detached', capacity: size, name: 'Ann', page };
      },
      value: async (digest) => {
        for (const other of others) digest(other);
        return signCms({ signer, scheme, digest: digest(scheme.digest) });
      },
    });
  }

  /** Changes one byte of the result. */
  function damage(position: number): void {
    const fd = openSync(target, 'r+');
    writeSync(fd, Buffer.of((readFileSync(target)[position] ?? 0) ^ 1), 0, 1, position);
    closeSync(fd);
  }

  const inputBytes = (): number => readFileSync(source).length;
  const CHANGED = 'the document was changed: its digest is not the one that was signed';

  for (const mode of ['append', 'rewrite'] as const)
    it(`digests all bytes but the value, however often it is asked (${mode})`, async () => {
      const { byteRange, digest } = await sign(mode, ['sha512']);
      const [, length, second] = byteRange;
      const bytes = readFileSync(target);
      for (const name of ['sha256', 'sha512', 'sha256', 'sha384'] as const)
        expect(Buffer.from(digest(name)).toString('hex'), name).to.equal(
          createHash(name).update(bytes.subarray(0, length)).update(bytes.subarray(second)).digest('hex'),
        );
      expect(await faultOfWritten(target, byteRange, digest)).to.equal(undefined);
      expect(await faultOfWritten(target, byteRange)).to.equal(undefined);
    });

  it('reads all that was written after the input, in front of the value and behind it', async () => {
    for (const place of ['first', 'front', 'behind', 'last'] as const) {
      const { byteRange, digest } = await sign();
      const [, length, second, rest] = byteRange;
      damage({ first: inputBytes(), front: length - 1, behind: second, last: second + rest - 1 }[place]);
      expect(await faultOfWritten(target, byteRange, digest), place).to.equal(CHANGED);
    }
  });

  it('reads the value back from the file', async () => {
    const { byteRange, digest } = await sign();
    // Behind the "<".
    damage(byteRange[1] + 1);
    expect(await faultOfWritten(target, byteRange, digest)).to.match(/signature/);
  });

  it('reads the bytes of the input again where they were rewritten, or where no digest of them is given', async () => {
    const rewritten = await sign('rewrite');
    damage(20);
    expect(await faultOfWritten(target, rewritten.byteRange, rewritten.digest)).to.equal(CHANGED);
    const { byteRange, digest } = await sign();
    damage(20);
    expect(await faultOfWritten(target, byteRange)).to.equal(CHANGED);
    // These bytes were digested when the input was signed, and nobody has written them since: this read is saved.
    expect(await faultOfWritten(target, byteRange, digest)).to.equal(undefined);
  });
});
