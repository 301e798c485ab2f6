import { Kinds } from './connector-options.js';
import { destinationKinds, sourceKinds } from './connectors/index.js';
import type { DestinationKind, SourceKind } from './connectors/model.js';

/** Kinds of sources and destinations beside the server's own. */
export interface Connectors {
  readonly sources: readonly SourceKind[];
  readonly destinations: readonly DestinationKind[];
}

/** All kinds of this server. */
export function connectorsOf(
  deps: Parameters<typeof sourceKinds>[0] &
    Parameters<typeof destinationKinds>[0] & { readonly connectors?: Connectors | undefined },
): Kinds {
  const { sources = [], destinations = [] } = deps.connectors ?? {};
  return new Kinds([...sourceKinds(deps), ...sources], [...destinationKinds(deps), ...destinations]);
}
