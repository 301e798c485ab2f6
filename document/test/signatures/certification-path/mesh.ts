import { generateKeyPairSync, sign } from 'node:crypto';
import { element, integer, oid, sequence, setOf, tagged } from '../../../signatures/asn1/write-der.js';
import { tags } from '../../../signatures/asn1/tags.js';

/**
 * A leaf and authorities that are all called alike and signed each other: as many paths as can be, and none that ends.
 */
export function meshOf(count: number): { readonly leaf: Uint8Array; readonly certificates: readonly Uint8Array[] } {
  const keys = Array.from({ length: 24 }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const nameOf = (text: string): Uint8Array =>
    sequence(setOf(sequence(oid('2.5.4.3'), element(0x0c, Buffer.from(text)))));
  const time = (text: string): Uint8Array => element(tags.utcTime, Buffer.from(text));
  const issue = (serial: number, subject: string, key: number, signer: number): Uint8Array => {
    const authority = sequence(
      oid('2.5.29.19'),
      element(0x01, Uint8Array.of(0xff)),
      element(tags.octets, sequence(element(0x01, Uint8Array.of(0xff)))),
    );
    const body = sequence(
      tagged(0, integer(2)),
      integer(serial),
      algorithm,
      nameOf('Mesh'),
      sequence(time('200101000000Z'), time('490101000000Z')),
      nameOf(subject),
      keys[key % keys.length]!.publicKey.export({ format: 'der', type: 'spki' }),
      tagged(3, sequence(authority)),
    );
    return sequence(
      body,
      algorithm,
      element(0x03, Uint8Array.of(0), sign('sha256', body, keys[signer % keys.length]!.privateKey)),
    );
  };
  return {
    leaf: issue(1, 'Leaf', 0, 1),
    certificates: Array.from({ length: count }, (_, i) => issue(i + 2, 'Mesh', i, Math.floor(i / keys.length) + i)),
  };
}
