import { createHash } from 'node:crypto';
import type { ImapFlow } from 'imapflow';
import { attachmentsOf, type Attachment } from './attachments.js';
import { writeContent, type Measured } from '../copied-file.js';
import { invalid, unreachable } from '../faults.js';
import { mailboxFault } from './mailbox-client.js';
import type { MailboxOptions } from './mailbox-options.js';

/** How long a connection that nobody uses is kept: a schedule of every few seconds then needs one for all its turns. */
const IDLE_MS = 5000;
/** How old a connection gets: afterwards the server checks the password again. */
const LONGEST_MS = 600_000;
/** Most messages of one command. */
const MOST_TOGETHER = 16;
/** Messages whose attachments are remembered. */
const MOST_REMEMBERED = 10_000;
/** Largest attachment, in bytes as it is sent, that is fetched together with others, in memory. */
const SMALL_BYTES = 512 * 1024;

/** Opens the mailbox of these options. */
type Connect = (options: MailboxOptions) => Promise<ImapFlow>;

/** Connections to mailboxes: sources with the same options share one, which stays open for a while. */
export class MailboxSessions {
  readonly #open = new Map<string, MailboxSession>();

  constructor(private readonly connect: Connect) {}

  /** Returns the session of these options; the caller must release it. */
  of(options: MailboxOptions): MailboxSession {
    const key = createHash('sha256').update(JSON.stringify(options)).digest('hex');
    const found = this.#open.get(key);
    const session =
      found ??
      new MailboxSession(
        options,
        () => this.connect(options),
        () => void this.#open.delete(key),
      );
    this.#open.set(key, session);
    session.use();
    return session;
  }
}

/** The open mailbox of one source. Commands come one after the other, and what waits meanwhile becomes one command. */
export class MailboxSession {
  #client: Promise<ImapFlow> | undefined;
  #connectedAt = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #users = 0;
  #idle: NodeJS.Timeout | undefined;
  /** Attachments by UIDVALIDITY and UID: those of a message never change. */
  readonly #attachments = new Map<string, readonly Attachment[]>();
  readonly #contents = new Map<string, Together<ReadonlyMap<string, Buffer>>>();
  readonly #ends = new Map<string, Together<void>>();

  constructor(
    private readonly options: MailboxOptions,
    private readonly connect: () => Promise<ImapFlow>,
    private readonly closed: () => void,
  ) {}

