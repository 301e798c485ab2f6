import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compress, type AnswerEncoding } from '../http/response/index.js';
import { asVersion31 } from './as-version-31.js';
import type { OpenApiDocument } from './complete-document.js';
import { documentParts, partOf, type DocumentPart } from './document-parts.js';
import { withoutCalls } from './without-disabled.js';

/** A view of the document as it is sent. */
export interface View {
  /** Equal for equal views. */
  readonly name: string;
  body(encoding: AnswerEncoding): Promise<Buffer>;
}

interface ViewsDeps {
  /** Name of the whole document. */
  readonly key: string;
  /** Folder of prepared views, which need no work. */
  readonly folder: string;
  /** Tags of tools. */
  readonly tools: ReadonlySet<string>;
  whole(): Promise<OpenApiDocument>;
}

/** Sets of calls that are left out, for which bodies are kept: roles differ in them. */
const MOST_VARIANTS = 8;

/**
 * The views of one document: whole or a part, without disabled calls, as OpenAPI 3.0 or 3.1. Only compressed bodies
 * stay in memory; the document is read again for calls that are left out for the first time (a switch, a role).
 */
export class DocumentViews {
  #texts = new Map<string, Promise<string>>();
  /** By the calls that are left out, the last used at the end. */
  readonly #kept = new Map<string, Map<string, Promise<Buffer>>>();
  #whole: Promise<OpenApiDocument> | undefined;

  constructor(private readonly deps: ViewsDeps) {}

  /** Returns a view without these calls; `part` undefined: everything. */
  readonly view = async (hidden: ReadonlySet<string>, part: DocumentPart | undefined, is31: boolean): Promise<View> => {
    const calls = [...hidden].sort().join('\n');
    const bodies = this.#bodiesOf(calls);
    const facts = `${this.deps.key} ${part} ${is31} ${calls}`;
    const name = createHash('sha256').update(facts).digest('hex').slice(0, 32);
    const make = (): Promise<string> => this.#text(name, () => this.#make(hidden, part, is31));
    return { name, body: (encoding) => this.#body(bodies, `${name}.${encoding}`, encoding, make) };
  };

  /** Writes every view into the folder. */
  async write(hidden: ReadonlySet<string>): Promise<void> {
    for (const part of [undefined, ...(Object.keys(documentParts) as DocumentPart[])])
      for (const is31 of [false, true]) {
        const { name, body } = await this.view(hidden, part, is31);
        for (const encoding of ['identity', 'gzip', 'br'] as const)
          await writeFile(join(this.deps.folder, `${name}.${encoding}`), await body(encoding));
      }
  }

  #bodiesOf(calls: string): Map<string, Promise<Buffer>> {
    const known = this.#kept.get(calls) ?? new Map<string, Promise<Buffer>>();
    this.#kept.delete(calls);
    this.#kept.set(calls, known);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_VARIANTS) break;
      this.#kept.delete(oldest);
    }
    return known;
  }

  #body(
    bodies: Map<string, Promise<Buffer>>,
    file: string,
    encoding: AnswerEncoding,
    make: () => Promise<string>,
  ): Promise<Buffer> {
    const body =
      bodies.get(file) ?? readFile(join(this.deps.folder, file)).catch(async () => compress(await make(), encoding));
    // The uncompressed text is large and rarely asked for. An error is answered as an error; the next call tries again.
    if (encoding !== 'identity') bodies.set(file, body);
    body.catch(() => bodies.delete(file));
    return body;
  }

  /** Calls at the same time wait for the same text. */
  #text(name: string, make: () => Promise<string>): Promise<string> {
    const text = this.#texts.get(name) ?? make().finally(() => this.#texts.delete(name));
    this.#texts.set(name, text);
    return text;
  }

  async #make(hidden: ReadonlySet<string>, part: DocumentPart | undefined, is31: boolean): Promise<string> {
    this.#whole ??= this.deps.whole().finally(() => (this.#whole = undefined));
    const visible = withoutCalls(await this.#whole, hidden);
    const shown = part === undefined ? visible : partOf(visible, part, this.deps.tools);
    return JSON.stringify(is31 ? asVersion31(shown) : shown);
  }
}
