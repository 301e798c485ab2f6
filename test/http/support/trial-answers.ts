export const TRIALS = '/api/v1/admin/login-providers/trials';

/** The answer to the begin of a trial login. */
export interface BegunTrial {
  readonly id: string | null;
  readonly url: string | null;
  readonly addresses: Readonly<Record<string, string | null>>;
  readonly fault?: string;
  readonly detail?: string;
  readonly issuer?: string;
  readonly notes: readonly string[];
}

/** What a trial login has found out. */
export interface TrialReport {
  readonly state: string;
  readonly fault?: string;
  readonly detail?: string;
  readonly claims?: readonly { readonly name: string; readonly value: string; readonly from: string }[];
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly account?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}
