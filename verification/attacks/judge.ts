import { spawnSync } from 'node:child_process';
import { inflateRawSync, inflateSync } from 'node:zlib';
import type { Attack, Received } from './attack.js';

/** What no answer may contain. */
export interface Guarded {
  /** A word in files, settings and records that the attacker may not read. */
  readonly canary: string;
  /** Folders of the server: its code and its data. */
  readonly folders: readonly string[];
}

/**
 * Milliseconds after which an answer is a fault. A document may use the time limit of a program, which the arena sets
 * to a minute, and wait for others that do.
 */
export const LONGEST_MS = { document: 180_000, other: 60_000 } as const;
/** Bytes that are unpacked of one part of an answer. */
const MAX_UNPACKED = 16 * 1024 * 1024;

/** Returns what is wrong with an answer, one sentence each; nothing if the server did right. */
export function judge(attack: Attack, received: Received, guarded: Guarded): string[] {
  return [
    ...judgeStatus(attack, received),
    ...judgeHead(received),
    ...judgeContent(attack, received, guarded),
    ...(received.took > LONGEST_MS[attack.family === 'documents' ? 'document' : 'other']
      ? [`answered after ${Math.round(received.took / 1000)} s`]
      : []),
  ];
}

function judgeStatus({ wire, mustBeRefused, call, family }: Attack, { status, head, body }: Received): string[] {
  if (wire !== undefined) return judgeWire(status, head, body);
  if (status === 0) return ['no answer'];
  if (status >= 500 && !isDeclared(status, body, call, family))
    return [`answered ${status} ${body.toString('utf8', 0, 300)}`];
  const wrong: string[] = [];
  if (mustBeRefused === true && status < 400) wrong.push(`answered ${status} instead of a refusal`);
  if (status >= 400 && !/^content-type: application\/problem\+json/im.test(head))
    wrong.push(`answered ${status} without a problem document`);
  return wrong;
}

/**
 * A missing program is a declared 503. 502 says that another server, which the caller or the settings name, does not
 * answer, and 504 that a document reached the time limit.
 */
function isDeclared(status: number, body: Buffer, call: Attack['call'], family: string): boolean {
  if (call?.responses[String(status)] === undefined) return false;
  const [, code = ''] = /"code":"(\w+)"/.exec(body.toString()) ?? [];
  return (
    status === 503 || (status === 502 && code.startsWith('REMOTE_')) || (family === 'documents' && code === 'TIMEOUT')
  );
}

/** Calls whose answer to an administrator names a place of the server (`docs/interface/platform.yml`). */
const NAMES_PLACES = /^\/api\/v1\/admin\/license-file/;

/** A connection may be ended without an answer; a request inside the body of another one may not be answered. */
function judgeWire(status: number, head: string, body: Buffer): string[] {
  // 501 and 505 say which part of HTTP is not spoken (RFC 9110, 15.6).
  if (status >= 500 && ![501, 505].includes(status)) return [`answered ${status} ${body.toString('utf8', 0, 300)}`];
  const answers = `${head}\r\n\r\n${body.toString('latin1')}`.match(/^HTTP\/1\.[01] \d{3}/gm)?.length ?? 0;
  const ended = /^connection: close/im.test(head);
  return status >= 400 && ended && answers > 1 ? ['answered a request that was hidden in a refused one'] : [];
}

function judgeHead({ head }: Received): string[] {
  const wrong: string[] = [];
  if (/^(?:x-injected|set-cookie: injected)/im.test(head)) wrong.push('a header was injected');
  if (/^(?:server|x-powered-by):/im.test(head)) wrong.push('the head names the software');
  return wrong;
}

function judgeContent({ sent = [], path }: Attack, { head, body }: Received, { canary, folders }: Guarded): string[] {
  const texts = [head, ...unpacked(body)].map((text) =>
    // An answer may repeat what it refuses, also in part and escaped.
    sent.reduce(
      (rest, each) =>
        each === '' ? rest : rest.replaceAll(each, '').replaceAll(JSON.stringify(each).slice(1, -1), ''),
      text,
    ),
  );
  const patterns: readonly (readonly [string, RegExp | string])[] = [
    ['a secret', canary],
    ['the user list of the machine', /root:[^:\s]{0,20}:0:0:/],
    ['a stack', /\n\s+at .{1,200}:\d+:\d+|\\n\s+at .{1,200}:\d+:\d+/],
    ['a path of the code', /node_modules[\\/]|[\\/]dist[\\/][\w-]+[\\/]/],
    ...(NAMES_PLACES.test(path) ? [] : folders.map((folder) => ['a folder of the server', folder] as const)),
  ];
  return patterns.flatMap(([what, pattern]) =>
    texts.some((text) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)))
      ? [`the answer contains ${what}`]
      : [],
  );
}

/** The texts of an answer: its bytes, the words of a PDF, and what is compressed in a PDF or an archive. */
function unpacked(body: Buffer): string[] {
  const texts = [body.toString('latin1'), body.toString('utf8')];
  if (body.subarray(0, 1024).includes('%PDF-')) {
    texts.push(...compressedParts(body, 'stream', (from) => (body[from] === 13 ? from + 2 : from + 1), inflateSync));
    const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: body, timeout: 30_000, maxBuffer: MAX_UNPACKED });
    if (stdout !== null && stdout.length > 0) texts.push(stdout.toString('utf8'));
  }
  if (body.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    const dataOf = (from: number): number =>
      from + 22 + body.readUInt16LE(from + 22) + body.readUInt16LE(from + 24) + 4;
    texts.push(...compressedParts(body, 'PK\x03\x04', dataOf, inflateRawSync));
  }
  return texts;
}

function compressedParts(
  body: Buffer,
  mark: string,
  dataOf: (afterMark: number) => number,
  inflate: (data: Buffer, options: { readonly maxOutputLength: number }) => Buffer,
): string[] {
  const texts: string[] = [];
  for (let at = body.indexOf(mark); at >= 0 && texts.length < 500; at = body.indexOf(mark, at + mark.length)) {
    try {
      const options = { maxOutputLength: MAX_UNPACKED };
      texts.push(inflate(body.subarray(dataOf(at + mark.length)), options).toString('latin1'));
    } catch {
      // Not compressed this way, or larger than any text here.
    }
  }
  return texts;
}
