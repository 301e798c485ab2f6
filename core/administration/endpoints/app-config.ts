import type { Principal, Mailer } from '@quire/registry';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { listenHost, type Settings } from '../../settings/index.js';
import { TSA_PRESETS } from '../../network/trust/index.js';
import { plainHost } from '../../http/request/index.js';
import { isLoopback, maySetUp } from './may-set-up.js';
import { licenceNames } from '../../billing/index.js';
import type { AdministrationServices } from '../administration-services.js';
import { isLocalLoginOn, isPasswordResetOn } from '../../accounts/endpoints/index.js';
import type { LoginServices } from '../../accounts/index.js';
import { scannerOpenTo } from '../../mobile-scanner/index.js';

export interface AppConfigDeps {
  readonly admin: AdministrationServices;
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
  readonly providers: { readonly list: readonly LoginProvider[] };
  readonly mailer: Mailer;
  readonly settings: Settings;
  readonly version: string;
}

/** A provider at which users can log in. */
export interface LoginProvider {
  readonly id: string;
  readonly name: string;
  readonly protocol: 'oidc' | 'github' | 'saml' | 'proxy';
  /** Where a login begins, without the sub-path. */
  readonly path: string;
}

/** The caller, and the host name of the call. */
export interface AppConfigCall {
  readonly host: string | undefined;
  readonly principal: Principal;
  /** The caller's IP address. */
  readonly address: string;
}

/**
 * Returns the configuration that clients need before they show anything (`docs/interface/platform.yml`, app-config).
 * Never rejects: after a failure `error` names the missing parts.
 */
export async function appConfig(deps: AppConfigDeps, call: AppConfigCall): Promise<Record<string, unknown>> {
  const config: Record<string, unknown> = {};
  const failures: string[] = [];
  for (const [name, members] of Object.entries(sections)) {
    try {
      Object.assign(config, await members(deps, call));
    } catch {
      failures.push(name);
    }
  }
  return failures.length === 0
    ? config
    : { ...config, error: `These parts are missing because of an internal error: ${failures.join(', ')}.` };
}

