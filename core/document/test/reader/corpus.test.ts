import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PDFArray, PDFBool, PDFDict, PDFHexString, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef, PDFStream, PDFString } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { type LazyDocument, countPages, openLazily } from '../../reader/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../inspect/corpus.js';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
/** Their /Count says more than their tree holds; the manifest has the count. */
const LYING_COUNTS = new Set(['pdfium/named_dests_old_style.pdf', 'pdfium/unsupported_feature.pdf']);
/** Broken inside: an object in an object stream that runs into the next or is a stream, and a UTF-16 string of odd length. */
const READ_OTHERWISE = new Set(['qpdf/no-space-compressed-object.pdf', 'pyHanko/broken-objstream4.pdf', 'dss/pades-tst-with-null-type.pdf']);
const SLOW = 5000;

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const files = (): CorpusFile[] => corpusFiles().filter(({ path }) => existsSync(path));
const everyTenth = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % 10 === 0);

/** What qpdf says of each object, and of the trailer's own entries. */
function qpdfObjects(path: string): Record<string, { readonly value?: Json; readonly stream?: { readonly dict: Json } }> {
  const out = execFileSync('qpdf', ['--json=2', '--json-stream-data=none', '--json-key=qpdf', path], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  // qpdf writes numbers as the file does: `1.` and `+1` are no JSON.
  const json = out.replaceAll(/^(\s*(?:"[^"\n]*": )?)\+?(-?\d+)\.(,?)$/gm, '$1$2$3');
  return (JSON.parse(json) as { qpdf: [unknown, Record<string, { value?: Json; stream?: { dict: Json } }>] }).qpdf[1];
}

/** Tells where an object of ours and qpdf's account of it part, or undefined where they don't. */
function difference(document: LazyDocument, ours: PDFObject | undefined, theirs: Json | undefined, at: string): string | undefined {
  const wrong = `${at}: ${String(ours).slice(0, 80)} is not ${JSON.stringify(theirs)?.slice(0, 80)}`;
  if (isNothing(document, ours) && (theirs === null || theirs === undefined)) return undefined;
  if (ours instanceof PDFRef) return theirs === ours.tag ? undefined : wrong;
  if (ours instanceof PDFBool) return theirs === ours.asBoolean() ? undefined : wrong;
  if (ours instanceof PDFNumber) return typeof theirs === 'number' && Math.abs(theirs - ours.asNumber()) < 1e-9 * Math.max(1, Math.abs(theirs)) ? undefined : wrong;
  if (ours instanceof PDFName) return typeof theirs === 'string' && [ours.asString(), `/${ours.decodeText()}`, `/${Buffer.from(ours.asBytes()).toString('utf8')}`].includes(theirs) ? undefined : wrong;
  if (ours instanceof PDFString || ours instanceof PDFHexString) return typeof theirs === 'string' && sameString(ours, theirs) ? undefined : wrong;
  if (ours instanceof PDFArray) {
    if (!Array.isArray(theirs) || theirs.length !== ours.size()) return wrong;
    return first(ours.asArray().map((element, i) => [element, (theirs as readonly Json[])[i], `${at}/${i}`]), document);
  }
  if (!(ours instanceof PDFDict) || typeof theirs !== 'object' || theirs === null || Array.isArray(theirs)) return wrong;
  const dict = theirs as { readonly [key: string]: Json };
  // A key without a value, and one whose object is not there, is as good as absent (ISO 32000-1, 7.3.7).
  const keys = ours.entries().filter(([key, value]) => !(isNothing(document, value) && valueOf(dict, key) === undefined)).length;
  const found = Object.keys(dict).filter((key) => dict[key] !== null).length;
  const lost = keys === found ? undefined : `${at}: ${keys} keys, not ${found}`;
  return lost ?? first(ours.entries().map(([key, value]) => [value, valueOf(dict, key), `${at}${key.asString()}`]), document);
}

function valueOf(dict: { readonly [key: string]: Json }, key: PDFName): Json | undefined {
  return [key.asString(), `/${key.decodeText()}`, `/${Buffer.from(key.asBytes()).toString('utf8')}`].map((name) => dict[name]).find((value) => value !== undefined && value !== null);
}

function isNothing(document: LazyDocument, object: PDFObject | undefined): boolean {
  const value = object instanceof PDFRef ? document.lookup(object) : object;
  return value === undefined || value === PDFNull;
}

/** qpdf lists what a later revision freed, or gave another generation, and cross-reference streams that no entry names. */
function isHistory(document: LazyDocument, number: number, generation: number): boolean {
  const entry = document.entry(number);
  return entry === undefined || entry.kind === 'free' || (entry.kind === 'at' && entry.generation !== generation);
}

function first(pairs: readonly (readonly [PDFObject, Json | undefined, string])[], document: LazyDocument): string | undefined {
  for (const [ours, theirs, at] of pairs) {
    const found = difference(document, ours, theirs, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sameString(ours: PDFString | PDFHexString, theirs: string): boolean {
  const bytes = Buffer.from(ours.asBytes());
  if (theirs.startsWith('b:')) return theirs.slice(2) === bytes.toString('hex');
  const text = theirs.slice(2);
  return text === ours.decodeText() || text === bytes.toString('utf8') || text === bytes.toString('utf8').replace(/^\uFEFF/, '') || text === bytes.toString('latin1');
}

describe(hasCorpus ? 'reading the corpus lazily' : 'reading the corpus lazily (skipped: no ../shared/corpus)', () => {
  before(function () {
    if (!hasCorpus) this.skip();
  });

  it('counts the pages of every good file, without any recovery', () => {
    const wrong = files().filter((file) => file.class === 'good' && !file.needsPassword && !LYING_COUNTS.has(file.file)).flatMap((file) => {
      const document = openLazily(readFileSync(file.path));
      if (document.encrypted) return [];
      const pages = countPages(document);
      return pages === file.pages && !document.recovered ? [] : [`${file.file}: ${pages}, not ${file.pages}${document.recovered ? ', recovered' : ''}`];
    });
    expect(wrong).to.deep.equal([]);
  });

  it(hasQpdf ? 'reads every object of a sample of good files as qpdf does' : 'reads every object as qpdf does (skipped: no qpdf)', function () {
    this.timeout(60_000);
    if (!hasQpdf) this.skip();
    const wrong = everyTenth(files().filter((file) => file.class === 'good' && !file.needsPassword && !READ_OTHERWISE.has(file.file))).flatMap((file) => {
      const document = openLazily(readFileSync(file.path));
      if (document.encrypted) return [];
      return Object.entries(qpdfObjects(file.path)).flatMap(([key, { value, stream }]) => {
        const [, number, generation] = /^obj:(\d+) (\d+) R$/.exec(key) ?? [];
        const ours = number === undefined ? document.trailer : document.lookup(PDFRef.of(Number(number), Number(generation)));
        if (ours === undefined && isHistory(document, Number(number), Number(generation))) return [];
        const found = stream === undefined ? difference(document, ours, value, '') : ours instanceof PDFStream ? difference(document, ours.dict, stream.dict, '') : 'it is no stream';
        return found === undefined ? [] : [`${file.file} ${key}${found}`];
      });
    });
    expect(wrong).to.deep.equal([]);
  });

  it('ends in time with a result or a coded refusal on every damaged file', function () {
    this.timeout(60_000);
    const wrong = files().filter((file) => file.class !== 'good').flatMap((file) => {
      const start = performance.now();
      try {
        const document = openLazily(readFileSync(file.path));
        countPages(document);
        for (const ref of document.references()) document.lookup(ref);
      } catch (error) {
        if (!(error instanceof DocumentError)) return [`${file.file}: ${String(error)}`];
      }
      return performance.now() - start > SLOW ? [`${file.file}: too slow`] : [];
    });
    expect(wrong).to.deep.equal([]);
  });
});
