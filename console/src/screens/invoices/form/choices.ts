import { codeMeaning, languages, schemeName } from '@quire/document/invoices/labels';
import {
  allowanceReasons,
  chargeReasons,
  countries,
  currencies,
  electronicAddressSchemes,
  exemptionReasons,
  identifierSchemes,
  itemClassificationSchemes,
  referenceTypes,
  subjects,
  taxPointCodes,
  type CodeList,
} from '@quire/document/invoices/rules/code-lists';
import type { Term } from '@quire/document/invoices/model';
import type { Option } from '../../../components/index.ts';
import { compareTexts, language } from '../../../i18n/index.ts';
import { codeNames } from '../data/codes.ts';
import { nameOfCode } from '../data/value-text.ts';

/** The codes to choose from for the term with this key; undefined where it is typed. */
export function choicesFor(key: string): readonly Option[] | undefined {
  const usual = codeNames[key];
  if (usual !== undefined) return Object.keys(usual).map((code) => optionOf(code, key));
  const list = /country/i.test(key) ? countries.ubl : /currency$/i.test(key) ? currencies : undefined;
  if (list === undefined) return undefined;
  return [...list.values].map((code) => optionOf(code, key)).sort((a, b) => compareTexts(a.label, b.label));
}

function optionOf(code: string, key: string): Option {
  const name = nameOfCode(code, key);
  return { value: code, label: name === undefined ? code : `${name} (${code})` };
}

/** Codes that are offered while somebody types, by the numbers of the terms; `scheme` means that of an identifier. */
const lists: readonly { readonly terms: string; readonly list: CodeList; readonly scheme?: true }[] = [
  { terms: 'BT-8', list: taxPointCodes.ubl },
  { terms: 'BT-21', list: subjects.cii },
  { terms: 'BT-98 BT-140', list: allowanceReasons },
  { terms: 'BT-105 BT-145', list: chargeReasons },
  { terms: 'BT-121', list: exemptionReasons },
  { terms: 'BT-18 BT-128', list: referenceTypes, scheme: true },
  { terms: 'BT-34 BT-49', list: electronicAddressSchemes, scheme: true },
  { terms: 'BT-158', list: itemClassificationSchemes, scheme: true },
  { terms: 'BT-29 BT-30 BT-46 BT-47 BT-60 BT-61 BT-71 BT-157', list: identifierSchemes, scheme: true },
];

/** What may be typed for a term with a code, or as the scheme of an identifier, named where a name is known. */
export function suggestionsFor({ id, type }: Term): readonly Option[] {
  const found = lists.find(({ terms, scheme }) => (scheme === true) === (type === 'schemed') && has(terms, id));
  return [...(found?.list.values ?? [])].map((code) => ({ value: code, label: meaningOf(id, type, code) ?? code }));
}

const has = (terms: string, id: string): boolean => terms.split(' ').includes(id);

/** In German, English or French, as invoices are rendered. */
function meaningOf(id: string, type: Term['type'], code: string): string | undefined {
  if (type === 'schemed') return schemeName(code);
  return codeMeaning(id, code, languages.find((each) => each === language.value) ?? 'en');
}
