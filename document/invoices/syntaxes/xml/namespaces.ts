/** The prefix that this code base gives to each namespace of an invoice, whatever prefix a document uses. */
const prefixes: Readonly<Record<string, string>> = {
  'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100': 'rsm',
  'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100': 'ram',
  'urn:un:unece:uncefact:data:standard:QualifiedDataType:100': 'qdt',
  'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100': 'udt',
  'urn:ferd:CrossIndustryDocument:invoice:1p0': 'rsm',
  'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12': 'ram',
  'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15': 'udt',
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': 'ubl',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': 'cn',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2': 'cac',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2': 'cbc',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2': 'ext',
};

/** The name with the prefix of this table; a name of another namespace keeps the namespace: `{urn:x}Name`. */
export function qualifiedName(namespace: string, name: string): string {
  const prefix = Object.hasOwn(prefixes, namespace) ? prefixes[namespace] : undefined;
  return prefix === undefined ? (namespace === '' ? name : `{${namespace}}${name}`) : `${prefix}:${name}`;
}

const namespaces: ReadonlyMap<string, string> = new Map(
  Object.entries(prefixes)
    .map(([namespace, prefix]) => [prefix, namespace] as const)
    .reverse(),
);

/** The namespace of a prefix of this table, as it is written today. */
export function namespaceOf(prefix: string): string {
  const namespace = namespaces.get(prefix);
  if (namespace === undefined) throw new RangeError(`no namespace for ${prefix}`);
  return namespace;
}
