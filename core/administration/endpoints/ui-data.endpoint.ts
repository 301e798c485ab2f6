import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { Settings } from '../../settings/index.js';
import type { AdministrationServices } from '../administration-services.js';

export interface UiDataDeps {
  readonly admin: AdministrationServices;
  readonly settings: Settings;
}

const open = { role: 'public' } as const;
const text = (joi: JoiRoot) => joi.string().allow('').required();
const packageShape = (joi: JoiRoot) =>
  joi
    .object({
      moduleName: text(joi),
      moduleUrl: text(joi),
      moduleVersion: text(joi),
      moduleLicense: text(joi),
      moduleLicenseUrl: text(joi),
    })
    .label('PackageLicence');

/**
 * Page data that does not belong to a feature (`docs/interface/general.yml`, `docs/interface/platform.yml`, UI data).
 */
export function uiDataEndpoints(deps: UiDataDeps): Endpoint[] {
  const { settings, admin } = deps;
  const base = { since: '1.0.0', tag: 'ui-data', method: 'GET' } as const;
  return [
    defineEndpoint({
      ...base,
      id: 'getFooterInfo',
      path: 'ui-data/footer-info',
      summary: 'Get the legal links of the footer',
      access: open,
      notes: 'Addresses from `legal.*`; empty ones are not shown. `analyticsEnabled` is null until a choice was made.',
      returns: {
        description: 'Addresses and the analytics choice',
        json: (joi) =>
          joi
            .object({
              analyticsEnabled: joi.boolean().allow(null).required(),
              termsAndConditions: text(joi),
              privacyPolicy: text(joi),
              accessibilityStatement: text(joi),
              cookiePolicy: text(joi),
              impressum: text(joi),
            })
            .label('FooterInfo'),
      },
      errors: ['STORE_DOWN'],
      handle: async () => ({
        json: {
          analyticsEnabled: await admin.firstRun.analytics(),
          termsAndConditions: settings.get('legal.termsAndConditions'),
          privacyPolicy: settings.get('legal.privacyPolicy'),
          accessibilityStatement: settings.get('legal.accessibilityStatement'),
          cookiePolicy: settings.get('legal.cookiePolicy'),
          impressum: settings.get('legal.impressum'),
        },
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'getHomeData',
      path: 'ui-data/home',
      summary: 'Get the flags of the home page',
      notes:
        'True unless the environment variable SHOW_SURVEY is set to something other than true. The server ' +
        'itself has no survey.',
      returns: {
        description: 'The flag',
        json: (joi) => joi.object({ showSurveyFromDocker: joi.boolean().required() }).label('HomeData'),
      },
      errors: ['KEY_INVALID'],
      handle: async () => ({
        json: { showSurveyFromDocker: (process.env['SHOW_SURVEY'] ?? 'true').trim().toLowerCase() === 'true' },
      }),
    }),
    defineEndpoint({
      ...base,
      id: 'listPackageLicences',
      path: 'ui-data/licenses',
      summary: 'List third-party packages and licences',
      notes: 'Read from the installed packages on first use. External programs are not included.',
      returns: {
        description: 'Packages by name',
        json: (joi) =>
          joi.object({ dependencies: joi.array().items(packageShape(joi)).required() }).label('PackageLicences'),
      },
      errors: ['KEY_INVALID'],
      handle: async () => ({ json: { dependencies: await admin.packages() } }),
    }),
    defineEndpoint({
      ...base,
      id: 'getLanguageScript',
      path: '/js/additionalLanguageCode.js',
      summary: 'Get the supported languages as a script',
      access: open,
      notes:
        'Defines `supportedLanguages` (`ui.languages`; if that is empty, the default locale and en_US) and ' +
        '`getDetailedLanguageCode()`.',
      returns: { description: 'The script', mediaType: 'application/javascript' },
      errors: [],
      handle: async () =>
        inline('additionalLanguageCode.js', 'application/javascript', languageScript(offeredLanguages(settings))),
    }),
    defineEndpoint({
      ...base,
      id: 'getRobots',
      path: '/robots.txt',
      summary: 'Get robots.txt',
      access: open,
      notes:
        'Crawling is allowed if `system.googlevisibility` is on (RFC 9309). Under a sub-path, the proxy must ' +
        'serve this file at the root.',
      returns: { description: 'robots.txt', mediaType: 'text/plain' },
      errors: [],
      handle: async () => ({
        text: `User-agent: *\n${settings.get('system.googlevisibility') ? 'Allow' : 'Disallow'}: /\n`,
      }),
    }),
  ];
}

const LOCALE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/;

/** Returns codes with underscores, as clients compare them; invalid codes are left out. */
function offeredLanguages(settings: Settings): string[] {
  const named = settings
    .get('ui.languages')
    .map((code) => code.trim())
    .filter((code) => LOCALE.test(code));
  const offered =
    named.length > 0 ? named : [settings.get('system.defaultLocale'), 'en_US'].filter((code) => LOCALE.test(code));
  return [...new Set(offered.map((code) => code.replaceAll('-', '_')))];
}

/** A classic script, because pages load it with a plain script tag: both names are global. */
function languageScript(languages: readonly string[]): string {
  return [
    `const supportedLanguages = ${JSON.stringify(languages)};`,
    'function getDetailedLanguageCode() {',
    '  const preferred = navigator.languages && navigator.languages.length > 0 ? navigator.languages : ' +
      '[navigator.language || "en_US"];',
    '  for (const language of preferred) {',
    '    const code = language.replace(/-/g, "_");',
    '    const found = supportedLanguages.find((supported) => supported.startsWith(code));',
    '    if (found) return found;',
    '  }',
    '  return "en_US";',
    '}',
    '',
  ].join('\n');
}

function inline(
  name: string,
  mediaType: string,
  content: string,
): { file: { name: string; mediaType: string; bytes: Uint8Array; disposition: 'inline' } } {
  return { file: { name, mediaType, bytes: Buffer.from(content), disposition: 'inline' } };
}
