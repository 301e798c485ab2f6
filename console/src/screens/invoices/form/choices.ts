import { countries, currencies } from '@quire/document/invoices/rules/code-lists';
import type { Option } from '../../../components/index.ts';
import { compareTexts } from '../../../i18n/index.ts';
import { codeNames } from '../data/codes.ts';
import { nameOfCode } from '../data/value-text.ts';

/** The codes to choose from for the term with this key; undefined where it is typed. */
export function choicesFor(key: string): readonly Option[] | undefined {
  const usual = codeNames[key];
  if (usual !== undefined) return Object.keys(usual).map((code) => optionOf(code, key));
  const list = key === 'country' ? countries.ubl : key === 'currency' ? currencies : undefined;
  if (list === undefined) return undefined;
  return [...list.values].map((code) => optionOf(code, key)).sort((a, b) => compareTexts(a.label, b.label));
}

function optionOf(code: string, key: string): Option {
  const name = nameOfCode(code, key);
  return { value: code, label: name === undefined ? code : `${name} (${code})` };
}
