/** What `analysis/document-properties` says; dates are ISO 8601. */
export interface Properties {
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
  readonly creator: string | null;
  readonly producer: string | null;
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}

/** The members of `security/get-info-on-pdf` that are needed. */
export interface Details {
  readonly Metadata: Readonly<Record<string, string>>;
  readonly DocumentInfo: { readonly Trapped?: string | null };
}

/** An entry with a name of the author's own. */
export interface OwnEntry {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

export interface Values {
  readonly standard: Readonly<Record<keyof Properties, string>>;
  readonly trapped: string;
  readonly own: readonly OwnEntry[];
}

const STANDARD: ReadonlySet<string> = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'ModificationDate',
  'Trapped',
]);

let lastId = 0;

export function ownEntry(name = '', value = ''): OwnEntry {
  return { id: ++lastId, name, value };
}

export function valuesOf(properties: Properties, details: Details | undefined): Values {
  return {
    standard: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, (value as string | null) ?? '']),
    ) as Values['standard'],
    trapped: details?.DocumentInfo.Trapped ?? '',
    own: Object.entries(details?.Metadata ?? {})
      .filter(([name]) => !STANDARD.has(name))
      .map(([name, value]) => ownEntry(name, value)),
  };
}

/** Why custom entries cannot be applied, by id: a name is missing, is a standard one, or occurs twice. */
export function faultsOf(own: readonly OwnEntry[]): ReadonlyMap<number, 'missing' | 'standard' | 'twice'> {
  const faults = new Map<number, 'missing' | 'standard' | 'twice'>();
  const names = new Set<string>();
  const standard = new Set([...STANDARD].map((name) => name.toLowerCase()));
  for (const { id, name } of own) {
    const trimmed = name.trim();
    if (trimmed === '') faults.set(id, 'missing');
    else if (standard.has(trimmed.toLowerCase())) faults.set(id, 'standard');
    else if (names.has(trimmed)) faults.set(id, 'twice');
    names.add(trimmed);
  }
  return faults;
}

/** The fields of `misc/update-metadata` that make the document have these values, and none of the former own ones. */
export function fieldsOf(values: Values, before: Values): Record<string, string> {
  const given = Object.entries({ ...values.standard, trapped: values.trapped }).filter(([, value]) => value !== '');
  const kept = values.own.filter(({ value }) => value !== '');
  const gone = before.own.filter(({ name }) => !kept.some((entry) => entry.name.trim() === name));
  const pairs = [
    ...kept.map(({ name, value }, i) => [`customKey${i + 1}`, name.trim(), `customValue${i + 1}`, value] as const),
    ...gone.map(({ name }, i) => [`customKey${kept.length + i + 1}`, name] as const),
  ];
  const own = Object.fromEntries(
    pairs.flatMap(([key, name, valueKey, value]) =>
      valueKey === undefined || value === undefined
        ? [[key, name]]
        : [
            [key, name],
            [valueKey, value],
          ],
    ),
  ) as Record<string, string>;
  return {
    ...Object.fromEntries(given),
    ...(pairs.length === 0 ? {} : { allRequestParams: JSON.stringify(own) }),
  };
}

/** A time as a field of this browser shows it, in its own zone; empty if there is none. */
export function toLocal(iso: string): string {
  const date = new Date(iso);
  if (iso === '' || Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The other way, as UTC. */
export function fromLocal(local: string): string {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
