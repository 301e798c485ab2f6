import { compileFault, type SearchTerm, TextSearch } from '@quire/document/redaction/search';
import { InputError } from '@quire/registry/errors';

/** Terms of one run, and characters of one term. */
const MAX_TERMS = 2000;
const MAX_LENGTH = 10_000;

/** Terms as fields name them, with the field for what is wrong with them. */
export interface NamedTerm extends SearchTerm {
  readonly field: string;
  /** Which of the field's terms it is, from 1. */
  readonly number: number;
}

/** Lines of a field: trimmed, blank ones dropped. */
export function termsOfLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Makes a search of terms, undefined for none. Errors: INPUT_INVALID naming each term that cannot be looked for, and
 * why.
 */
export function searchFor(terms: readonly NamedTerm[]): TextSearch | undefined {
  if (terms.length === 0) return undefined;
  const faults = terms.flatMap(({ field, number, ...term }) => {
    const fault = term.text.length > MAX_LENGTH ? `longer than ${MAX_LENGTH} characters` : compileFault(term);
    return fault === undefined
      ? []
      : [
          {
            pointer: `/${field}`,
            detail: `term ${number} is ${term.regex === true ? 'no pattern that can be used' : 'refused'}: ${fault}`,
          },
        ];
  });
  if (terms.length > MAX_TERMS)
    faults.unshift({ pointer: `/${terms[0]!.field}`, detail: `holds more than ${MAX_TERMS} terms` });
  if (faults.length > 0)
    throw new InputError(
      'INPUT_INVALID',
      {
        detail: faults
          .slice(0, 5)
          .map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`)
          .join('; '),
      },
      faults.slice(0, 50),
    );
  return new TextSearch(terms);
}

/**
 * The values of a list field (`docs/interface/security.yml`, redact-execute): one value sent alone may be several with
 * commas between, or one that holds commas. Both are looked for: the value as it is, and its parts where each could be
 * meant by itself.
 */
export function listedTerms(values: readonly (string | number)[], field: string, regex: boolean): NamedTerm[] {
  const given = values.map((value) => String(value).trim()).filter((value) => value !== '');
  const parts =
    given.length === 1 && given[0]!.includes(',')
      ? given[0]!
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : [];
  const usable = parts.every((text) => compileFault({ text, regex }) === undefined);
  return [...new Set([...given, ...(usable ? parts : [])])].map((text, i) => ({ text, regex, field, number: i + 1 }));
}
