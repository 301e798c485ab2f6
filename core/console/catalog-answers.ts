import { createHash } from 'node:crypto';
import { showCategories, type Catalog } from '@quire/catalog';
import type { Principal } from '@quire/registry';
import type { Settings } from '../settings/index.js';
import { uploadLimit } from '../operations/index.js';
import { shownFacts } from '../operations/pipelines/index.js';
import { availabilityFor, type CallerAvailabilityDeps } from './availability.js';
import { compress, etagOf, type AnswerEncoding, type EncodedAnswer } from '../http/response/index.js';
import { Samples } from './samples.js';
import { shownOperations, type ShownJson } from './shown-operations.js';

export interface CatalogAnswersDeps extends CallerAvailabilityDeps {
  catalog(): Catalog;
  readonly settings: Settings;
  readonly version: string;
}

/** What is the same for all callers, as JSON. */
interface Shared {
  /** Everything before the operations. */
  readonly head: string;
  readonly operations: readonly ShownJson[];
  readonly digest: string;
  readonly samples: Samples;
}

/** Bodies that are kept, for callers with different rights and for each encoding. */
const MOST_BODIES = 8;

/**
 * The catalog of operations for the console. Nothing is made before the first request. What is the same for everybody
 * is made once; the bodies are kept, compressed, until the availability of operations changes.
 */
export class CatalogAnswers {
  #shared: Promise<Shared> | undefined;
  readonly #bodies = new Map<string, Promise<Buffer>>();

  constructor(private readonly deps: CatalogAnswersDeps) {}

  async answer(principal: Principal, encoding: AnswerEncoding): Promise<EncodedAnswer> {
    const { head, operations, digest } = await this.#ready();
    const available: string[] = [];
    for (const { entry } of operations)
      available.push(JSON.stringify(await availabilityFor(this.deps, entry, principal)));
    const etag = etagOf(`${digest}${available.join()}`, encoding);
    const text = (): string =>
      `${head}${operations.map(({ json }, i) => `${json},"availability":${available[i]}}`).join()}]}`;
    return { etag, body: () => this.#body(etag, () => compress(text(), encoding)) };
  }

  /** The path of a sample file; undefined if no example of the category uses a file of that name. */
  async samplePath(category: string, name: string): Promise<string | undefined> {
    return (await this.#ready()).samples.pathOf(category, name);
  }

  #ready(): Promise<Shared> {
    return (this.#shared ??= this.#make().catch((error: unknown) => {
      this.#shared = undefined;
      throw error;
    }));
  }

  async #make(): Promise<Shared> {
    const catalog = this.deps.catalog();
    const samples = await Samples.read(catalog);
    const operations = await shownOperations(catalog, samples);
    const categories = showCategories(
      operations.map(({ entry }) => entry.operation),
      catalog.plugins.flatMap(({ plugin }) => plugin.categories ?? []),
    );
    const uploadBytes = uploadLimit(this.deps.settings);
    const limits = Number.isFinite(uploadBytes) ? { uploadBytes } : {};
    const { templates } = catalog;
    const shared = { version: this.deps.version, ...limits, categories, templates, facts: shownFacts() };
    const head = `${JSON.stringify(shared).slice(0, -1)},"operations":[`;
    const digest = createHash('sha256').update(head);
    for (const { json } of operations) digest.update(json);
    return { head, operations, digest: digest.digest('hex'), samples };
  }

  #body(etag: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#bodies.get(etag);
    // The one used last is the last to be dropped.
    this.#bodies.delete(etag);
    const body = known ?? make();
    this.#bodies.set(etag, body);
    body.catch(() => this.#bodies.delete(etag));
    for (const oldest of this.#bodies.keys()) {
      if (this.#bodies.size <= MOST_BODIES) break;
      this.#bodies.delete(oldest);
    }
    return body;
  }
}
