import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { refuseProtected, resolveIn } from './book.js';
import { attribute, elementsIn, firstIn, parseXml } from './xml.js';

/** Font obfuscation methods, which are not DRM: how many bytes they change, and with which key. */
const ways: Readonly<
  Record<string, { readonly length: number; readonly key: (identifier: string) => Uint8Array | undefined }>
> = {
  // EPUB 3.3, 4.4: the SHA-1 digest of the identifier without blanks, over 1040 bytes.
  'http://www.idpf.org/2008/embedding': {
    length: 1040,
    key: (identifier) =>
      createHash('sha1')
        .update(identifier.replace(/[\u0020\u0009\u000d\u000a]/g, ''), 'utf8')
        .digest(),
  },
  // The 16 bytes of the identifier, which is a UUID, over 1024 bytes.
  'http://ns.adobe.com/pdf/enc#RC': {
    length: 1024,
    key: (identifier) => {
      const hex = identifier.replace(/^urn:uuid:/i, '').replace(/[^0-9a-f]/gi, '');
      return hex.length === 32 ? Buffer.from(hex, 'hex') : undefined;
    },
  },
};

export interface EncryptedFiles {
  /** Text of META-INF/encryption.xml. */
  readonly encryption: string | undefined;
  readonly identifier: string;
  /** Where a file of the book lies. */
  readonly pathOf: (name: string) => string | undefined;
}

/**
 * Deobfuscates fonts in place (Open Container Format 3.3, 4.4). Throws BOOK_PROTECTED if anything is encrypted in
 * another way.
 */
export function openFonts({ encryption, identifier, pathOf }: EncryptedFiles): void {
  if (encryption === undefined) return;
  const done = new Set<string>();
  for (const data of elementsIn(parseXml(encryption), 'encrypteddata')) {
    const method = firstIn(data, 'encryptionmethod');
    const algorithm = method === undefined ? '' : (attribute(method, 'algorithm') ?? '');
    const reference = firstIn(data, 'cipherreference');
    const name = resolveIn('', reference === undefined ? '' : (attribute(reference, 'uri') ?? ''))?.path ?? '';
    const way = Object.hasOwn(ways, algorithm) ? ways[algorithm] : undefined;
    if (way === undefined)
      throw refuseProtected(
        `its file "${name.slice(0, 100)}" is encrypted (${algorithm.slice(0, 100) || 'in no way that it names'})`,
      );
    const [path, key] = [pathOf(name), way.key(identifier)];
    if (path === undefined || key === undefined || done.has(path)) continue;
    done.add(path);
    const bytes = readFileSync(path);
    for (let i = 0; i < Math.min(way.length, bytes.length); i++) bytes[i] = bytes[i]! ^ key[i % key.length]!;
    writeFileSync(path, bytes);
  }
}
