import { createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/** One command as the driver sent it: the first field is its name. */
export type MongoCommand = BSON.Document;

/** A server that implements just enough of MongoDB's protocol to answer as a test needs. */
export interface FakeMongodb {
  readonly port: number;
  /** Names of the received commands, without the driver's own messages. */
  readonly commands: string[];
  close(): Promise<void>;
}

const driversTalk = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']);

/**
 * Starts one on a free port. `answer` returns the fields of an answer, for example `{ ok: 0, code: 18, errmsg: '…' }`;
 * `{ ok: 1 }` when it returns nothing.
 */
export async function startFakeMongodb(
  answer: (name: string, command: MongoCommand) => BSON.Document | undefined,
  hello: BSON.Document = {},
): Promise<FakeMongodb> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const reply = (name: string, command: MongoCommand): BSON.Document => {
    if (!driversTalk.has(name)) commands.push(name);
    const given = answer(name, command);
    if (given !== undefined) return given;
    if (name.toLowerCase() !== 'hello' && name.toLowerCase() !== 'ismaster') return { ok: 1 };
    return {
      ok: 1,
      ismaster: true,
      isWritablePrimary: true,
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      minWireVersion: 0,
      maxWireVersion: 21,
      readOnly: false,
      ...hello,
    };
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    eachMessage(socket, (message) =>
      socket.write(message.readInt32LE(12) === OP_QUERY ? answerQuery(message, reply) : answerMessage(message, reply)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    commands,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Calls `take` with each message that a connection of MongoDB's protocol receives. */
export function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    waiting = Buffer.concat([waiting, data]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const message = waiting.subarray(0, waiting.readInt32LE(0));
      waiting = waiting.subarray(message.length);
      take(message);
    }
  });
}

/** The complete answer to `find` with these documents. */
export function foundDocuments(collection: string, documents: readonly BSON.Document[] = []): BSON.Document {
  return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: `quire.${collection}`, firstBatch: documents } };
}

// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol: header of 16 bytes (length, request id, response
// to, operation), then the body.
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

type Reply = (name: string, command: MongoCommand) => BSON.Document;

/** The first greeting has the old format: flags, collection name, skip, limit, document. */
function answerQuery(message: Buffer, reply: Reply): Buffer {
  const command = BSON.deserialize(message.subarray(message.indexOf(0, 20) + 9));
  const before = Buffer.alloc(20);
  before.writeInt32LE(1, 16);
  return packed(
    OP_REPLY,
    message.readInt32LE(4),
    Buffer.concat([before, BSON.serialize(reply(nameOf(command), command))]),
  );
}

/** Flags, then sections; the first, of kind 0, is the command. */
function answerMessage(message: Buffer, reply: Reply): Buffer {
  const command = BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)));
  return packed(
    OP_MSG,
    message.readInt32LE(4),
    Buffer.concat([Buffer.alloc(5), BSON.serialize(reply(nameOf(command), command))]),
  );
}

function packed(operation: number, responseTo: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(operation, 12);
  return Buffer.concat([header, body]);
}

function nameOf(command: MongoCommand): string {
  return Object.keys(command)[0] ?? '';
}
