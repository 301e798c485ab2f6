/** Languages of mails, besides English: those of the console. */
const MAIL_LANGUAGES = ['de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ar'] as const;

/** What is known about the language of the person who gets a mail; the first that leads to a language counts. */
export interface LanguageHints {
  /** The person's own setting. */
  readonly setting?: string | undefined;
  /** Accept-Language (RFC 9110, 12.5.4) of the call that causes the mail. */
  readonly accepted?: string | undefined;
  /** `system.defaultLocale`. */
  readonly usual?: string | undefined;
}

/** Returns the language of a mail: a primary language tag; `en` if nothing else is known. */
export function mailLanguage({ setting = '', accepted = '', usual = '' }: LanguageHints): string {
  return known(setting) ?? acceptedLanguage(accepted) ?? known(usual) ?? 'en';
}

function known(tag: string): string | undefined {
  const primary = /^[a-z]+/i.exec(tag.trim())?.[0].toLowerCase();
  return ['en', ...MAIL_LANGUAGES].find((language) => language === primary);
}

function acceptedLanguage(header: string): string | undefined {
  return header
    .split(',')
    .slice(0, MOST_RANGES)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';');
      const quality = parameters.map((each) => /^\s*q=([\d.]+)\s*$/i.exec(each)?.[1]).find((q) => q !== undefined);
      return { language: known(tag), quality: Number(quality ?? 1) };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]?.language;
}

/** A header with more languages says nothing about a person. */
const MOST_RANGES = 30;
