import { fileKinds, type ShownFact } from '@quire/registry';
import { allowed } from './comparison.js';
import { facts } from './facts.js';

/** The facts that conditions compare, as the console shows them. */
export function shownFacts(): readonly ShownFact[] {
  return Object.entries(facts).map(([name, { type, title, kinds }]) => ({
    name,
    type,
    title,
    words: allowed[type],
    ...(kinds === undefined ? {} : { kinds }),
    ...(name === 'kind' ? { values: Object.keys(fileKinds).sort() } : {}),
  }));
}
