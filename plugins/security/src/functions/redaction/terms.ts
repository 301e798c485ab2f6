import { compileFault, type SearchTerm, TextSearch } from '@quire/document/redaction/search';
import { InputError } from '@quire/registry/errors';

/** Maximum number of terms per run, and of characters per term. */
const MAX_TERMS = 2000;
const MAX_LENGTH = 10_000;

/** A term, and the field it came from for error messages. */
export interface NamedTerm extends SearchTerm {
  readonly field: string;
  /** JSON Pointer to it; default: the field. */
  readonly pointer?: string;
  /** Position among the field's terms, from 1. */
  readonly number: number;
}

/** Lines of a field: trimmed, without blank ones. */
export function termsOfLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Builds a search for terms; undefined without terms. Throws INPUT_INVALID naming each term that cannot be searched
 * for, and why.
 */
export function searchFor(terms: readonly NamedTerm[]): TextSearch | undefined {
  if (terms.length === 0) return undefined;
  const faults = terms.flatMap(({ field, pointer = `/${field}`, number, ...term }) => {
    const fault = term.text.length > MAX_LENGTH ? `longer than ${MAX_LENGTH} characters` : compileFault(term);
    return fault === undefined
      ? []
      : [
          {
            pointer,
            field,
            detail: `term ${number} is ${term.regex === true ? 'not a usable pattern' : 'refused'}: ${fault}`,
          },
        ];
  });
  if (terms.length > MAX_TERMS)
    faults.unshift({
      pointer: `/${terms[0]!.field}`,
      field: terms[0]!.field,
      detail: `has more than ${MAX_TERMS} terms`,
    });
  if (faults.length > 0)
    throw new InputError(
      'INPUT_INVALID',
      {
        detail: faults
          .slice(0, 5)
          .map(({ field, detail }) => `${field}: ${detail}`)
          .join('; '),
      },
      faults.slice(0, 50).map(({ pointer, detail }) => ({ pointer, detail })),
    );
  return new TextSearch(terms);
}

/**
 * Terms of a list field (`docs/interface/security.yml`, redact-execute): a single value may be several terms separated
 * by commas, or one term that contains commas. Both are searched for: the whole value, and its parts if each makes
 * sense on its own.
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
