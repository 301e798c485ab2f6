import type { FormField } from './form-model.js';

/** Finds fields by name: by the full one, else by the partial one (`docs/interface/form.yml`, fill). */
export class FieldFinder {
  readonly #full = new Map<string, FormField[]>();
  readonly #partial = new Map<string, FormField>();

  constructor(fields: readonly FormField[]) {
    for (const field of fields) {
      const known = this.#full.get(field.name);
      if (known === undefined) this.#full.set(field.name, [field]);
      else known.push(field);
      if (field.partialName !== '' && !this.#partial.has(field.partialName))
        this.#partial.set(field.partialName, field);
    }
  }

  /**
   * Gives the fields of a full name, which several dictionaries may share (ISO 32000-1, 12.7.3.2), or those that share
   * theirs with the first of that partial name.
   */
  find(name: string): readonly FormField[] {
    const found = this.#full.get(name);
    if (found !== undefined) return found;
    const first = this.#partial.get(name);
    return first === undefined ? [] : (this.#full.get(first.name) ?? []);
  }
}
