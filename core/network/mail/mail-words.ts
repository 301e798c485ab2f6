import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MailMessage } from '@quire/registry';
import { type LanguageHints, mailLanguage } from './mail-language.js';

/** In the package, beside `dist`. */
const FOLDER = join(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))), 'network', 'mail', 'texts');
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar']);

/** A paragraph of a mail: a text, or an address that can be opened. */
export type MailParagraph = string | { readonly link: string };

/** The words of one mail, in the language of its receiver. */
export interface MailWords {
  /** The English text is the key; `{name}` stands for a value. */
  t(english: string, values?: Readonly<Record<string, string>>): string;
  /** Returns the mail, as plain text and as HTML. */
  mail(to: string, subject: string, paragraphs: readonly MailParagraph[]): MailMessage;
}

/** Reads the translations; a text without one is English. */
export async function mailWords(hints: LanguageHints): Promise<MailWords> {
  const language = mailLanguage(hints);
  const texts = language === 'en' ? {} : await translations(language);
  return {
    t: (english, values = {}) =>
      (texts[english] ?? english).replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place),
    mail: (to, subject, paragraphs) => ({
      to,
      subject,
      text: `${paragraphs.map((each) => (typeof each === 'string' ? each : each.link)).join('\n\n')}\n`,
      html: htmlPage(language, subject, paragraphs),
    }),
  };
}

function htmlPage(language: string, title: string, paragraphs: readonly MailParagraph[]): string {
  const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  return (
    `<!doctype html>\n<html lang="${language}" dir="${direction}">\n<head><meta charset="utf-8">` +
    `<title>${escaped(title)}</title></head>\n<body>\n${paragraphs.map(htmlOf).join('\n')}\n</body>\n</html>\n`
  );
}

function htmlOf(paragraph: MailParagraph): string {
  if (typeof paragraph === 'string') return `<p>${escaped(paragraph).replaceAll('\n', '<br>\n')}</p>`;
  const address = escaped(paragraph.link);
  // Addresses are read from the left in every language.
  return /^https?:/.test(address)
    ? `<p><a href="${address}" dir="ltr">${address}</a></p>`
    : `<p><code dir="ltr">${address}</code></p>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

async function translations(language: string): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(join(FOLDER, `${language}.json`), 'utf8')) as Record<string, string>;
  } catch {
    // A mail in English is better than none.
    return {};
  }
}
