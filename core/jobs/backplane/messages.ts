import { createHmac, timingSafeEqual } from 'node:crypto';
import { topics, type Topic } from './backplane.js';

/** One message between nodes. */
export interface Message {
  /** The process that sent it. */
  readonly from: string;
  /** `missed`: its sender was cut off, so any change may have gone unannounced. */
  readonly topic: Topic | 'missed';
  readonly id?: string;
  /** How many nodes received the last message of the sender. */
  readonly nodes: number;
}

/** Longest message, bytes; ours have less than 250. */
export const LONGEST_MESSAGE = 512;
const MOST_NODES = 10_000;
const MAC_LENGTH = 32;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const known: ReadonlySet<unknown> = new Set([...topics, 'missed']);

/**
 * Writes and reads messages. Each is authenticated with a key derived from the secret of the store: whoever can publish
 * in the Valkey, but does not have that secret, cannot make nodes ask the store.
 */
export class Messages {
  constructor(private readonly key: Buffer) {}

  /** Nodes of other stores on the same Valkey have other channels. */
  get channel(): string {
    return `quire:${createHmac('sha256', this.key).update('channel').digest('hex').slice(0, 32)}`;
  }

  write(message: Message): string {
    const text = JSON.stringify(message);
    return `${this.#mac(text).toString('base64url')}${text}`;
  }

  /** Undefined for everything that no node has written. */
  read(bytes: Buffer): Message | undefined {
    if (bytes.length > LONGEST_MESSAGE) return undefined;
    const encodedLength = Math.ceil((MAC_LENGTH * 4) / 3);
    const text = bytes.toString('utf8', encodedLength);
    const mac = Buffer.from(bytes.toString('latin1', 0, encodedLength), 'base64url');
    if (mac.length !== MAC_LENGTH || !timingSafeEqual(mac, this.#mac(text))) return undefined;
    try {
      return checked(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

/** A newer version of the server may send topics that this one does not know. */
function checked(value: unknown): Message | undefined {
  const { from, topic, id, nodes } = (value ?? {}) as Record<string, unknown>;
  const named = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);
  if (!named(from) || !known.has(topic) || (id !== undefined && !named(id))) return undefined;
  if (typeof nodes !== 'number' || !(nodes >= 1)) return undefined;
  return {
    from,
    topic: topic as Message['topic'],
    nodes: Math.min(nodes, MOST_NODES),
    ...(id === undefined ? {} : { id }),
  };
}
