import { InputError, type Principal } from '@quire/registry';
import type { DestinationSpec } from '../automations/model.js';
import type { OpenDestination, OpenSource } from '../connectors/model.js';
import type { EngineDeps } from './engine-deps.js';

type Deps = Pick<EngineDeps, 'kinds' | 'sources'>;

/** Sources and destinations that stay open while the files of an automation are worked on. */
export class OpenConnectors {
  readonly #sources = new Map<string, Promise<OpenSource>>();
  readonly #destinations = new Map<string, Promise<OpenDestination>>();

  constructor(
    private readonly deps: Deps,
    private readonly signal: AbortSignal,
  ) {}

  source(id: string, principal: Principal): Promise<OpenSource> {
    return opened(this.#sources, id, () => openSource(this.deps, id, principal, this.signal));
  }

  destination({ id, type, options }: DestinationSpec, principal: Principal): Promise<OpenDestination> {
    return opened(this.#destinations, id, async () => {
      const kind = this.deps.kinds.destinations.get(type);
      if (kind === undefined)
        throw new InputError('INPUT_INVALID', { detail: this.deps.kinds.unknown('destinations', type) });
      return kind.open(options, { principal, signal: this.signal });
    });
  }

  /** Closes all; the next use opens them again. Never rejects. */
  async close(): Promise<void> {
    const all = [...this.#sources.values(), ...this.#destinations.values()];
    this.#sources.clear();
    this.#destinations.clear();
    await Promise.all(all.map((one) => one.then((open) => open.close()).catch(() => undefined)));
  }
}

/** Opens a source. Throws NOT_FOUND when it was deleted. */
export async function openSource(
  { kinds, sources }: Deps,
  id: string,
  principal: Principal,
  signal: AbortSignal,
): Promise<OpenSource> {
  const source = await sources.get(id);
  const kind = source === undefined ? undefined : kinds.sources.get(source.type);
  if (source === undefined || kind === undefined) throw new InputError('NOT_FOUND');
  return kind.open(source.options, { principal, signal });
}

function opened<T>(all: Map<string, Promise<T>>, id: string, open: () => Promise<T>): Promise<T> {
  const found = all.get(id);
  if (found !== undefined) return found;
  const opening = open();
  all.set(id, opening);
  // One that could not be opened is tried again by the next file.
  opening.catch(() => all.delete(id));
  return opening;
}
