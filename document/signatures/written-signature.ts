import { open } from 'node:fs/promises';
import { CmsFault, readCms, verifySigner } from './cms/index.js';
import type { CoveredDigest } from './covered-digests.js';
import { type ByteRange, coveredBytes } from './signature-slot.js';

/**
 * Reads a CMS signature back from the file at `path` and verifies it over the file's bytes. Gives why it does not hold,
 * or undefined when it does; whether its certificate is trusted is not asked. `digest`: of the same bytes, as
 * `signFile` returns it for the file that it has written; without it, all of them are read.
 */
export async function faultOfWritten(
  path: string,
  byteRange: ByteRange,
  digest?: CoveredDigest,
): Promise<string | undefined> {
  const [, start, end] = byteRange;
  const handle = await open(path, 'r');
  try {
    const digits = Buffer.alloc(end - start - 2);
    await handle.read(digits, 0, digits.length, start + 1);
    const cms = await readCms(Buffer.from(digits.toString('latin1'), 'hex'));
    const [signer, second] = cms.signers;
    if (signer === undefined || second !== undefined) return 'it does not have exactly one signer';
    const content = (): Iterable<Uint8Array> => coveredBytes({ path, byteRange });
    return (await verifySigner(cms, signer, content, digest === undefined ? {} : { digest })).fault;
  } catch (error) {
    if (error instanceof CmsFault) return error.message;
    throw error;
  } finally {
    await handle.close();
  }
}
