import { type ReadyPattern, readyPattern } from './ready-patterns.js';
import type { NamedTerm } from './terms.js';

/** The fields `terms` and `presets` as they were sent. */
export interface TermFields {
  /** JSON, of the shape that the operation declares. */
  readonly terms?: string | undefined;
  readonly presets: readonly ReadyPattern[];
}

interface ListedTerm {
  readonly text: string;
  readonly regex?: boolean;
  readonly wholeWord?: boolean;
  readonly matchCase?: boolean;
}

/** The terms of both fields, ready patterns last. */
export function namedTerms({ terms = '[]', presets }: TermFields): NamedTerm[] {
  const listed = JSON.parse(terms) as readonly ListedTerm[];
  return [
    ...listed.map(({ text, regex = false, wholeWord = false, matchCase = false }, i) => ({
      text: text.trim(),
      regex,
      wholeWord,
      matchCase,
      field: 'terms',
      pointer: `/terms/${i}/text`,
      number: i + 1,
    })),
    ...presets.map((preset, i) => ({ text: readyPattern(preset), regex: true, field: 'presets', number: i + 1 })),
  ];
}
