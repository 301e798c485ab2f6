import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Server } from '../../test/suites/s3-server.js';
import { ImapServer } from '../../test/suites/imap-server.js';
import { startReceiver, type Received, type Receiver } from '../../test/http/support/receiver.js';
import { SmtpServer } from './smtp-server.js';
import { TurnCounter, type Turns } from '../../test/suites/turn-counter.js';

export const BUCKET = 'automations';

export const outsideServers = ['s3', 'imap', 'smtp', 'receiver'] as const;
type OutsideServer = (typeof outsideServers)[number];

/** What the server takes files from and delivers to: an S3 stand-in, mail servers, a receiver of calls, and folders. */
export class Outside {
  /** Calls of receivers that were stopped. */
  readonly #calls: Received[] = [];
  readonly #counters = new Map<OutsideServer, TurnCounter>();

  private constructor(
    /** Folder with `in` and `out`. */
    readonly folder: string,
    readonly s3: S3Server,
    readonly imap: ImapServer,
    readonly smtp: SmtpServer,
    private receiver: Receiver,
    private readonly receiverPort: number,
  ) {}

  /** `counted`: whether round trips are counted, which takes processor time. */
  static async start(folder: string, counted: boolean): Promise<Outside> {
    for (const name of ['in', 'out']) await mkdir(join(folder, name), { recursive: true });
    const s3 = await S3Server.start();
    s3.pageSize = 1000;
    const receiver = await accepting();
    const outside = new Outside(
      folder,
      s3,
      await ImapServer.create(),
      await SmtpServer.start(join(folder, 'smtp')),
      receiver,
      receiver.port,
    );
    if (counted)
      for (const server of outsideServers)
        outside.#counters.set(server, await TurnCounter.start(outside.#portOf(server)));
    return outside;
  }

  /** Where nodes reach a server: its own port, or that of the counter in front of it. */
  portOf(server: OutsideServer): number {
    return this.#counters.get(server)?.port ?? this.#portOf(server);
  }

  /** What nodes and servers have exchanged so far; undefined unless it is counted. */
  turnsWith(server: OutsideServer): Turns | undefined {
    return this.#counters.get(server)?.seen;
  }

  /** Files that were posted. */
  get calls(): readonly Received[] {
    return [...this.#calls, ...this.receiver.calls].filter(({ method }) => method === 'POST');
  }

  async stopS3(): Promise<() => Promise<void>> {
    const { port } = this.s3;
    await this.s3.stop();
    return () => this.s3.listen(port);
  }

  async stopMail(): Promise<() => Promise<void>> {
    await Promise.all([this.imap.stop(), this.smtp.kill()]);
    return async () => void (await Promise.all([this.imap.start(), this.smtp.start()]));
  }

  async stopReceiver(): Promise<() => Promise<void>> {
    await this.receiver.stop();
    this.#calls.push(...this.receiver.calls);
    return async () => {
      this.receiver = await accepting(this.receiverPort);
    };
  }

  async close(): Promise<void> {
    for (const counter of this.#counters.values()) await counter.stop();
    await Promise.all([this.s3.stop(), this.imap.remove(), this.smtp.kill(), this.receiver.stop()]);
  }

  #portOf(server: OutsideServer): number {
    if (server === 's3') return this.s3.port;
    if (server === 'imap') return this.imap.ports.tls;
    return server === 'smtp' ? this.smtp.port : this.receiverPort;
  }
}

function accepting(port = 0): Promise<Receiver> {
  return startReceiver((response) => void response.writeHead(204).end(), port);
}
