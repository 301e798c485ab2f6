import { connect, createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { eachMessage } from './fake-mongodb.js';

/**
 * One MongoDB as the primary of a replica set that can hold elections: forwards its protocol, greets as a member of a
 * set, and keeps the answers of writes that a driver may repeat, as such a set does.
 */
export interface ElectionProxy {
  readonly url: string;
  /** How often a write was repeated and answered from memory. */
  readonly repeated: number;
  /** Until `elected`, every command is answered as by a primary that has stepped down; waiting ones are cut off. */
  stepDown(): void;
  elected(): void;
  /** Carries out the next writes (or `command`s), as many as this, but cuts the connection instead of answering. */
  loseAnswers(count: number, command?: string): void;
  close(): Promise<void>;
}

interface Pending {
  readonly name: string;
  /** Session and number of a write that may be repeated. */
  readonly write: string | undefined;
}

const OP_REPLY = 1;
const OP_MSG = 2013;
/** Bytes before the document: header and flags, and of OP_MSG the kind of the section; of OP_REPLY four numbers. */
const BEFORE = { [OP_REPLY]: 36, [OP_MSG]: 21 } as const;
const greetings = new Set(['hello', 'isMaster', 'ismaster']);
/** A secondary answers reads with another code than writes. */
const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'dropIndexes', 'dropDatabase']);
const NOT_WRITABLE_PRIMARY = { code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const NOT_PRIMARY_NO_SECONDARY_OK = { code: 13435, codeName: 'NotPrimaryNoSecondaryOk', errmsg: 'not primary' };

/**
 * Starts one on a free port, in front of the MongoDB that listens on `port`. Without `sessions` drivers repeat no
 * writes, as with a MongoDB that stands alone.
 */
export async function startElectionProxy(port: number, { sessions = true } = {}): Promise<ElectionProxy> {
  const set = new ElectionSet(port, sessions);
  await set.listen();
  return set;
}

class ElectionSet implements ElectionProxy {
  readonly #server: Server;
  readonly #members = new Set<Member>();
  readonly #answers = new Map<string, BSON.Document>();
  #address = '';
  #electing = false;
  #losing = 0;
  #lostCommand: string | undefined;
  #term = 1;
  repeated = 0;

  constructor(
    port: number,
    private readonly sessions: boolean,
  ) {
    this.#server = createServer((client) => {
      const member = new Member(client, connect({ port, host: '127.0.0.1' }), this);
      this.#members.add(member);
      client.once('close', () => this.#members.delete(member));
    });
  }

  get url(): string {
    return `mongodb://${this.#address}/?replicaSet=quire`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.#address = `127.0.0.1:${address.port}`;
  }

  stepDown(): void {
    this.#electing = true;
    for (const member of this.#members) member.cutIfWaiting();
  }

  elected(): void {
    this.#electing = false;
    this.#term += 1;
  }

  loseAnswers(count: number, command?: string): void {
    this.#losing = count;
    this.#lostCommand = command;
  }

  /** The answer that needs no server; undefined where the command is to be forwarded. */
  answerTo({ name, write }: Pending): BSON.Document | undefined {
    const kept = write === undefined ? undefined : this.#answers.get(write);
    if (this.#electing) {
      const errorLabels = write === undefined ? [] : ['RetryableWriteError'];
      return { ok: 0, ...(writes.has(name) ? NOT_WRITABLE_PRIMARY : NOT_PRIMARY_NO_SECONDARY_OK), errorLabels };
    }
    if (kept !== undefined) this.repeated += 1;
    return kept;
  }

  /** The answer as the client is to see it; undefined where it is lost. */
  answered({ name, write }: Pending, answer: BSON.Document): BSON.Document | undefined {
    if (greetings.has(name)) return this.#greeting(answer);
    if (write !== undefined) this.#answers.set(write, answer);
    if (this.#losing === 0 || !(this.#lostCommand === undefined ? writes.has(name) : name === this.#lostCommand))
      return answer;
    this.#losing -= 1;
    return undefined;
  }

  #greeting(answer: BSON.Document): BSON.Document {
    const primary = !this.#electing;
    return {
      ...answer,
      ismaster: primary,
      isWritablePrimary: primary,
      secondary: !primary,
      setName: 'quire',
      setVersion: 1,
      electionId: new BSON.ObjectId(this.#term.toString(16).padStart(24, '0')),
      hosts: [this.#address],
      me: this.#address,
      ...(this.sessions ? { logicalSessionTimeoutMinutes: 30 } : {}),
    };
  }

  async close(): Promise<void> {
    for (const member of this.#members) member.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** One connection of a driver: one command after the other. */
class Member {
  readonly #pending: Pending[] = [];

  constructor(
    private readonly client: Socket,
    private readonly upstream: Socket,
    private readonly set: ElectionSet,
  ) {
    client.on('error', () => undefined).once('close', () => upstream.destroy());
    upstream.on('error', () => undefined).once('close', () => client.destroy());
    eachMessage(client, (message) => this.#asked(message));
    eachMessage(upstream, (message) => this.#answered(message));
  }

  cut(): void {
    this.client.destroy();
    this.upstream.destroy();
  }

  cutIfWaiting(): void {
    if (this.#pending.some(({ name }) => name === 'getMore')) this.cut();
  }

  #asked(message: Buffer): void {
    // The first greeting has an older form.
    if (message.readInt32LE(12) !== OP_MSG) {
      this.#pending.push({ name: 'isMaster', write: undefined });
      this.upstream.write(message);
      return;
    }
    const { lsid, txnNumber, ...command } = documentOf(message);
    const write = txnNumber === undefined ? undefined : `${BSON.EJSON.stringify(lsid)} ${String(txnNumber)}`;
    const pending = { name: Object.keys(command)[0] ?? '', write };
    const answer = greetings.has(pending.name) ? undefined : this.set.answerTo(pending);
    if (answer !== undefined) {
      const reply = withDocument(message, answer);
      reply.writeInt32LE(message.readInt32LE(4), 8);
      this.client.write(reply);
      return;
    }
    this.#pending.push(pending);
    this.upstream.write(withDocument(message, command));
  }

  #answered(message: Buffer): void {
    const pending = this.#pending.shift();
    if (pending === undefined) return;
    const answer = this.set.answered(pending, documentOf(message));
    if (answer === undefined) this.cut();
    else this.client.write(withDocument(message, answer));
  }
}

function bytesBefore(message: Buffer): number {
  return BEFORE[message.readInt32LE(12) as keyof typeof BEFORE];
}

function documentOf(message: Buffer): BSON.Document {
  return BSON.deserialize(message.subarray(bytesBefore(message)), { promoteValues: false });
}

/** The message with another document. */
function withDocument(message: Buffer, document: BSON.Document): Buffer {
  const changed = Buffer.concat([message.subarray(0, bytesBefore(message)), BSON.serialize(document)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}
