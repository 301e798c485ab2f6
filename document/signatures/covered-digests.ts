import { createHash, type Hash } from 'node:crypto';
import type { DigestName } from './cms/index.js';
import { coveredBytes, type SignatureSlot } from './signature-slot.js';

/** Gives the digest of what a signature covers. */
export type CoveredDigest = (name: DigestName) => Uint8Array;

/**
 * Digests what a signature covers, as often as it is asked for. The first bytes of the file, which nobody writes any
 * more, are read once for each algorithm: a digest continues from the state that they left.
 */
export class CoveredDigests {
  readonly #states = new Map<DigestName, Hash>();

  /** `settled`: how many first bytes stay as they are; none of them may be those of the signature's value. */
  constructor(
    private readonly slot: Pick<SignatureSlot, 'path' | 'byteRange'>,
    private readonly settled: number,
  ) {
    if (settled > slot.byteRange[1]) throw new RangeError('the value of the signature is yet to be written');
  }

  /** The digest with the bytes behind the settled ones as the file has them now. */
  digest(name: DigestName): Uint8Array {
    let state = this.#states.get(name);
    if (state === undefined) {
      state = createHash(name);
      for (const piece of coveredBytes(this.slot, 0, this.settled)) state.update(piece);
      this.#states.set(name, state);
    }
    const hash = state.copy();
    for (const piece of coveredBytes(this.slot, this.settled)) hash.update(piece);
    return hash.digest();
  }
}
