import type { DestinationKind, SourceKind } from './model.js';

/** The kinds of sources of this server. */
export function sourceKinds(_deps: object): readonly SourceKind[] {
  return [];
}

/** The kinds of destinations of this server. */
export function destinationKinds(_deps: object): readonly DestinationKind[] {
  return [];
}
