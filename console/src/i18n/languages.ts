/** The languages of the console, by their own names. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  zh: '中文',
  ja: '日本語',
  ar: 'العربية',
} as const;

export type Language = keyof typeof languages;

export function isLanguage(code: string): code is Language {
  return code in languages;
}

/** Returns the first language of the list that the console has; `pt-BR` counts as `pt`. */
export function chooseLanguage(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '').find(isLanguage) ?? 'en';
}
