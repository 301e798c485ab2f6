import { knownKeys } from './known-keys.js';
import type { Settings } from './settings.js';

/**
 * Returns the address settings that changed although a secret that is sent to them stays as it was: whoever may change
 * an address must not receive the secret of the present one there. `given`: paths that the request has a value for.
 */
export function redirectedSecrets(
  before: Settings,
  after: Settings,
  given: ReadonlySet<string>,
): readonly { readonly path: string; readonly detail: string }[] {
  return knownKeys.flatMap(({ path: secret, sentTo = [] }) => {
    if (given.has(secret) || before.get(secret) === '') return [];
    return sentTo
      .filter((path) => addressOf(before.get(path)) !== addressOf(after.get(path)))
      .map((path) => ({
        path,
        detail:
          `${path} changes the address that ${secret} is sent to: send ${secret} again with its value in the same ` +
          `call, or ${secret} as null to remove it`,
      }));
  });
}

/** Scheme, host and port of a web address; any other value as it is. */
function addressOf(value: unknown): string {
  const text = String(value).trim();
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).origin : text;
}
