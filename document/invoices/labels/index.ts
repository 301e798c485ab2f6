import { inLanguage, type Language } from './languages.js';
import { termLabels } from './terms.js';

export { codeMeaning, schemeName } from './codes.js';
export { inLanguage, type Label, type Language, languages } from './languages.js';

/** What an accountant calls a business term or group (`BT-1`, `BG-4`). Throws RangeError for one without a label. */
export function labelOf(id: string, language: Language): string {
  const label = findLabel(id, language);
  if (label === undefined) throw new RangeError(`no label for ${id}`);
  return label;
}

/** The same, undefined for one without a label. */
export function findLabel(id: string, language: Language): string | undefined {
  const label = Object.hasOwn(termLabels, id) ? termLabels[id] : undefined;
  return label === undefined ? undefined : inLanguage(label, language);
}
