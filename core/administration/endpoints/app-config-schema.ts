import type { JoiRoot } from '@quire/registry';

/** The members of app-config with their types (`docs/interface/platform.yml`, app-config). None is required: after an internal failure some are missing, and `error` says so. */
export function appConfigSchema(joi: JoiRoot) {
  const text = joi.string().allow('');
  const [flag, choice] = [joi.boolean(), joi.boolean().allow(null)];
  return joi.object({
    dependenciesReady: flag, baseUrl: text, contextPath: text, serverPort: text.description('A text, not a number'), frontendUrl: text.description('Empty when the server knows no address at which others reach it'),
    enableMobileScanner: flag, mobileScannerConvertToPdf: flag, mobileScannerImageResolution: joi.string().valid('full', 'reduced'), mobileScannerPageFormat: joi.string().valid('keep', 'A4', 'letter'), mobileScannerStretchToFit: flag,
    appNameNavbar: text, languages: joi.array().items(joi.string()), logoStyle: joi.string().valid('classic', 'modern'), defaultLocale: text, defaultHideUnavailableTools: flag, defaultHideUnavailableConversions: flag,
    hideDisabledToolsGoogleDrive: flag, hideDisabledToolsMobileQRScanner: flag,
    googleDriveEnabled: flag, googleDriveClientId: text.description('Only while Drive is on'), googleDriveApiKey: text.description('Only while Drive is on'), googleDriveAppId: text.description('Only while Drive is on'),
    enableLogin: flag, showSettingsWhenNoLogin: flag, enableOAuth: flag, enableSaml: flag, enableEmailInvites: flag.description('Invites are on and mail can be sent'),
    storageEnabled: flag, storageSharingEnabled: flag, storageShareLinksEnabled: flag, storageShareEmailEnabled: flag, storageGroupSigningEnabled: flag,
    isAdmin: flag, isNewServer: flag.description('First life of a server on this store'), isNewUser: flag.description('The caller has not completed the set-up of the account'), enableAlphaFunctionality: flag, shouldShowUpdate: flag,
    enableAnalytics: choice.description('Null until somebody has chosen'), enablePosthog: choice, enableScarf: choice, enableDesktopInstallSlide: flag, premiumEnabled: flag,
    aiEngineEnabled: flag, aiFeatures: joi.object({ chat: flag, documentQuestions: flag, createPdf: flag, mathAuditor: flag, pdfComment: flag, classify: flag }),
    timestampDefaultTsaUrl: text, timestampCustomTsaUrls: joi.array().items(joi.string()), timestampTsaPresets: joi.array().items(joi.object({ label: joi.string(), url: joi.string() }).label('TsaPreset')),
    serverCertificateEnabled: flag, hardwareSigningAvailable: flag, termsAndConditions: text, privacyPolicy: text, cookiePolicy: text, impressum: text, accessibilityStatement: text,
    runningProOrHigher: flag, runningEE: flag, license: joi.string().valid('NORMAL', 'SERVER', 'ENTERPRISE'), SSOAutoLogin: flag, appVersion: text, machineType: text, activeSecurity: flag,
    error: joi.string().description('Only after an internal failure: what is missing'),
  }).label('AppConfig');
}
