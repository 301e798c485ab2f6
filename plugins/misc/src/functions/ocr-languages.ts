import { InputError } from '@quire/registry/errors';

/** The languages that a caller asked for, in order, each once: a list, or names joined by commas or plus signs, or both. */
export function languageNames(sent: readonly string[]): string[] {
  return [...new Set(sent.flatMap((text) => text.split(/[,+;\s]+/)).filter((name) => name !== ''))];
}

/** Parts what was asked for into what is installed and what is not. Throws OCR_LANGUAGES_UNKNOWN when nothing is. */
export function chooseLanguages(wanted: readonly string[], installed: readonly string[]): { readonly languages: string[]; readonly dropped: string[] } {
  const languages = wanted.filter((name) => installed.includes(name));
  if (languages.length === 0) {
    const found = wanted.map((name) => JSON.stringify(name.slice(0, 40))).join(', ');
    const detail = `none of ${found} is installed for text recognition; installed are ${installed.join(', ') || 'none'}`;
    throw new InputError('OCR_LANGUAGES_UNKNOWN', { found, installed: installed.join(', ') || 'none' }, [{ pointer: '/languages', detail }]);
  }
  return { languages, dropped: wanted.filter((name) => !installed.includes(name)) };
}
