import { t } from './texts.ts';

/** What the administration uses of `GET /api/v1/capabilities`. */
export interface Capabilities {
  readonly version: string;
  readonly licence: { readonly tier: string };
  readonly programs: readonly Program[];
  /** Versions and languages are read after the first call: until then they are missing. */
  readonly programsComplete: boolean;
  readonly ocrLanguages: readonly string[];
  readonly warnings: readonly string[];
  readonly isolation: readonly string[];
  readonly plugins: readonly { readonly name: string; readonly version: string }[];
  readonly limits: Readonly<Record<string, number>>;
}

export interface Program {
  readonly name: string;
  readonly found: boolean;
  readonly version: string | null;
  readonly install?: string;
  readonly isolation?: readonly string[];
  readonly languages?: readonly string[];
}

/** The name of a licence, by its setting or its name in clients (NORMAL, SERVER); others as the server writes them. */
export function tierName(tier: string): string {
  const [free, team] = [t('Free'), t('Team')];
  const names: Readonly<Record<string, string>> = {
    free,
    normal: free,
    team,
    server: team,
    enterprise: t('Enterprise'),
  };
  return names[tier.toLowerCase()] ?? tier;
}
