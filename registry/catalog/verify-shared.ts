import { errorTable, fileKinds, type Access, type ErrorFamily, type PartSpec, type When } from '@quire/registry';
import { reservedFields } from './verify-schema.js';

/** Takes one fault, said without naming the operation or endpoint. */
export type Report = (fault: string) => void;

/** Checks a summary: at most 60 characters, a capital first, no full stop. */
export function verifySummary(summary: unknown, report: Report): void {
  if (typeof summary !== 'string' || summary === '') report('has no summary.');
  else if (summary.length > 60) report(`its summary has ${summary.length} characters; allowed are 60.`);
  else if (!/^\p{Lu}/u.test(summary)) report(`its summary "${summary}" does not begin with a capital letter.`);
  else if (summary.endsWith('.')) report(`its summary "${summary}" ends with a full stop.`);
}

/** Checks keywords: up to twelve, in lower case, each once. */
export function verifyKeywords(keywords: unknown, report: Report): void {
  if (keywords === undefined) return;
  if (!Array.isArray(keywords) || keywords.length > 12) {
    report('keywords is not a list of at most 12 words.');
    return;
  }
  const wrong = keywords.filter((word) => typeof word !== 'string' || !/^[a-z0-9][a-z0-9 /.-]{0,29}$/.test(word));
  for (const word of wrong)
    report(`the keyword ${JSON.stringify(word)} is not a word of at most 30 lower-case letters and digits.`);
  if (new Set(keywords).size < keywords.length) report('keywords holds a word twice.');
}

/** Checks a version text. */
export function verifySince(since: unknown, report: Report): void {
  if (typeof since !== 'string' || !/^\d+\.\d+\.\d+$/.test(since))
    report(`since is ${JSON.stringify(since)}; allowed is a version as 1.0.0.`);
}

/** Checks a list of kinds. */
export function verifyKinds(kinds: unknown, title: string, report: Report): void {
  if (!Array.isArray(kinds) || kinds.length === 0) {
    report(`${title} names no kind of file.`);
    return;
  }
  for (const kind of kinds)
    if (kind !== 'any' && !Object.hasOwn(fileKinds, String(kind)))
      report(`${title} names the kind ${JSON.stringify(kind)}, which is not known.`);
}

/** Checks error codes: in the table, of the wanted families, named once. */
export function verifyCodes(codes: unknown, families: readonly ErrorFamily[], report: Report): void {
  if (!Array.isArray(codes)) {
    report('errors is no list of codes.');
    return;
  }
  const seen = new Set<unknown>();
  for (const code of codes) {
    if (!Object.hasOwn(errorTable, String(code)))
      report(`errors names ${JSON.stringify(code)}, which is not in the error table.`);
    else if (!families.includes(errorTable[code as keyof typeof errorTable].family))
      report(
        `errors names ${String(code)}, which is of the family ` +
          `${errorTable[code as keyof typeof errorTable].family}; allowed is ${families.join(', ')}.`,
      );
    if (seen.has(code)) report(`errors names ${String(code)} twice.`);
    seen.add(code);
  }
}

/** Checks that a condition speaks of known fields alone. */
export function verifyWhen(when: When | undefined, fields: ReadonlySet<string>, title: string, report: Report): void {
  if (when === undefined || when === 'always') return;
  if (typeof when !== 'object' || when === null)
    report(`${title} is ${JSON.stringify(when)}; allowed is "always" or values by field.`);
  else
    for (const field of Object.keys(when))
      if (!fields.has(field)) report(`${title} names the field ${field}, which the parameters do not have.`);
}

/** Checks the further file fields; gives their names. */
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
      report(`${title} has no usable field name.`);
    if (reservedFields.includes(part.field) && part.field !== document)
      report(`${title} has a name that belongs to the server.`);
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
} as const;

/** Checks who may call. */
export function verifyAccess(access: Access | undefined, report: Report): void {
  if (access === undefined) return;
  for (const [member, words] of Object.entries(accessWords)) {
    const value: unknown = access[member as keyof typeof accessWords];
    if (value !== undefined && !(words as readonly unknown[]).includes(value))
      report(`access.${member} is ${JSON.stringify(value)}; allowed is one of ${words.join(', ')}.`);
  }
  if (access.needsLogin !== undefined && typeof access.needsLogin !== 'boolean')
    report('access.needsLogin is neither true nor false.');
  if (access.needsSettings?.some((path) => typeof path !== 'string' || path === '') === true)
    report('access.needsSettings holds something that is no path of a setting.');
  if (access.cost !== undefined && (!Number.isInteger(access.cost) || access.cost < 0))
    report(`access.cost is ${JSON.stringify(access.cost)}; allowed is a whole number from 0 on.`);
}