  use(): void {
    this.#users += 1;
    clearTimeout(this.#idle);
  }

  /** Ends the connection soon, unless somebody uses it again. */
  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.closed();
      void this.#end();
    }, IDLE_MS).unref();
  }

  /** Runs commands on the open mailbox, and connects again when the connection was lost. */
  ask<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      try {
        return await work(await this.#ready());
      } catch (error) {
        throw mailboxFault(error, `the mailbox at ${this.options.host} cannot be read`);
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** UIDs of the messages that nobody has read. */
  unread(): Promise<readonly number[]> {
    return this.ask(async (client) => {
      // Mails that have arrived since the last command.
      await client.noop();
      const found = await client.search({ seen: false }, { uid: true });
      // The server has refused it. A mailbox without messages would let all of its files be forgotten.
      if (found === false || found === undefined)
        throw unreachable('SOURCE', `${this.options.host} does not say which messages are unread`);
      return found;
    });
  }

  /** Attachments of these messages, in the order of the server. */
  describe(uids: readonly number[]): Promise<readonly DescribedMessage[]> {
    return this.ask(async (client) => {
      const query = { uid: true, bodyStructure: true, internalDate: true } as const;
      const found = await client.fetchAll(uids.join(','), query, { uid: true });
      const validity = validityOf(client);
      return found.map(({ uid, bodyStructure, internalDate }) => ({
        uid,
        validity,
        changedAt: new Date(internalDate ?? 0).getTime(),
        attachments: this.#remember(validity, String(uid), attachmentsOf(bodyStructure, this.options)),
      }));
    });
  }

  /** All attachments of a message; none if it is gone. */
  async attachments(uid: string, validity: string): Promise<readonly Attachment[]> {
    const known = this.#attachments.get(`${validity}.${uid}`);
    if (known !== undefined) return known;
    return this.ask(async (client) => {
      if (validityOf(client) !== validity) return [];
      const found = await client.fetchOne(uid, { uid: true, bodyStructure: true }, { uid: true });
      return found === false ? [] : this.#remember(validity, uid, attachmentsOf(found.bodyStructure, this.options));
    });
  }

  /** The content of a small attachment, fetched together with others; undefined if it has to be fetched by itself. */
  async small(uid: string, part: string, validity: string): Promise<Buffer | undefined> {
    const octets = this.#attachments.get(`${validity}.${uid}`)?.find((one) => one.part === part)?.base64;
    if (octets === undefined || octets === 0 || octets > SMALL_BYTES) return undefined;
    const found = await this.#together(this.#contents, `${validity}/${part}`, uid, async (uids, client) => {
      if (validityOf(client) !== validity) return new Map<string, Buffer>();
      const answers = await client.fetchAll(uids, { uid: true, bodyParts: [part] }, { uid: true });
      return new Map(
        answers.flatMap((answer) => {
          const content = answer.bodyParts?.get(part);
          return content === undefined ? [] : [[String(answer.uid), content] as const];
        }),
      );
    });
    // Servers that answer with something else are dealt with where an attachment is fetched by itself.
    const sent = found.get(uid);
    if (sent?.length !== octets) return undefined;
    const text = sent.toString('latin1');
    return /^[A-Za-z0-9+/\s]*=?\s*=?\s*$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  }

  /** Writes an attachment to a new file; undefined if it is gone. */
  async download(uid: string, part: string, validity: string, path: string): Promise<Measured | undefined> {
    const { copied, fault } = await this.ask(async (client): Promise<Downloaded> => {
      if (validityOf(client) !== validity) return {};
      const { content } = await client.download(uid, part, { uid: true, decodeText: false });
      if (content === undefined || content === null) return {};
      try {
        return { copied: await writeContent(ofServer(content), path) };
      } catch (fault) {
        return { fault };
      } finally {
        content.destroy();
      }
    });
    // Of this server's own disk, or one of the source already.
    if (fault !== undefined) throw fault;
    return copied;
  }

  /** Marks a message as read, and moves it where that is wanted. */
  async finish(uid: string, validity: string): Promise<void> {
    const { after, moveTo = '' } = this.options;
    await this.#together(this.#ends, validity, uid, async (uids, client) => {
      if (validityOf(client) !== validity) return;
      await client.messageFlagsAdd(uids, ['\\Seen'], { uid: true });
      if (after === 'move' && (await client.messageMove(uids, moveTo, { uid: true })) === false)
        throw invalid('SOURCE', 'moveTo', `is ${JSON.stringify(moveTo)}, to which messages could not be moved`);
    });
    this.#attachments.delete(`${validity}.${uid}`);
  }

  #remember(validity: string, uid: string, attachments: readonly Attachment[]): readonly Attachment[] {
    if (this.#attachments.size >= MOST_REMEMBERED) this.#attachments.clear();
    this.#attachments.set(`${validity}.${uid}`, attachments);
    return attachments;
  }

  /** Runs one command for all messages that ask for it before its turn has come. */
  #together<R>(
    all: Map<string, Together<R>>,
    key: string,
    uid: string,
    work: (uids: string, client: ImapFlow) => Promise<R>,
  ): Promise<R> {
    let one = all.get(key);
    if (one === undefined || one.uids.size >= MOST_TOGETHER) {
      const uids = new Set<string>();
      const begun: Together<R> = {
        uids,
        result: this.ask((client) => {
          if (all.get(key) === begun) all.delete(key);
          return work([...uids].join(','), client);
        }),
      };
      all.set(key, begun);
      one = begun;
    }
    one.uids.add(uid);
    return one.result;
  }

  async #ready(): Promise<ImapFlow> {
    const before = await this.#client?.catch(() => undefined);
    if (before?.usable === true && before.mailbox !== false && performance.now() - this.#connectedAt < LONGEST_MS)
      return before;
    await this.#end();
    this.#client = this.connect();
    const client = await this.#client;
    this.#connectedAt = performance.now();
    await client.mailboxOpen(this.options.mailbox);
    return client;
  }

  async #end(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (client?.usable === true) await client.logout().catch(() => undefined);
    client?.close();
  }
}

/** A message with attachments. */
export interface DescribedMessage {
  readonly uid: number;
  readonly validity: string;
  /** When it was received, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly attachments: readonly Attachment[];
}

interface Downloaded {
  readonly copied?: Measured;
  readonly fault?: unknown;
}

/** A command that waits for its turn, and the messages that it is about. */
interface Together<R> {
  readonly uids: Set<string>;
  readonly result: Promise<R>;
}

/** UIDVALIDITY of the open mailbox (RFC 3501, 2.3.1.1). */
function validityOf(client: ImapFlow): string {
  return client.mailbox === false ? '' : String(client.mailbox.uidValidity);
}

/** The content of a part, with the error of a lost connection as SOURCE_UNREACHABLE. */
async function* ofServer(content: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const chunks = (content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw mailboxFault(error, 'the connection was lost while an attachment was read');
    });
    if (next.done === true) return;
    yield next.value;
  }
}
