import type { CompiledGroup } from '../bindings/binding.js';
import { find, resolved, valueAt, type Variables } from '../bindings/find.js';
import { trimXml, type XmlElement } from '../xml/index.js';
import { GroupReader } from './read-group.js';

/** Content of the document that the model has no place for. */
export interface Unread {
  readonly element: XmlElement;
  /** The attribute that is not read, of an element that is. */
  readonly attribute?: string;
  readonly value: string;
}

/** Attributes that name a code list, where the code says all (UN/CEFACT core component types). */
const ABOUT_LISTS =
  /^(?:list(?:ID|AgencyID|AgencyName|Name|VersionID|URI|SchemeURI)|scheme(?:AgencyID|AgencyName|Name|URI|DataURI)|unitCodeList\w+|currencyCodeListVersionID|xsi:\w+)$/;

/** Lists elements with text, and attributes of the others, that no binding reads; in document order. */
export function findUnread(root: XmlElement, binding: CompiledGroup, variables: Variables): readonly Unread[] {
  const texts = new Set<XmlElement>();
  const attributes = new Map<XmlElement, Set<string>>();
  const value = (element: XmlElement, attribute?: string): void => {
    if (attribute === undefined) texts.add(element);
    else attributes.set(element, (attributes.get(element) ?? new Set()).add(attribute));
  };
  /** What is fixed needs no attributes either: `<cbc:ID schemeID="UN/ECE 5153">VAT</cbc:ID>`. */
  const markAll = (element: XmlElement, attribute: string | undefined): void => {
    value(element, attribute);
    if (attribute === undefined) for (const name of element.attributes.keys()) value(element, name);
  };
  const reader = new GroupReader(variables, {
    value,
    step: ({ tests, constants }, element) => {
      for (const { path, values } of constants) mark(path, values);
      for (const test of tests) if (test.kind === 'is') mark(test.path, test.values);

      function mark(path: (typeof constants)[number]['path'], values: readonly string[]): void {
        for (const place of find(path, element, variables))
          if (values.some((each) => resolved(each, variables) === valueAt(place, path))) markAll(place, path.attribute);
      }
    },
  });
  reader.read(binding, root);
  return collect(root, { texts, attributes, variables });
}

interface Used {
  readonly texts: ReadonlySet<XmlElement>;
  readonly attributes: ReadonlyMap<XmlElement, ReadonlySet<string>>;
  readonly variables: Variables;
}

function collect(element: XmlElement, used: Used, found: Unread[] = []): Unread[] {
  // The version of UBL is a property of the file: 2.1 for all invoices of EN 16931.
  if (element.qname === 'cbc:UBLVersionID') return found;
  if (element.text !== '' && !used.texts.has(element)) found.push({ element, value: element.text });
  else
    for (const [attribute, value] of element.attributes)
      if (hasMeaning(element, attribute, value, used)) found.push({ element, attribute, value });
  for (const child of element.children) collect(child, used, found);
  return found;
}

function hasMeaning(element: XmlElement, attribute: string, value: string, used: Used): boolean {
  if (trimXml(value) === '' || used.attributes.get(element)?.has(attribute) === true) return false;
  if (ABOUT_LISTS.test(attribute)) return false;
  // An amount in the currency of the invoice says nothing new.
  return !(attribute === 'currencyID' && trimXml(value) === used.variables.currency);
}
