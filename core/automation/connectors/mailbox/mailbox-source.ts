import { createHash } from 'node:crypto';
import type { ImapFlow } from 'imapflow';
import { isDuplicateRecord, type Records } from '../../../store/index.js';
import { writeContent, type Measured } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, proving, reaching } from '../faults.js';
import type { ConnectorContext, ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
import { readOptions } from '../read-options.js';
import { attachmentsOf, type Attachment } from './attachments.js';
import { connectMailbox, mailboxFault } from './mailbox-client.js';
import { mailboxOptions, type MailboxOptions } from './mailbox-options.js';

/** An attachment whose results are delivered, while others of its message are not. */
interface PartRecord {
  readonly id: string;
  /** Its message. */
  readonly message: string;
  readonly part: string;
  readonly at: number;
}

/** Attachments of unread messages in a mailbox (IMAP). */
export function mailboxSource({
  settings,
  store,
  clock,
}: Pick<ConnectorDeps, 'settings' | 'store' | 'clock'>): SourceKind {
  const parts = store.records<PartRecord>('mailbox_parts', { keys: ['message', 'at'] });
  const read = (given: ConnectorOptions): MailboxOptions => readOptions('SOURCE', mailboxOptions, given);
  return {
    type: 'mailbox',
    title: 'Mailbox',
    help: 'Takes the attachments of mails in a mailbox (IMAP).',
    icon: 'mail',
    options: mailboxOptions,
    secrets: ['password'],
    announces: false,
    async check(given) {
      const options = read(given);
      const client = await proving('SOURCE', 'host', () => connectMailbox(options, settings));
      try {
        await requireMailbox(client, options.mailbox, 'mailbox');
        if (options.after === 'move') await requireMailbox(client, options.moveTo ?? '', 'moveTo');
      } finally {
        client.close();
      }
    },
    open: async (given, context) => {
      const options = read(given);
      return new MailboxSource({
        options,
        context,
        parts,
        now: () => clock.now().getTime(),
        connect: () => connectMailbox(options, settings),
      });
    },
  };
}

async function requireMailbox(client: ImapFlow, name: string, option: string): Promise<void> {
  // No answer of the library tells a mailbox that does not exist from one that may not be read.
  const found = await client.status(name, { messages: true }).catch(() => false as const);
  if (found === false)
    throw invalid('SOURCE', option, `is ${JSON.stringify(name)}, which cannot be read on this server`);
}

interface Opened {
  readonly options: MailboxOptions;
  readonly context: ConnectorContext;
  readonly parts: Records<PartRecord>;
  now(): number;
  connect(): Promise<ImapFlow>;
}

interface Fetched {
  readonly copied?: Measured;
  readonly fault?: unknown;
}

/** Messages whose structures are asked for at once. */
const BATCH = 100;
/** After this time a message of which some attachments were delivered is no longer remembered. */
const REMEMBERED_MS = 366 * 86_400_000;

class MailboxSource implements OpenSource {
  #client: Promise<ImapFlow> | undefined;
  /** Commands for the open mailbox come one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly opened: Opened) {}

  async *list(): AsyncGenerator<FoundFile> {
    const uids = await this.#ask(async (client) => (await client.search({ seen: false }, { uid: true })) || []);
    for (let at = 0; at < uids.length; at += BATCH) {
      this.opened.context.signal.throwIfAborted();
      const messages = await this.#ask(async (client) => {
        const found = await client.fetchAll(
          uids.slice(at, at + BATCH).join(','),
          { uid: true, bodyStructure: true, internalDate: true },
          { uid: true },
        );
        const validity = validityOf(client);
        return found.map((message) => ({ ...message, validity }));
      });
      for (const { uid, validity, bodyStructure, internalDate } of messages)
        for (const { part, name, size } of attachmentsOf(bodyStructure, this.opened.options))
          yield {
            key: `${validity}.${uid}/${part}`,
            name,
            size,
            // A message never changes; another one in a mailbox that was made again has another key.
            version: validity,
            changedAt: new Date(internalDate ?? 0).getTime(),
          };
    }
  }

  async fetch(found: FoundFile, path: string) {
    const { key } = found;
    const { uid, part, validity } = readKey(key);
    const { copied, fault } = await this.#ask(async (client): Promise<Fetched> => {
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

  async finish({ key }: FoundFile): Promise<void> {
    const { uid, part, validity } = readKey(key);
    const { parts, now } = this.opened;
    const message = this.#idOf(`${validity}.${uid}`);
    await reaching('SOURCE', async () => {
      await parts.insert({ id: `${message}/${part}`, message, part, at: now() }).catch((error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
      });
      await parts.deleteMany({}, { atMost: { at: now() - REMEMBERED_MS } });
    });
    const all = await this.#attachments(uid, validity);
    const done = new Set((await reaching('SOURCE', () => parts.find({ message }))).map((each) => each.part));
    if (!all.every((each) => done.has(each.part))) return;
    if (all.length > 0) await this.#end(uid, validity);
    await reaching('SOURCE', () => parts.deleteMany({ message }));
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (client?.usable === true) await client.logout().catch(() => undefined);
    client?.close();
  }

  /** All attachments of a message; none if it is gone. */
  async #attachments(uid: string, validity: string): Promise<readonly Attachment[]> {
    return this.#ask(async (client) => {
      if (validityOf(client) !== validity) return [];
      const found = await client.fetchOne(uid, { uid: true, bodyStructure: true }, { uid: true });
      return found === false ? [] : attachmentsOf(found.bodyStructure, this.opened.options);
    });
  }

  async #end(uid: string, validity: string): Promise<void> {
    const { after, moveTo = '' } = this.opened.options;
    await this.#ask(async (client) => {
      if (validityOf(client) !== validity) return;
      await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true });
      if (after === 'move' && (await client.messageMove(uid, moveTo, { uid: true })) === false)
        throw invalid('SOURCE', 'moveTo', `is ${JSON.stringify(moveTo)}, to which the message could not be moved`);
    });
  }

  /** Runs commands on the open mailbox, and connects again when the connection was lost. */
  #ask<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      try {
        return await work(await this.#ready());
      } catch (error) {
        throw mailboxFault(error, `the mailbox at ${this.opened.options.host} cannot be read`);
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #ready(): Promise<ImapFlow> {
    const { options, connect } = this.opened;
    const before = await this.#client?.catch(() => undefined);
    if (before?.usable === true) return before;
    this.#client = connect();
    const client = await this.#client;
    await client.mailboxOpen(options.mailbox);
    return client;
  }

  #idOf(message: string): string {
    const { host, username, mailbox } = this.opened.options;
    return createHash('sha256')
      .update(JSON.stringify([host, username, mailbox, message]))
      .digest('hex');
  }
}

function validityOf(client: ImapFlow): string {
  return client.mailbox === false ? '' : String(client.mailbox.uidValidity);
}

function readKey(key: string): { readonly validity: string; readonly uid: string; readonly part: string } {
  const [, validity = '', uid = '', part = ''] = /^(\d+)\.(\d+)\/([\d.]+)$/.exec(key) ?? [];
  return { validity, uid, part };
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
