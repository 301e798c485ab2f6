import type Joi from 'joi';
import type { JoiRoot } from '../contract/operation.js';
import { shown } from './shown.js';
import { InputError } from '../errors/classes.js';

/**
 * The requested languages in order, without duplicates: from a list, or names joined by commas or plus signs, or both.
 */
export function languageNames(sent: readonly string[]): string[] {
  return [...new Set(sent.flatMap((text) => text.split(/[,+;\s]+/)).filter((name) => name !== ''))];
}

/**
 * A form's languages for text recognition: a repeated field, or names joined by commas or plus signs (`eng+deu` is the
 * engine's own notation). `required`: at least one.
 */
export function languagesField(joi: JoiRoot, description: string, required: boolean): Joi.ArraySchema {
  const field = joi
    .array()
    .items(joi.string().trim().allow('').max(200))
    .single()
    .max(100)
    .custom((sent: string[], helpers) => {
      const names = languageNames(sent);
      return names.length === 0 && required ? helpers.error('any.required') : names;
    })
    .description(description)
    .example(['eng']);
  return shown(required ? field.required() : field.default([]), { label: 'Languages', widget: 'language' });
}

/**
 * Separates the requested languages into installed and missing ones. Throws OCR_LANGUAGES_UNKNOWN when none is
 * installed.
 */
export function chooseLanguages(
  wanted: readonly string[],
  installed: readonly string[],
): { readonly languages: string[]; readonly dropped: string[] } {
  const languages = wanted.filter((name) => installed.includes(name));
  if (languages.length === 0) {
    const found = wanted.map((name) => JSON.stringify(name.slice(0, 40))).join(', ');
    const present = installed.join(', ') || 'none';
    const detail = `none of ${found} is installed for text recognition; installed are ${present}`;
    throw new InputError('OCR_LANGUAGES_UNKNOWN', { found, installed: present }, [{ pointer: '/languages', detail }]);
  }
  return { languages, dropped: wanted.filter((name) => !installed.includes(name)) };
}
