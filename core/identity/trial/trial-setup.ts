import type { Provider } from '../model.js';
import type { SignInRules } from '../sign-in.js';

/** What a trial login uses instead of the settings that the server runs with. */
export type TrialSetup = OauthTrialSetup | SamlTrialSetup;

/** OpenID Connect and GitHub. */
export interface OauthTrialSetup {
  readonly provider: Provider;
  readonly groupsClaim: string;
  readonly rules: SignInRules;
  /** Name of the administrator, for the audit log. */
  readonly by: string;
}

/** SAML: keys are in files, so the settings are read again when the trial ends. */
export interface SamlTrialSetup {
  /** Values that are not saved, by dotted key. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly by: string;
}
