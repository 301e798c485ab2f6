import type { JoiRoot } from '@quire/registry';
import { offeredProviderShape } from '../../identity/index.js';

/**
 * The members of app-config with their types (`docs/interface/platform.yml`, app-config). None is required: after an
 * internal failure some are missing, and `error` names them.
 */
export function appConfigSchema(joi: JoiRoot) {
  const text = joi.string().allow('');
  const [flag, choice] = [joi.boolean(), joi.boolean().allow(null)];
  return joi
    .object({
      dependenciesReady: flag,
      baseUrl: text,
      contextPath: text,
      serverPort: text.description('A string, not a number'),
      frontendUrl: text.description('Empty if the server does not know an address at which others can reach it'),
      enableMobileScanner: flag,
      mobileScannerConvertToPdf: flag,
      mobileScannerImageResolution: joi.string().valid('full', 'reduced'),
      mobileScannerPageFormat: joi.string().valid('keep', 'A4', 'letter'),
      mobileScannerStretchToFit: flag,
      appNameNavbar: text,
      languages: joi.array().items(joi.string()),
      logoStyle: joi.string().valid('classic', 'modern'),
      defaultLocale: text,
      defaultHideUnavailableTools: flag,
      defaultHideUnavailableConversions: flag,
      hideDisabledToolsGoogleDrive: flag,
      hideDisabledToolsMobileQRScanner: flag,
      googleDriveEnabled: flag,
      googleDriveClientId: text.description('Only while Drive is on'),
      googleDriveApiKey: text.description('Only while Drive is on'),
      googleDriveAppId: text.description('Only while Drive is on'),
      enableLogin: flag,
      showSettingsWhenNoLogin: flag,
      enableOAuth: flag,
      enableSaml: flag,
      localLoginEnabled: flag.description('Users can log in with a password or passkey (security.loginMethod)'),
      loginProviders: joi.array().items(offeredProviderShape(joi)).required().description('Users can log in there'),
      passwordResetEnabled: flag.description('Users can reset their password by mail (auth/password-reset)'),
      enableEmailInvites: flag.description('Invitations are enabled and mail can be sent'),
      storageEnabled: flag,
      storageSharingEnabled: flag,
      storageShareLinksEnabled: flag,
      storagePublicLinksEnabled: flag.description('Share links may work without an account'),
      storageLinkDays: joi.number().integer().required().description('Days that a share link may work; 0 for no limit'),
      storageShareEmailEnabled: flag,
      storageGroupSigningEnabled: flag,
      isAdmin: flag,
      adminAreas: joi
        .array()
        .items(joi.string())
        .allow(null)
        .description('Areas of administration that the role of the caller has; null: everything'),
      isNewServer: flag.description('True until the first restart of a server on this store'),
      setupOpen: flag.description('The caller should be led through the first steps of a new server (admin/setup)'),
      isNewUser: flag.description('The caller has not completed the account set-up'),
      enableAlphaFunctionality: flag,
      shouldShowUpdate: flag,
      enableAnalytics: choice.description('Null until a choice was made'),
      enablePosthog: choice,
      enableScarf: choice,
      enableDesktopInstallSlide: flag,
      premiumEnabled: flag,
      aiEngineEnabled: flag,
      aiFeatures: joi.object({
        chat: flag,
        documentQuestions: flag,
        createPdf: flag,
        mathAuditor: flag,
        pdfComment: flag,
        classify: flag,
      }),
      timestampDefaultTsaUrl: text,
      timestampCustomTsaUrls: joi.array().items(joi.string()),
      timestampTsaPresets: joi.array().items(joi.object({ label: joi.string(), url: joi.string() }).label('TsaPreset')),
      serverCertificateEnabled: flag,
      hardwareSigningAvailable: flag,
      termsAndConditions: text,
      privacyPolicy: text,
      cookiePolicy: text,
      impressum: text,
      accessibilityStatement: text,
      runningProOrHigher: flag,
      runningEE: flag,
      license: joi.string().valid('NORMAL', 'SERVER', 'ENTERPRISE'),
      SSOAutoLogin: flag,
      appVersion: text,
      machineType: text,
      activeSecurity: flag,
      error: joi.string().description('Only after an internal failure: the missing parts'),
    })
    .label('AppConfig');
}
