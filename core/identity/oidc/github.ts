import type * as OpenidClient from 'openid-client';
import { SignInRefused, type ExternalIdentity, type Provider } from '../model.js';
import { text, webAddress } from './read-claims.js';

const GITHUB = 'https://github.com';

/** The addresses of GitHub, or of a GitHub Enterprise Server, which has no discovery. */
export function githubMetadata(issuer: string): OpenidClient.ServerMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
}

/** Reads the user to whom an access token belongs (GitHub REST API, "Get the authenticated user"). */
export async function readGithubUser(
  client: typeof OpenidClient,
  configuration: OpenidClient.Configuration,
  accessToken: string,
  { id, name, protocol, issuer, usernameClaim }: Provider,
): Promise<{ readonly identity: ExternalIdentity; readonly user: Readonly<Record<string, unknown>> }> {
  const api = issuer === GITHUB ? 'https://api.github.com' : `${issuer}/api/v3`;
  const answer = await client.fetchProtectedResource(
    configuration,
    accessToken,
    new URL(`${api}/user`),
    'GET',
    undefined,
    new Headers({ accept: 'application/vnd.github+json' }),
  );
  const user: unknown = answer.ok ? await answer.json() : undefined;
  if (typeof user !== 'object' || user === null || !('id' in user) || !Number.isSafeInteger(user.id))
    throw new SignInRefused('oauth2AuthenticationError', `${name} does not say who has logged in (${answer.status})`);
  const members = user as Readonly<Record<string, unknown>>;
  const identity = {
    provider: { id, name, protocol, issuer },
    subject: String(user.id),
    username: text(members[usernameClaim]),
    // A login belongs to one account; an address of the profile need not.
    unverified: usernameClaim !== 'login',
    email: text(members['email']),
    displayName: text(members['name']),
    picture: webAddress(members['avatar_url']),
    groups: [],
    // GitHub says nothing about it.
    secondFactor: false,
  };
  return { identity, user: members };
}
