import type { FieldFault } from '@quire/registry';

/** Faults that one report lists; further ones are counted. */
const MAX_LISTED = 100;
/** Longest pointer and longest text of a listed fault in characters: both may repeat what the caller sent. */
const MAX_POINTER = 300;
const MAX_DETAIL = 600;

/** Faults of one report: the first hundred are listed with short texts, the others are counted. */
export class FaultList {
  readonly #listed: FieldFault[] = [];
  #unlisted = 0;

  /** Adds a fault; its text is only computed if it is listed. */
  add(pointer: string, detail: string | (() => string)): void {
    if (this.#listed.length >= MAX_LISTED) {
      this.#unlisted++;
      return;
    }
    const text = typeof detail === 'string' ? detail : detail();
    this.#listed.push({ pointer: shortened(pointer, MAX_POINTER), detail: shortened(text, MAX_DETAIL) });
  }

  get listed(): readonly FieldFault[] {
    return this.#listed;
  }

  /** The number of faults that are not listed. */
  get unlisted(): number {
    return this.#unlisted;
  }
}

/** Returns the listed faults and, if there are more, an entry that says how many. */
export function withRest(listed: readonly FieldFault[], unlisted: number): readonly FieldFault[] {
  if (unlisted === 0) return listed;
  return [
    ...listed,
    { pointer: '/pipeline', detail: `${unlisted} more like these ${unlisted === 1 ? 'is' : 'are'} not listed` },
  ];
}

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
