import { PDFHexString } from 'pdf-lib';
import { ContentLexer } from '../../content/index.js';
import { endsToken } from '../../file/reader/index.js';
import type { NewNames } from '../document-data/new-names.js';
import { isFound, type TextFinder } from '../document-data/text-finder.js';
import { readString } from '../document-data/text-string.js';
import { newNameText } from './rename-names.js';

/** Operators are shorter (ISO 32000-1, annex A). */
const LONGEST_OPERATOR = 3;
const [OPEN, CLOSE, LESS, GREATER, SLASH, BACKSLASH, PERCENT] = [0x28, 0x29, 0x3c, 0x3e, 0x2f, 0x5c, 0x25];

/**
 * Looks through content for found text beside the text that it shows, without reading it: most content has none, and
 * this takes a fraction of the time.
 */
export class ContentSurvey {
  #at = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #texts: string[] = [];
  /** A string that no operator has used yet. */
  #isString = false;
  /** Where the outermost dictionary begins, and how many are open. */
  #dict = 0;
  #depth = 0;

  constructor(
    private readonly find: TextFinder,
    private readonly names: NewNames,
  ) {}

  /** Returns false for content that certainly needs no cleaning (`cleanContent`). */
  mayHoldText(bytes: Uint8Array): boolean {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    [this.#at, this.#depth, this.#isString, this.#texts] = [0, 0, false, []];
    while (this.#at < bytes.length) if (this.#token()) return true;
    return this.#isString || isFound(this.#texts.join('\n'), this.find);
  }

  /** Passes over one token; returns true for one that must be read. */
  #token(): boolean {
    const bytes = this.#bytes;
    const byte = bytes[this.#at]!;
    switch (byte) {
      case OPEN:
        this.#passString();
        this.#isString = true;
        return false;
      case LESS:
        this.#passHexOrDict();
        return false;
      case GREATER:
        this.#passDictEnd();
        return false;
      case PERCENT: {
        const start = this.#at;
        while (this.#at < bytes.length && bytes[this.#at] !== 0x0a && bytes[this.#at] !== 0x0d) this.#at++;
        this.#texts.push(bytes.toString('utf8', start, this.#at), bytes.toString('latin1', start, this.#at));
        return false;
      }
      case SLASH: {
        const start = ++this.#at;
        this.#passRegular();
        return newNameText(this.names, bytes.toString('latin1', start, this.#at)) !== undefined;
      }
      default:
        if (endsToken(byte)) this.#at++;
        else if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e) this.#passRegular();
        else return this.#word();
        return false;
    }
  }

  #word(): boolean {
    const start = this.#at;
    this.#passRegular();
    const length = this.#at - start;
    if (this.#depth > 0) return false;
    const word = this.#bytes.toString('latin1', start, Math.min(this.#at, start + 256));
    const isShown = word === 'Tj' || word === 'TJ' || word === "'" || word === '"';
    if (this.#isString && !isShown) return true;
    this.#isString = false;
    if (length > LONGEST_OPERATOR) this.#texts.push(word);
    // The data of an inline image may look like anything.
    return word === 'BI';
  }

  #passRegular(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && !endsToken(bytes[this.#at])) this.#at++;
  }

  #passString(): void {
    const bytes = this.#bytes;
    let depth = 0;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at];
      if (byte === BACKSLASH) this.#at++;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE && --depth === 0) break;
    }
    this.#at++;
  }

  #passHexOrDict(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at + 1] === LESS) {
      if (this.#depth++ === 0) this.#dict = this.#at;
      this.#at += 2;
      return;
    }
    const end = bytes.indexOf(GREATER, this.#at);
    this.#at = end < 0 ? bytes.length : end + 1;
    this.#isString = true;
  }

  #passDictEnd(): void {
    this.#at += this.#bytes[this.#at + 1] === GREATER ? 2 : 1;
    if (this.#depth === 0 || --this.#depth > 0 || !this.#isString) return;
    this.#isString = false;
    const lexer = new ContentLexer(this.#bytes.subarray(0, this.#at), this.#dict, {
      string: (_from, _to, value) => {
        const bytes = Buffer.from(value);
        this.#texts.push(readString(PDFHexString.of(bytes.toString('hex'))).text, bytes.toString('utf8'));
      },
    });
    lexer.next();
  }
}
