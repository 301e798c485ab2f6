import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../settings/index.js';

/** Most bytes of one text. */
export const LARGEST_AGREEMENT = 256 * 1024;
/** Locales that may be used in file names. */
export const AGREEMENT_LOCALE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;

/** The login agreement as clients show it (`docs/interface/misc.yml`, login-disclaimer). */
export interface LoginDisclaimer {
  /** False if there is no text, too. */
  readonly enabled: boolean;
  readonly showInAnonymousMode: boolean;
  /** Markdown; empty when not enabled. */
  readonly content: string;
  readonly format: 'markdown';
}

/**
 * Finds the agreement for a locale: the file of the locale, of its language, of the default locale, or the text in the
 * settings.
 */
export async function loginDisclaimer(settings: Settings, lang: string | undefined): Promise<LoginDisclaimer> {
  const content = settings.get('legal.loginAgreement.enabled') ? await textFor(settings, lang ?? '') : '';
  return {
    enabled: content !== '',
    showInAnonymousMode: settings.get('legal.loginAgreement.showInAnonymousMode'),
    content,
    format: 'markdown',
  };
}

async function textFor(settings: Settings, lang: string): Promise<string> {
  const folder = agreementFolder(settings);
  const names = [lang, settings.get('system.defaultLocale') || 'en']
    .filter((locale) => AGREEMENT_LOCALE.test(locale))
    .flatMap((locale) => [
      locale,
      locale.replaceAll('-', '_'),
      locale.replaceAll('_', '-'),
      locale.split(/[-_]/)[0] ?? locale,
    ]);
  for (const name of new Set(names)) {
    const text = await readAgreement(folder, name);
    if (text.trim() !== '') return text;
  }
  const fallback = settings.get('legal.loginAgreement.fallbackText');
  return fallback.trim() === '' ? '' : fallback;
}

/** Returns the folder of the texts, which has one file per locale. */
export function agreementFolder(settings: Settings): string {
  return join(settings.paths.customFiles, 'disclaimer');
}

/** Returns the text of exactly this locale; empty if there is no file or the file is too large. */
export async function readAgreement(folder: string, locale: string): Promise<string> {
  const handle = await open(join(folder, `${locale}.md`), 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    return size > LARGEST_AGREEMENT ? '' : await handle.readFile('utf8');
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}
