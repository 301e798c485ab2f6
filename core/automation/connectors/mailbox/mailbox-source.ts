import { createHash } from 'node:crypto';
import type { ImapFlow } from 'imapflow';
import { isDuplicateRecord, type Records } from '../../../store/index.js';
import { writeContent } from '../copied-file.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, proving, reaching } from '../faults.js';
import type { ConnectorContext, ConnectorOptions, FoundFile, OpenSource, SourceKind } from '../model.js';
import { readOptions } from '../read-options.js';
import { connectMailbox } from './mailbox-client.js';
import { mailboxOptions, type MailboxOptions } from './mailbox-options.js';
import { MailboxSessions, type MailboxSession } from './mailbox-session.js';

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
  const sessions = new MailboxSessions((options) => connectMailbox(options, settings));
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
        sessions,
        now: () => clock.now().getTime(),
      });
    },
  };
}

async function requireMailbox(client: ImapFlow, name: string, option: string): Promise<void> {
  // The library does not distinguish a mailbox that does not exist from one that may not be read.
  const found = await client.status(name, { messages: true }).catch(() => false as const);
  if (found === false)
    throw invalid('SOURCE', option, `is ${JSON.stringify(name)}, which cannot be read on this server`);
}

interface Opened {
  readonly options: MailboxOptions;
  readonly context: ConnectorContext;
  readonly parts: Records<PartRecord>;
  readonly sessions: MailboxSessions;
  now(): number;
}

/** Messages whose structures are asked for at once. */
const BATCH = 100;
/** After this time a message of which some attachments were delivered is no longer remembered. */
const REMEMBERED_MS = 366 * 86_400_000;

class MailboxSource implements OpenSource {
  readonly #session: MailboxSession;

  constructor(private readonly opened: Opened) {
    this.#session = opened.sessions.of(opened.options);
  }

  async *list(): AsyncGenerator<FoundFile> {
    const uids = await this.#session.unread();
    for (let at = 0; at < uids.length; at += BATCH) {
      this.opened.context.signal.throwIfAborted();
      for (const message of await this.#session.describe(uids.slice(at, at + BATCH)))
        for (const { part, name, size } of message.attachments)
          yield {
            key: `${message.validity}.${message.uid}/${part}`,
            name,
            size,
            // A message never changes; another one in a mailbox that was made again has another key.
            version: message.validity,
            changedAt: message.changedAt,
          };
    }
  }

  async fetch(found: FoundFile, path: string) {
    const { uid, part, validity } = readKey(found.key);
    const small = await this.#session.small(uid, part, validity);
    return small === undefined ? this.#session.download(uid, part, validity, path) : writeContent([small], path);
  }

  async finish({ key }: FoundFile): Promise<void> {
    const { uid, part, validity } = readKey(key);
    const all = await this.#session.attachments(uid, validity);
    const others = all.filter((each) => each.part !== part);
    if (others.length === 0) {
      if (all.length > 0) await this.#session.finish(uid, validity);
      return;
    }
    const { parts, now } = this.opened;
    const message = this.#idOf(`${validity}.${uid}`);
    await reaching('SOURCE', async () => {
      await parts.insert({ id: `${message}/${part}`, message, part, at: now() }).catch((error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
      });
      await parts.deleteMany({}, { atMost: { at: now() - REMEMBERED_MS } });
    });
    const done = new Set((await reaching('SOURCE', () => parts.find({ message }))).map((each) => each.part));
    if (!others.every((each) => done.has(each.part))) return;
    await this.#session.finish(uid, validity);
    await reaching('SOURCE', () => parts.deleteMany({ message }));
  }

  async close(): Promise<void> {
    this.#session.release();
  }

  #idOf(message: string): string {
    const { host, username, mailbox } = this.opened.options;
    return createHash('sha256')
      .update(JSON.stringify([host, username, mailbox, message]))
      .digest('hex');
  }
}

function readKey(key: string): { readonly validity: string; readonly uid: string; readonly part: string } {
  const [, validity = '', uid = '', part = ''] = /^(\d+)\.(\d+)\/([\d.]+)$/.exec(key) ?? [];
  return { validity, uid, part };
}
