import type { Provider } from '../model.js';
import type { SignInRules } from '../sign-in.js';

/** What a trial login uses instead of the settings that the server runs with. */
export interface TrialSetup {
  readonly provider: Provider;
  readonly groupsClaim: string;
  readonly rules: SignInRules;
  /** Name of the administrator, for the audit log. */
  readonly by: string;
}
