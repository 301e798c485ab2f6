import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineEndpoint, OperationalError, type Endpoint, type JoiRoot } from '@quire/registry';
import { adminCodes, forAdmins } from './account-caller.js';
import { AGREEMENT_LOCALE, agreementFolder, LARGEST_AGREEMENT, readAgreement } from './login-disclaimer.js';
import type { Settings } from '../../settings/index.js';

export interface LoginAgreementDeps {
  readonly settings: Settings;
}

const localeParams = (joi: JoiRoot) =>
  joi.object({ locale: joi.string().max(40).pattern(AGREEMENT_LOCALE, 'locale').required().example('en_GB') });
const base = { since: '1.0.0', tag: 'admin', access: forAdmins } as const;

/**
 * Texts of the login agreement, one file per locale (`docs/interface/platform.yml`, login agreement; shown by
 * `config/login-disclaimer`).
 */
export function loginAgreementEndpoints({ settings }: LoginAgreementDeps): Endpoint[] {
  const folder = agreementFolder(settings);
  return [...readEndpoints(folder), writeEndpoint(folder)];
}

function readEndpoints(folder: string): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'listLoginAgreements',
      method: 'GET',
      path: 'admin/login-agreement',
      summary: 'List the locales with a login agreement',
      notes: 'Clients show it while `legal.loginAgreement.enabled` is on.',
      returns: {
        description: 'Locales',
        json: (joi) =>
          joi
            .object({ locales: joi.array().items(joi.string()).required().example(['de', 'en_GB']) })
            .label('LoginAgreements'),
      },
      errors: [...adminCodes],
      handle: async () => {
        const names = (await readdir(folder).catch(() => []))
          .flatMap((name) => /^(.+)\.md$/.exec(name)?.[1] ?? [])
          .filter((name) => AGREEMENT_LOCALE.test(name))
          .sort();
        const texts = await Promise.all(names.map((name) => readAgreement(folder, name)));
        return { json: { locales: names.filter((_, i) => texts[i]?.trim() !== '') } };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'getLoginAgreement',
      method: 'GET',
      path: 'admin/login-agreement/{locale}',
      summary: 'Get the login agreement of a locale',
      notes: 'Returns the text of exactly this locale; empty if it has none.',
      request: { params: localeParams },
      returns: {
        description: 'The text in Markdown',
        json: (joi) =>
          joi
            .object({ locale: joi.string().required(), content: joi.string().allow('').required() })
            .label('LoginAgreement'),
      },
      errors: [...adminCodes],
      handle: async ({ params: { locale = '' } }) => ({
        json: { locale, content: await readAgreement(folder, locale) },
      }),
    }),
  ];
}

function writeEndpoint(folder: string): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'setLoginAgreement',
    method: 'PUT',
    path: 'admin/login-agreement/{locale}',
    summary: 'Save the login agreement of a locale',
    notes: 'Takes effect at once. An empty text deletes the agreement of the locale.',
    request: {
      params: localeParams,
      payload: (joi) =>
        joi.object({
          content: joi
            .string()
            .allow('')
            .required()
            .custom((text: string, helpers) =>
              Buffer.byteLength(text) > LARGEST_AGREEMENT
                ? helpers.message({ custom: `has more than ${LARGEST_AGREEMENT} bytes` })
                : text,
            )
            .description('Markdown')
            .example('Be **kind**.'),
        }),
    },
    returns: { description: 'Written', status: 204 },
    errors: [...adminCodes, 'INPUT_INVALID', 'FOLDER_NOT_WRITABLE'],
    handle: async ({ params: { locale = '' }, payload }) => {
      await writeAgreement(folder, locale, String(payload['content'])).catch((error: unknown) => {
        throw new OperationalError(
          'FOLDER_NOT_WRITABLE',
          { folder: 'customFiles/disclaimer', detail: (error as NodeJS.ErrnoException).code ?? 'unknown' },
          { cause: error },
        );
      });
      return { status: 204 };
    },
  });
}

/** Writes to a temporary file first, so that readers never see half a text. */
async function writeAgreement(folder: string, locale: string, content: string): Promise<void> {
  const target = join(folder, `${locale}.md`);
  if (content.trim() === '') return rm(target, { force: true });
  await mkdir(folder, { recursive: true });
  // A random name, because another call may be writing the same locale.
  const part = join(folder, `.${locale}.${randomBytes(6).toString('hex')}.part`);
  try {
    await writeFile(part, content);
    const file = await open(part, 'r+');
    await file.sync().finally(() => file.close());
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}
