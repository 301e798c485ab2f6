import { signal } from '@preact/signals';
import { callJson } from './call.ts';

/** A server at which users can log in. */
export interface LoginProvider {
  readonly id: string;
  readonly name: string;
  /** Where a login begins, below the start page, with a slash. */
  readonly path: string;
}

/** What the console uses of `config/app-config`. */
export interface AppConfig {
  readonly enableLogin: boolean;
  /** Users can log in with a password or passkey. */
  readonly localLoginEnabled: boolean;
  readonly loginProviders: readonly LoginProvider[];
  /** The login page goes to the only provider at once. */
  readonly SSOAutoLogin: boolean;
  readonly isAdmin: boolean;
  /** Areas of administration that the role of the caller has; null: everything. */
  readonly adminAreas: readonly string[] | null;
  readonly isNewServer: boolean;
  readonly isNewUser: boolean;
  /** The caller should be led through the first steps of a new server. */
  readonly setupOpen: boolean;
  readonly appNameNavbar: string;
  readonly appVersion: string;
  readonly languages: readonly string[];
  readonly defaultLocale: string;
  readonly defaultHideUnavailableTools: boolean;
  readonly storageEnabled: boolean;
  readonly storageSharingEnabled: boolean;
  readonly storageShareLinksEnabled: boolean;
  readonly storagePublicLinksEnabled: boolean;
  /** Days that a share link may work; 0 for no limit. */
  readonly storageLinkDays: number;
  readonly enableMobileScanner: boolean;
  readonly mobileScannerImageResolution: 'full' | 'reduced';
  readonly mobileScannerPageFormat: 'keep' | 'A4' | 'letter';
  readonly mobileScannerStretchToFit: boolean;
  readonly enableEmailInvites: boolean;
  readonly passwordResetEnabled: boolean;
  readonly frontendUrl: string;
  readonly license: string;
  readonly serverCertificateEnabled: boolean;
  readonly termsAndConditions: string;
  readonly privacyPolicy: string;
  readonly impressum: string;
  readonly accessibilityStatement: string;
}

/** Undefined until the first answer. Depends on who is logged in. */
export const config = signal<AppConfig | undefined>(undefined);

export async function loadConfig(): Promise<void> {
  config.value = await callJson<AppConfig>('config/app-config', { login: 'quiet' });
}
