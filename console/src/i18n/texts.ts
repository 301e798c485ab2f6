import { signal } from '@preact/signals';
import { loadModule } from '../api/retried.ts';
import { chooseLanguage, isLanguage, type Language } from './languages.ts';

type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
/** Translations by the English text; counted texts have a form for each plural rule of the language (CLDR). */
export type Catalogue = Readonly<Record<string, string | Forms>>;
export type Values = Readonly<Record<string, string | number>>;

const STORED = 'quire.language';

/** The language of all texts. */
export const language = signal<Language>(storedLanguage() ?? chooseLanguage(navigator.languages));

function storedLanguage(): Language | undefined {
  const stored = localStorage.getItem(STORED) ?? '';
  return isLanguage(stored) ? stored : undefined;
}

/** Whether the user chose a language; else the server's default may be used. */
export function hasChosenLanguage(): boolean {
  return storedLanguage() !== undefined;
}

/** Loads the texts of a language; `undefined` where there are none to load. */
export type LoadTexts = (code: Language) => Promise<Catalogue> | undefined;

const areas: ((code: Language) => Promise<void>)[] = [];

/** Changes the language, once its texts are loaded. */
export async function setLanguage(code: Language, keep = true): Promise<void> {
  if (keep) localStorage.setItem(STORED, code);
  await Promise.all(areas.map((load) => load(code)));
  language.value = code;
  document.documentElement.lang = code;
  document.documentElement.dir = code === 'ar' ? 'rtl' : 'ltr';
}

/** Resolves once every area that was created so far has the texts of the current language. */
export async function textsReady(): Promise<void> {
  await Promise.all(areas.map((load) => load(language.peek())));
}

export interface Texts {
  /** Returns the text in the current language: `t('Delete {name}', { name })`. */
  (text: string, values?: Values): string;
  /** Returns the form for a number: `t.count(3, '{count} file', '{count} files')`. The last text is the key. */
  count(count: number, one: string, other: string, values?: Values): string;
  /** The translation of a key; undefined if there is none. */
  find(key: string): string | Forms | undefined;
}

/** Catalogues as `import.meta.glob('./texts/*.json')` gives them: loaders by path. */
export type TextFiles = Readonly<Record<string, () => Promise<unknown>>>;

/** Loads texts from the catalogue with the name of the language (`./texts/de.json`). */
export function fromFiles(files: TextFiles): LoadTexts {
  const byName = new Map(Object.entries(files).map(([path, load]) => [path.slice(path.lastIndexOf('/') + 1), load]));
  return (code) => {
    const load = byName.get(`${code}.json`);
    return load && loadModule(load).then((found) => (found as { default: Catalogue }).default);
  };
}

/**
 * Returns the texts of an area: a screen, or the frame. A text that is missing is looked up in `fallback`, then shown
 * in English.
 */
export function createTexts(loadTexts: LoadTexts, fallback?: Texts): Texts {
  const loaded = signal<Partial<Record<Language, Catalogue>>>({ en: {} });
  const pending = new Map<Language, Promise<void>>();
  const load = (code: Language): Promise<void> => {
    if (code === 'en') return Promise.resolve();
    const started =
      pending.get(code) ??
      loadTexts(code)?.then(
        (found) => void (loaded.value = { ...loaded.peek(), [code]: found }),
        // English is better than no page; the next change of language tries again.
        () => void pending.delete(code),
      );
    if (started === undefined) return Promise.resolve();
    pending.set(code, started);
    return started;
  };
  areas.push(load);
  const find = (key: string): string | Forms | undefined => loaded.value[language.value]?.[key] ?? fallback?.find(key);
  const t = (text: string, values?: Values): string => {
    const found = find(text);
    return fill(typeof found === 'string' ? found : text, values);
  };
  const count = (number: number, one: string, other: string, values?: Values): string => {
    const found = find(other);
    const rule = ruleOf(number);
    const form =
      typeof found === 'object'
        ? (found[rule] ?? found.other ?? other)
        : rule === 'one' && found === undefined
          ? one
          : other;
    return fill(typeof found === 'string' ? found : form, { count: number, ...values });
  };
  return Object.assign(t, { count, find });
}

function fill(text: string, values: Values = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (typeof value !== 'number') return value ?? whole;
    return isPlain(value) ? String(value) : new Intl.NumberFormat(language.value).format(value);
  });
}

function ruleOf(number: number): Intl.LDMLPluralRule {
  if (isPlain(number)) return number === 1 ? 'one' : 'other';
  return new Intl.PluralRules(language.value).select(number);
}

/** Whether the rule for plurals and digits is known without tables: loading them took a tenth of the first drawing. */
function isPlain(number: number): boolean {
  return language.value === 'en' && Number.isInteger(number) && number >= 0 && number < 1000;
}
