import {
  errorTable,
  fileKinds,
  type Access,
  type Deprecation,
  type ErrorFamily,
  type PartSpec,
  type When,
} from '@quire/registry';
import { reservedFields } from './verify-schema.js';

/** Receives one fault, worded without the name of the operation or endpoint. */
export type Report = (fault: string) => void;

/** Checks a summary: at most 60 characters, a capital first, no full stop. */
export function verifySummary(summary: unknown, report: Report): void {
  if (typeof summary !== 'string' || summary === '') report('has no summary.');
  else if (summary.length > 60) report(`its summary has ${summary.length} characters; the limit is 60.`);
  else if (!/^\p{Lu}/u.test(summary)) report(`its summary "${summary}" does not begin with a capital letter.`);
  else if (summary.endsWith('.')) report(`its summary "${summary}" ends with a full stop.`);
}

/** Checks keywords: at most twelve, in lower case, no duplicates. */
export function verifyKeywords(keywords: unknown, report: Report): void {
  if (keywords === undefined) return;
  if (!Array.isArray(keywords) || keywords.length > 12) {
    report('keywords is not a list of at most 12 words.');
    return;
  }
  const wrong = keywords.filter((word) => typeof word !== 'string' || !/^[a-z0-9][a-z0-9 /.-]{0,29}$/.test(word));
  for (const word of wrong)
    report(`the keyword ${JSON.stringify(word)} is not a word of at most 30 lower-case letters and digits.`);
  if (new Set(keywords).size < keywords.length) report('keywords has a word twice.');
}

const isVersion = (text: unknown): boolean => typeof text === 'string' && /^\d+\.\d+\.\d+$/.test(text);

export function verifySince(since: unknown, report: Report): void {
  if (!isVersion(since)) report(`since is ${JSON.stringify(since)}; it must be a version such as 1.0.0.`);
}

/** Checks the versions, the date and the successor of a deprecation. */
export function verifyDeprecation(deprecated: Partial<Deprecation> | undefined, report: Report): void {
  if (deprecated === undefined) return;
  for (const member of ['since', 'removeIn'] as const)
    if (!isVersion(deprecated[member]))
      report(`deprecated.${member} is ${JSON.stringify(deprecated[member])}; it must be a version such as 1.0.0.`);
  const { date, use } = deprecated;
  if (date !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))))
    report(`deprecated.date is ${JSON.stringify(date)}; it must be a day such as 2026-11-24.`);
  if (use !== undefined && !/^[a-z0-9-]+(\/[a-zA-Z0-9-]+)+$/.test(use))
    report(`deprecated.use is ${JSON.stringify(use)}; it must be the path of an operation, such as misc/repair.`);
}

/** Checks a list of file types. */
export function verifyKinds(kinds: unknown, title: string, report: Report): void {
  if (!Array.isArray(kinds) || kinds.length === 0) {
    report(`${title} lists no file type.`);
    return;
  }
  for (const kind of kinds)
    if (kind !== 'any' && !Object.hasOwn(fileKinds, String(kind)))
      report(`${title} has ${JSON.stringify(kind)}, which is not a known file type.`);
}

/** Checks error codes: in the table, of the expected families, no duplicates. */
export function verifyCodes(codes: unknown, families: readonly ErrorFamily[], report: Report): void {
  if (!Array.isArray(codes)) {
    report('errors is not a list of codes.');
    return;
  }
  const seen = new Set<unknown>();
  for (const code of codes) {
    if (!Object.hasOwn(errorTable, String(code)))
      report(`errors has ${JSON.stringify(code)}, which is not in the error table.`);
    else if (!families.includes(errorTable[code as keyof typeof errorTable].family))
      report(
        `errors has ${String(code)}, which is of the family ` +
          `${errorTable[code as keyof typeof errorTable].family}; allowed is ${families.join(', ')}.`,
      );
    if (seen.has(code)) report(`errors has ${String(code)} twice.`);
    seen.add(code);
  }
}

/** Checks that a condition uses only known fields. */
export function verifyWhen(when: When | undefined, fields: ReadonlySet<string>, title: string, report: Report): void {
  if (when === undefined || when === 'always') return;
  if (typeof when !== 'object' || when === null)
    report(`${title} is ${JSON.stringify(when)}; it must be "always" or values by field.`);
  else
    for (const field of Object.keys(when))
      if (!fields.has(field)) report(`${title} has the field ${field}, which the parameters do not have.`);
}

/** Checks the additional file fields; returns their names. */
export function verifyParts(
  parts: readonly PartSpec[] | undefined,
  fields: ReadonlySet<string>,
  report: Report,
  document?: string,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of parts ?? []) {
    const title = `the part ${JSON.stringify(part.field)}`;
    if (typeof part.field !== 'string' || !/^[A-Za-z][A-Za-z0-9]*$/.test(part.field))
      report(`${title} has no valid field name.`);
    if (reservedFields.includes(part.field) && part.field !== document)
      report(`${title} has a name that is reserved for the server.`);
    if (fields.has(part.field)) report(`${title} has the name of a parameter.`);
    if (names.has(part.field)) report(`${title} is declared twice.`);
    if ((part.description ?? '').trim() === '') report(`${title} has no description.`);
    verifyKinds(part.kinds, title, report);
    verifyWhen(part.requiredWhen, fields, `requiredWhen of ${title}`, report);
    names.add(part.field);
  }
  return names;
}

const accessWords = {
  role: ['public', 'user', 'admin'],
  licence: ['free', 'team', 'enterprise'],
  hosting: ['any', 'selfHosted', 'cloud'],
  right: ['storage', 'automations', 'apiKeys'],
} as const;

/** Checks access roles, settings and cost. */
export function verifyAccess(access: Access | undefined, report: Report): void {
  if (access === undefined) return;
  for (const [member, words] of Object.entries(accessWords)) {
    const value: unknown = access[member as keyof typeof accessWords];
    if (value !== undefined && !(words as readonly unknown[]).includes(value))
      report(`access.${member} is ${JSON.stringify(value)}; it must be one of ${words.join(', ')}.`);
  }
  for (const member of ['needsLogin', 'personal', 'needsSession'] as const)
    if (access[member] !== undefined && typeof access[member] !== 'boolean')
      report(`access.${member} must be true or false.`);
  if (access.area !== undefined && (access.role !== 'admin' || !/^[a-z][a-zA-Z]{1,29}$/.test(access.area)))
    report(`access.area is ${JSON.stringify(access.area)}; it must be a word of letters, and the role admin.`);
  if (access.needsSettings?.some((path) => typeof path !== 'string' || path === '') === true)
    report('access.needsSettings has an item that is not the path of a setting.');
  if (access.openBefore?.some((duty) => !['password', 'secondFactor'].includes(duty)) === true)
    report('access.openBefore has an item that is not password or secondFactor.');
  if (access.cost !== undefined && (!Number.isInteger(access.cost) || access.cost < 0))
    report(`access.cost is ${JSON.stringify(access.cost)}; it must be a whole number of at least 0.`);
}
