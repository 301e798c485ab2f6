import type { FormField } from './form-model.js';

/** Finds fields by full name, else by partial name (`docs/interface/form.yml`, fill). */
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
   * Returns the fields with this full name, which several dictionaries may share (ISO 32000-1, 12.7.3.2); else the
   * first field with this partial name, and all that share its full name.
   */
  find(name: string): readonly FormField[] {
    const found = this.#full.get(name);
    if (found !== undefined) return found;
    const first = this.#partial.get(name);
    return first === undefined ? [] : (this.#full.get(first.name) ?? []);
  }
}
