import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { decodeUtf16Le } from '@quire/document/file/charsets';
import type { CompoundStorage } from '../office/compound-file.js';
import { decodeCodePage } from './outlook-body.js';

/** Types of properties (MS-OXCDATA, 2.11.1). */
const types = { number: 0x0003, text8: 0x001e, text: 0x001f, time: 0x0040, binary: 0x0102 } as const;
const PROPERTIES = '__properties_version1.0';
/**
 * Sizes of the headers before the properties (MS-OXMSG, 2.4.1): of a message, of an embedded message, of recipients and
 * attachments.
 */
const headers = { message: 32, inner: 24, part: 8 } as const;
/** 1601 to 1970 in units of 100 nanoseconds. */
const EPOCH = 116_444_736_000_000_000n;

/** Properties of a message, a recipient or an attachment (MS-OXMSG, 2.4), by their identifiers. */
export class Properties {
  readonly #values = new Map<number, Buffer>();

  constructor(
    readonly storage: CompoundStorage,
    kind: keyof typeof headers,
    public codePage = 1252,
  ) {
    const data = storage.streams.find(({ name }) => name === PROPERTIES);
    const bytes = data === undefined ? Buffer.alloc(0) : data.head(data.size);
    for (let at = headers[kind]; at + 16 <= bytes.length; at += 16)
      this.#values.set(bytes.readUInt32LE(at), bytes.subarray(at + 8, at + 16));
  }

  /** Text in Unicode or in the code page of the message. */
  text(id: number): string | undefined {
    const wide = this.#stream(id, types.text);
    const bytes = wide ?? this.#stream(id, types.text8);
    return bytes === undefined
      ? undefined
      : (wide === undefined ? decodeCodePage(bytes, this.codePage) : decodeUtf16Le(bytes)).replace(/\0+$/, '');
  }

  binary(id: number): Buffer | undefined {
    return this.#stream(id, types.binary);
  }

  number(id: number): number | undefined {
    return this.#values.get(id * 0x10000 + types.number)?.readUInt32LE(0);
  }

  time(id: number): Date | undefined {
    const value = this.#values.get(id * 0x10000 + types.time)?.readBigUInt64LE(0);
    const date = value === undefined ? undefined : new Date(Number((value - EPOCH) / 10_000n));
    return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
  }

  /** The storage of a property that is an object. */
  object(id: number): CompoundStorage | undefined {
    return this.storage.storages.find(({ name }) => name.toUpperCase() === `__SUBSTG1.0_${hex(id)}000D`);
  }

  #stream(id: number, type: number): Buffer | undefined {
    const found = this.storage.streams.find(({ name }) => name.toUpperCase() === `__SUBSTG1.0_${hex(id)}${hex(type)}`);
    return found?.head(found.size);
  }
}

/**
 * Copies a storage into a file: an embedded message becomes a file that Outlook opens (MS-OXMSG, 2.2.2.2), with the
 * named properties of the outer message.
 */
export function storageFile(storage: CompoundStorage, outer: CompoundStorage): Uint8Array {
  const list: { name: string; type: number; children?: number[]; length: number; binaryProvider?: () => Uint8Array }[] =
    [{ name: 'Root Entry', type: 5, children: [], length: 0 }];
  const message = isMessage(storage);
  const fill = ({ streams, storages }: CompoundStorage, parent: number): void => {
    for (const stream of streams) {
      const bytes = stream.head(stream.size);
      // The properties of a message that stands alone begin eight bytes later.
      const data =
        parent === 0 && message && stream.name === PROPERTIES
          ? Buffer.concat([
              bytes.subarray(0, headers.inner),
              Buffer.alloc(headers.message - headers.inner),
              bytes.subarray(headers.inner),
            ])
          : bytes;
      list[parent]!.children!.push(list.length);
      list.push({ name: stream.name, type: 2, length: data.length, binaryProvider: () => new Uint8Array(data) });
    }
    for (const child of storages) {
      list[parent]!.children!.push(list.length);
      list.push({ name: child.name, type: 1, children: [], length: 0 });
      fill(child, list.length - 1);
    }
  };
  const names = message ? outer.storages.filter(({ name }) => name === '__nameid_version1.0') : [];
  fill(
    {
      ...storage,
      storages: [
        ...storage.storages.filter(({ name }) => name !== '__nameid_version1.0' || names.length === 0),
        ...names,
      ],
    },
    0,
  );
  return burn(list);
}

/** True for a storage that is a message. */
export function isMessage({ streams }: CompoundStorage): boolean {
  return streams.some(({ name }) => name === PROPERTIES);
}

function hex(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, '0');
}
