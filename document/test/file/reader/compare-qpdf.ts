import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import type { LazyDocument } from '../../../file/reader/index.js';

export const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface QpdfObject {
  readonly value?: Json;
  readonly stream?: { readonly dict: Json; readonly data?: string };
}

/** A difference between our reader's object and qpdf's. */
export interface Difference {
  /** `12 0 R`, or `trailer`. */
  readonly object: string;
  /** The position inside, and the value there. */
  readonly what: string;
}

export interface Comparison {
  readonly objects: number;
  readonly streams: number;
  /** Encoded bytes of the streams. */
  readonly bytes: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares every object of a document, and each stream's encoded bytes by length and SHA-256, with the output of `qpdf
 * --json`; and looks for objects that the document has and qpdf has not.
 */
export function compareWithQpdf(document: LazyDocument, path: string, password = ''): Comparison {
  const differences: Difference[] = [];
  let [objects, streams, bytes] = [0, 0, 0];
  const account = qpdfObjects(path, password);
  for (const [key, theirs] of Object.entries(account)) {
    const [, number, generation] = /^obj:(\d+) (\d+) R$/.exec(key) ?? [];
    const ours =
      number === undefined ? document.trailer : document.lookup(PDFRef.of(Number(number), Number(generation)));
    if (ours === undefined && isHistory(document, Number(number), Number(generation))) continue;
    objects++;
    const found =
      theirs.stream === undefined
        ? difference(document, ours, theirs.value, '')
        : streamDifference(document, ours, theirs.stream);
    if (found !== undefined) differences.push({ object: key.replace('obj:', ''), what: found.replace(/^: /, '') });
    if (ours instanceof PDFRawStream) {
      streams++;
      bytes += ours.contents.length;
    }
  }
  for (const ref of document.references()) {
    if (account[`obj:${ref.tag}`] === undefined && !isNothing(document, ref))
      differences.push({ object: ref.tag, what: `${String(document.lookup(ref)).slice(0, 80)} is nothing` });
  }
  return { objects, streams, bytes, differences };
}

/** qpdf's output for each object and the trailer's own entries; stream data as in the file, decrypted. */
function qpdfObjects(path: string, password: string): Record<string, QpdfObject> {
  const args = [
    '--json=2',
    '--json-stream-data=inline',
    '--decode-level=none',
    '--json-key=qpdf',
    '--warning-exit-0',
    `--password=${password}`,
    path,
  ];
  const out = execFileSync('qpdf', args, {
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // qpdf writes numbers as the file does: `1.` and `+1` are not valid JSON.
  const json = out.replaceAll(/^(\s*(?:"[^"\n]*": )?)\+?(-?\d+)\.(,?)$/gm, '$1$2$3');
  return (JSON.parse(json) as { qpdf: [unknown, Record<string, QpdfObject>] }).qpdf[1];
}

function streamDifference(
  document: LazyDocument,
  ours: PDFObject | undefined,
  theirs: NonNullable<QpdfObject['stream']>,
): string | undefined {
  if (!(ours instanceof PDFRawStream)) return ': it is not a stream';
  const inDict = difference(document, ours.dict, theirs.dict, '', true);
  if (inDict !== undefined) return inDict;
  const [mine, other] = [Buffer.from(ours.contents), Buffer.from(theirs.data ?? '', 'base64')];
  if (mine.length !== other.length) return `: ${mine.length} bytes of data, not ${other.length}`;
  return sha256(mine) === sha256(other) ? undefined : ': other data';
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns where one of our objects differs from qpdf's, or undefined. */
function difference(
  document: LazyDocument,
  ours: PDFObject | undefined,
  theirs: Json | undefined,
  at: string,
  ofStream = false,
): string | undefined {
  const wrong = `${at}: ${String(ours).slice(0, 80)} is not ${JSON.stringify(theirs)?.slice(0, 80)}`;
  if (isNothing(document, ours) && (theirs === null || theirs === undefined)) return undefined;
  if (ours instanceof PDFRef) return theirs === ours.tag ? undefined : wrong;
  if (ours instanceof PDFBool) return theirs === ours.asBoolean() ? undefined : wrong;
  if (ours instanceof PDFNumber)
    return typeof theirs === 'number' && Math.abs(theirs - ours.asNumber()) < 1e-9 * Math.max(1, Math.abs(theirs))
      ? undefined
      : wrong;
  if (ours instanceof PDFName)
    return typeof theirs === 'string' && spellings(ours).includes(theirs) ? undefined : wrong;
  if (ours instanceof PDFString || ours instanceof PDFHexString)
    return typeof theirs === 'string' && sameString(ours, theirs) ? undefined : wrong;
  if (ours instanceof PDFArray) {
    if (!Array.isArray(theirs) || theirs.length !== ours.size()) return wrong;
    return first(
      ours.asArray().map((element, i) => [element, (theirs as readonly Json[])[i], `${at}/${i}`]),
      document,
    );
  }
  if (!(ours instanceof PDFDict) || typeof theirs !== 'object' || theirs === null || Array.isArray(theirs))
    return wrong;
  const dict = theirs as { readonly [key: string]: Json };
  // qpdf derives a stream's length from its data.
  const entries = ours.entries().filter(([key]) => !(ofStream && key === PDFName.of('Length')));
  // A key without a value, or with a missing object, counts as absent (ISO 32000-1, 7.3.7).
  const keys = entries.filter(
    ([key, value]) => !(isNothing(document, value) && valueOf(dict, key) === undefined),
  ).length;
  const found = Object.keys(dict).filter((key) => dict[key] !== null && !(ofStream && key === '/Length')).length;
  const lost = keys === found ? undefined : `${at}: ${keys} keys, not ${found}`;
  return (
    lost ??
    first(
      entries.map(([key, value]) => [value, valueOf(dict, key), `${at}${key.asString()}`]),
      document,
    )
  );
}

function first(
  pairs: readonly (readonly [PDFObject, Json | undefined, string])[],
  document: LazyDocument,
): string | undefined {
  for (const [ours, theirs, at] of pairs) {
    const found = difference(document, ours, theirs, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function spellings(name: PDFName): string[] {
  return [name.asString(), `/${name.decodeText()}`, `/${Buffer.from(name.asBytes()).toString('utf8')}`];
}

function valueOf(dict: { readonly [key: string]: Json }, key: PDFName): Json | undefined {
  return spellings(key)
    .map((name) => dict[name])
    .find((value) => value !== undefined && value !== null);
}

function isNothing(document: LazyDocument, object: PDFObject | undefined): boolean {
  const value = object instanceof PDFRef ? document.lookup(object) : object;
  return value === undefined || value === PDFNull;
}

/**
 * qpdf lists objects that a later revision freed or gave another generation, and cross-reference streams that no entry
 * names.
 */
function isHistory(document: LazyDocument, number: number, generation: number): boolean {
  const entry = document.entry(number);
  return entry === undefined || entry.kind === 'free' || (entry.kind === 'at' && entry.generation !== generation);
}

function sameString(ours: PDFString | PDFHexString, theirs: string): boolean {
  const bytes = Buffer.from(ours.asBytes());
  if (theirs.startsWith('b:')) return theirs.slice(2) === bytes.toString('hex');
  const text = theirs.slice(2);
  // Of UTF-16 with an odd number of bytes qpdf returns the whole characters (ISO 32000-1, 7.9.2.2 defines no others).
  if (bytes.length % 2 === 1 && bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(text, 'utf16le').swap16().equals(bytes.subarray(2, -1));
  return [
    ours.decodeText(),
    bytes.toString('utf8'),
    bytes.toString('utf8').replace(/^\uFEFF/, ''),
    bytes.toString('latin1'),
  ].includes(text);
}
