import type { Settings } from '../settings/index.js';
import { groupRulesOf } from './group-rules.js';
import type { SignInRules } from './sign-in.js';

/** Returns which accounts logins with providers find and create. Throws SETTINGS_INVALID. */
export function signInRulesOf(settings: Settings): SignInRules {
  return {
    autoCreate: settings.get('security.oauth2.autoCreateUser'),
    blockRegistration: settings.get('security.oauth2.blockRegistration'),
    acceptUnverified: settings.get('security.oauth2.acceptUnverifiedEmail'),
    requireSecondFactor: settings.get('security.oauth2.requireSecondFactor'),
    groups: groupRulesOf(settings),
  };
}
