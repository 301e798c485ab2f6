/** A value that survives JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** Types of connections (`docs/interface/integration.yml`, connection object). */
export const integrationTypes = ['S3', 'MCP', 'API', 'PURVIEW', 'CONSIGNO'] as const;
export type IntegrationType = (typeof integrationTypes)[number];

/** Whose a connection is. */
export const scopes = ['USER', 'TEAM', 'SERVER'] as const;
export type Scope = (typeof scopes)[number];

/** Who may use it beside those whose it is. */
export const defaultAccesses = ['ORG_ALL', 'ADMINS_AND_TEAM_LEADS', 'EXPLICIT_ONLY'] as const;
export type DefaultAccess = (typeof defaultAccesses)[number];

/** The settings of a connection as they are sent and kept. */
export type Config = { readonly [key: string]: JsonValue | undefined };

/** Replaces a secret in answers, and in requests that keep the stored one. */
export const MASK = '********';

/** How calls of an API connection say who calls. */
export const authTypes = ['NONE', 'BEARER', 'BASIC', 'HEADER', 'TOKEN_LOGIN'] as const;

/** Settings of an API connection, checked. */
export interface ApiConfig {
  readonly baseUrl: string;
  readonly authType: (typeof authTypes)[number];
  readonly token?: string;
  readonly headerName?: string;
  readonly headerPrefix?: string;
  readonly username?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resultUrlHosts?: readonly string[];
  readonly timeoutSeconds?: number;
  readonly loginPath?: string;
  readonly loginBody?: string | { readonly [key: string]: JsonValue | undefined };
  readonly loginHeaders?: Readonly<Record<string, string>>;
  readonly tokenResponseHeader?: string;
  readonly tokenResponseJsonPath?: string;
  readonly tokenHeaderName?: string;
  readonly tokenPrefix?: string;
  readonly tokenTtlSeconds?: number;
}

/** Settings of a Purview connection, checked. */
export interface PurviewConfig {
  /** GUID in lower case. */
  readonly tenantId: string;
}