const sections: Readonly<Record<string, (deps: AppConfigDeps, call: AppConfigCall) => object | Promise<object>>> = {
  server: ({ settings, version }, { host }) => ({
    dependenciesReady: true,
    baseUrl: settings.get('system.backendUrl') || originOf(host, settings),
    contextPath: settings.get('system.rootUriPath') || '/',
    serverPort: String(settings.get('server.port')),
    frontendUrl: frontendUrl(settings, host),
    appVersion: version,
    machineType: machineType(),
    activeSecurity: true,
  }),
  mobileScanner: ({ settings }) => ({
    enableMobileScanner: scannerOpenTo(settings) !== 'nobody',
    mobileScannerConvertToPdf: settings.get('system.mobileScannerSettings.convertToPdf'),
    mobileScannerImageResolution: settings.get('system.mobileScannerSettings.imageResolution'),
    mobileScannerPageFormat: settings.get('system.mobileScannerSettings.pageFormat'),
    mobileScannerStretchToFit: settings.get('system.mobileScannerSettings.stretchToFit'),
  }),
  appearance: ({ settings }) => ({
    appNameNavbar: settings.get('ui.appNameNavbar'),
    languages: settings.get('ui.languages'),
    logoStyle: settings.get('ui.logoStyle'),
    defaultLocale: settings.get('system.defaultLocale'),
    defaultHideUnavailableTools: settings.get('ui.defaultHideUnavailableTools'),
    defaultHideUnavailableConversions: settings.get('ui.defaultHideUnavailableConversions'),
    hideDisabledToolsGoogleDrive: settings.get('ui.hideDisabledTools.googleDrive'),
    hideDisabledToolsMobileQRScanner: settings.get('ui.hideDisabledTools.mobileQRScanner'),
    enableAlphaFunctionality: settings.get('system.enableAlphaFunctionality'),
    enableDesktopInstallSlide: settings.get('system.enableDesktopInstallSlide'),
    showSettingsWhenNoLogin: settings.get('system.showSettingsWhenNoLogin'),
  }),
  // Browser keys that the Drive picker needs in the page; shown only while Drive is on.
  googleDrive: ({ settings }) =>
    settings.get('premium.proFeatures.googleDrive.enabled') && settings.get('licence.tier') !== 'free'
      ? {
          googleDriveEnabled: true,
          googleDriveClientId: settings.get('premium.proFeatures.googleDrive.clientId'),
          googleDriveApiKey: settings.get('premium.proFeatures.googleDrive.apiKey'),
          googleDriveAppId: settings.get('premium.proFeatures.googleDrive.appId'),
        }
      : { googleDriveEnabled: false },
  access: async ({ settings, admin, login, providers, mailer }, { principal }) => {
    const enableLogin = settings.get('security.enableLogin');
    const isAdmin = principal.role === 'admin';
    return {
      enableLogin,
      enableOAuth: providers.list.some(({ protocol }) => protocol !== 'saml'),
      enableSaml: providers.list.some(({ protocol }) => protocol === 'saml'),
      SSOAutoLogin: goesOnByItself(settings, providers.list),
      localLoginEnabled: enableLogin && isLocalLoginOn(settings),
      loginProviders: providers.list.map(({ id, name, path }) => ({ id, name, path })),
      passwordResetEnabled: isPasswordResetOn(settings, mailer),
      enableEmailInvites: enableLogin && mailer.usable && settings.get('mail.enableInvites'),
      isAdmin,
      adminAreas: areasOf(login, principal),
      isNewServer: admin.firstRun.isNew,
      isNewUser: principal.via === 'session' && (await login?.accounts.byId(principal.id))?.setupComplete === false,
      shouldShowUpdate: settings.get('system.showUpdate') && (isAdmin || !settings.get('system.showUpdateOnlyAdmin')),
    };
  },
  storage: ({ settings, mailer }) => {
    const enabled = settings.get('storage.enabled') && settings.get('security.enableLogin');
    const sharing = enabled && settings.get('storage.sharing.enabled');
    const links = sharing && settings.get('storage.sharing.linkEnabled') && settings.get('system.frontendUrl') !== '';
    return {
      storageEnabled: enabled,
      storageSharingEnabled: sharing,
      storageShareLinksEnabled: links,
      storagePublicLinksEnabled: links && settings.get('storage.sharing.publicLinkEnabled'),
      storageLinkDays: Math.max(0, settings.get('storage.sharing.linkExpirationDays')),
      storageShareEmailEnabled: sharing && settings.get('storage.sharing.emailEnabled') && mailer.usable,
      // Shared signing sessions are not offered.
      storageGroupSigningEnabled: false,
    };
  },
  signing: ({ settings }) => ({
    timestampDefaultTsaUrl: settings.get('security.timestamp.defaultTsaUrl'),
    timestampCustomTsaUrls: settings.get('security.timestamp.customTsaUrls'),
    timestampTsaPresets: TSA_PRESETS,
    serverCertificateEnabled: settings.get('system.serverCertificate.enabled'),
    hardwareSigningAvailable: false,
  }),
  legal: ({ settings }) => ({
    termsAndConditions: settings.get('legal.termsAndConditions'),
    privacyPolicy: settings.get('legal.privacyPolicy'),
    cookiePolicy: settings.get('legal.cookiePolicy'),
    impressum: settings.get('legal.impressum'),
    accessibilityStatement: settings.get('legal.accessibilityStatement'),
  }),
  licence: ({ settings }) => {
    const tier = settings.get('licence.tier');
    return {
      premiumEnabled: tier !== 'free',
      runningProOrHigher: tier !== 'free',
      runningEE: tier === 'enterprise',
      license: licenceNames[tier],
    };
  },
  ai: ({ settings }) => ({
    aiEngineEnabled: settings.get('aiEngine.enabled'),
    aiFeatures: Object.fromEntries(
      (['chat', 'documentQuestions', 'createPdf', 'mathAuditor', 'pdfComment', 'classify'] as const).map((name) => [
        name,
        settings.get(`aiEngine.features.${name}`),
      ]),
    ),
  }),
  setup: async ({ settings, admin }, { principal, address }) => ({
    setupOpen:
      settings.get('console.welcome') && maySetUp(settings, principal, address) && (await admin.firstRun.needsSetup()),
  }),
  analytics: async ({ settings, admin }) => {
    const chosen = await admin.firstRun.analytics();
    return {
      enableAnalytics: chosen,
      enablePosthog: settings.get('system.enablePosthog') ?? chosen,
      enableScarf: settings.get('system.enableScarf') ?? chosen,
    };
  },
};

/** Areas of administration that the caller has; null: everything. */
function areasOf(login: LoginServices | undefined, principal: Principal): readonly string[] | null {
  if (login === undefined) return null;
  return principal.role === 'anonymous' ? [] : login.roles.rightsOf(principal).areas;
}

/** Whether the login page goes to the provider at once: only where there is nothing to choose. */
export function goesOnByItself(settings: Settings, providers: readonly LoginProvider[]): boolean {
  return settings.get('premium.proFeatures.ssoAutoLogin') && providers.length === 1 && !isLocalLoginOn(settings);
}

function originOf(host: string | undefined, settings: Settings): string {
  return `http://${plainHost(host) ?? `localhost:${settings.get('server.port')}`}`;
}

/**
 * Returns the setting, else the host of the call unless it is loopback, else an address in the local network, else an
 * empty string (`docs/interface/misc.yml`).
 */
function frontendUrl(settings: Settings, host: string | undefined): string {
  const set = settings.get('system.frontendUrl') || settings.get('system.backendUrl');
  if (set !== '') return set;
  const origin = originOf(host, settings);
  if (!isLoopback(new URL(origin).hostname)) return origin;
  if (isLoopback(listenHost(settings))) return '';
  const address = Object.values(networkInterfaces())
    .flat()
    .find((candidate) => candidate !== undefined && !candidate.internal && candidate.family === 'IPv4')?.address;
  return address === undefined ? '' : `http://${address}:${settings.get('server.port')}`;
}

let machine: string | undefined;

/** Returns the environment of the process, as far as it can be detected. */
function machineType(): string {
  return (machine ??=
    process.env['KUBERNETES_SERVICE_HOST'] !== undefined
      ? 'Kubernetes'
      : existsSync('/.dockerenv')
        ? 'Docker'
        : 'Server');
}
