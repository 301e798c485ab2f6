import { inLanguage, type Language } from './languages.js';
import { termLabels } from './terms.js';

export { codeMeaning, schemeName } from './codes.js';
export { inLanguage, type Label, type Language, languages } from './languages.js';

/** What an accountant calls a business term or group (`BT-1`, `BG-4`). Throws RangeError for one without a label. */
export function labelOf(id: string, language: Language): string {
  const label = termLabels[id];
  if (label === undefined) throw new RangeError(`no label for ${id}`);
  return inLanguage(label, language);
}
