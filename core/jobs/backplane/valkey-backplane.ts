import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from '@quire/registry';
import type { Announcement, Backplane, Topic } from './backplane.js';
import { Listeners } from './listeners.js';
import { Messages, type Message } from './messages.js';

export interface ValkeyBackplaneDeps {
  /** `redis://` or `rediss://`; may contain a password. */
  readonly url: string;
  readonly skipCertVerification: boolean;
  /** Derived from the secret of the store, so the same on all nodes. */
  readonly key: Buffer;
  readonly log: Logger;
}

/** Longest wait for a connection or an answer, ms. */
const PATIENCE_MS = 2000;
/** How often the connections are tried: a machine that hangs closes none. */
const BEAT_MS = 5000;
const LONGEST_RETRY_MS = 3000;
/**
 * Announcements are lost only if the node that makes a change is cut off from Valkey and the one that waits is not,
 * which neither can know: then this is the longest delay of a job.
 */
const SLOW_JOBS_MS = 10_000;

/** Connects in the background: a Valkey that is away or refuses delays nothing. */
export async function openValkeyBackplane(deps: ValkeyBackplaneDeps): Promise<Backplane> {
  const { Redis: Client } = await import('ioredis');
  const options = {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    enableOfflineQueue: false,
    // INFO, which it would ask for, is often forbidden; the first message shows the same.
    enableReadyCheck: false,
    disableClientInfo: true,
    // Older servers and proxies do not know RESP3.
    protocol: 2 as const,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times: number) => Math.min(times * 200, LONGEST_RETRY_MS),
    ...(deps.skipCertVerification && deps.url.startsWith('rediss:') ? { tls: { rejectUnauthorized: false } } : {}),
  };
  return new ValkeyBackplane(deps, new Client(deps.url, options), new Client(deps.url, options));
}

/** Publish and subscribe in a Valkey or Redis. A subscribed connection cannot publish, so there are two. */
class ValkeyBackplane implements Backplane {
  readonly kind = 'valkey';
  readonly slowJobsMs = SLOW_JOBS_MS;
  readonly reportsOwn = false;
  readonly #from = randomUUID();
  readonly #messages: Messages;
  readonly #listeners = new Listeners();
  readonly #beat: NodeJS.Timeout;
  #connected = false;
  #nodes = 1;
  #greeting: Promise<void> | undefined;
  #reason = 'no answer';
  #warned = false;
  #closed = false;

  constructor(
    private readonly deps: ValkeyBackplaneDeps,
    private readonly publisher: Redis,
    private readonly subscriber: Redis,
  ) {
    this.#messages = new Messages(deps.key);
    for (const client of [publisher, subscriber]) {
      client.on('error', (error: unknown) => this.#failed(error));
      client.on('close', () => this.#lost());
      client.connect().catch((error: unknown) => this.#failed(error));
    }
    subscriber.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => this.#received(bytes));
    this.#beat = setInterval(() => void this.#check(), BEAT_MS).unref();
    for (const client of [publisher, subscriber]) client.on('ready', () => void this.#check());
  }

  get connected(): boolean {
    return this.#connected;
  }

  announce(topic: Topic, id?: string): void {
    if (this.#connected) void this.#send({ topic, ...(id === undefined ? {} : { id }) }).catch(() => this.#restart());
  }

  on(topic: Topic, listener: (announcement: Announcement) => void): () => void {
    return this.#listeners.on(topic, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#beat);
    this.#connected = false;
    this.publisher.disconnect();
    this.subscriber.disconnect();
    await this.#greeting;
  }

  async #send(message: Pick<Message, 'topic' | 'id'>): Promise<void> {
    const text = this.#messages.write({ from: this.#from, nodes: this.#nodes, ...message });
    this.#nodes = Math.max(1, await this.publisher.publish(this.#messages.channel, text));
  }

  #received(bytes: Buffer): void {
    const message = this.#messages.read(bytes);
    if (message === undefined || message.from === this.#from) return;
    if (message.topic === 'missed') this.#listeners.tellAll(message.nodes);
    else this.#listeners.tell(message.topic, { id: message.id, nodes: message.nodes });
  }

  /** Greets after a connection was made, and finds out whether both still answer. One at a time. */
  #check(): Promise<void> {
    this.#greeting ??= (this.#connected ? this.#ping() : this.#greet())
      .catch((error: unknown) => {
        this.#failed(error);
        this.#restart();
      })
      .finally(() => (this.#greeting = undefined));
    return this.#greeting;
  }

  async #ping(): Promise<void> {
    await Promise.all([this.publisher.ping(), this.subscriber.ping()]);
  }

  /** Until now this node could neither hear nor tell: everybody looks into the store once. */
  async #greet(): Promise<void> {
    if (this.#closed || this.publisher.status !== 'ready' || this.subscriber.status !== 'ready') return;
    await this.subscriber.subscribe(this.#messages.channel);
    await this.#send({ topic: 'missed' });
    if (this.#closed) return;
    this.#connected = true;
    this.#warned = false;
    this.deps.log.info({ server: hostOf(this.deps.url) }, 'the backplane is connected (cluster.valkey.url)');
    this.#listeners.tellAll(this.#nodes);
  }

  #failed(error: unknown): void {
    this.#reason = reasonOf(error, this.deps.url);
    this.#lost();
  }

  #restart(): void {
    if (this.#closed) return;
    this.#lost();
    for (const client of [this.publisher, this.subscriber]) if (client.status === 'ready') client.disconnect(true);
  }

  /** Logged once for each outage: every attempt would repeat it. */
  #lost(): void {
    if (this.#closed) return;
    const was = this.#connected;
    this.#connected = false;
    if (!this.#warned)
      this.deps.log.warn(
        { server: hostOf(this.deps.url), reason: this.#reason },
        'the backplane (cluster.valkey.url) cannot be reached; the server keeps trying, and asks the store more often',
      );
    this.#warned = true;
    this.#reason = 'the connection was closed';
    if (was) this.#listeners.tellAll(this.#nodes);
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** The text of an error alone: errors of the client have its commands, and so the password, as a property. */
function reasonOf(error: unknown, url: string): string {
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : typeof code === 'string' ? code : 'no answer';
  const { username, password } = new URL(url);
  return [url, password, decodeURIComponent(password), username]
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}
