import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { json, send } from '../support/client.js';
import { startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

const client = { clientId: 'quire', clientSecret: 'secret' };

/** What the configuration offers to the login page. */
async function offered(
  security: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<object> {
  const server: TestServer = await startWithLogin(security, more);
  try {
    const answer = await send(`${server.url}/api/v1/config/app-config`);
    const { loginProviders, localLoginEnabled, enableOAuth, SSOAutoLogin } = json<Record<string, unknown>>(answer);
    return { loginProviders, localLoginEnabled, enableOAuth, SSOAutoLogin };
  } finally {
    await server.stop();
  }
}

/** Why a server does not start. */
async function fault(oauth2: Readonly<Record<string, unknown>>): Promise<string> {
  try {
    const server = await createTestServer({ settings: { security: { enableLogin: true, oauth2 } } });
    await server.stop();
    return 'none';
  } catch (error) {
    return String(error);
  }
}

describe('Settings of login providers', () => {
  it('offer those that have an issuer and a client, presets and any other', async () => {
    expect(
      await offered({
        oauth2: {
          enabled: true,
          provider: 'My Company',
          issuer: 'https://login.example.org',
          ...client,
          client: { google: client, zitadel: client, entra: { issuer: 'https://login.example.com/v2.0' } },
        },
      }),
    ).to.deep.equal({
      loginProviders: [
        { id: 'google', name: 'Google', path: '/oauth2/authorization/google' },
        { id: 'my-company', name: 'My Company', path: '/oauth2/authorization/my-company' },
      ],
      localLoginEnabled: true,
      enableOAuth: true,
      SSOAutoLogin: false,
    });
  });

  it('offer none while they are off, or the login method leaves them out', async () => {
    const none = { loginProviders: [], localLoginEnabled: true, enableOAuth: false, SSOAutoLogin: false };
    expect(await offered({ oauth2: { client: { google: client } } })).to.deep.equal(none);
    expect(
      await offered({ loginMethod: 'normal', oauth2: { enabled: true, client: { google: client } } }),
    ).to.deep.equal(none);
  });

  it('let the login page go on by itself where there is nothing to choose', async () => {
    const premium = { proFeatures: { ssoAutoLogin: true } };
    const oauth2 = { enabled: true, client: { google: client } };
    expect(await offered({ loginMethod: 'oauth2', oauth2 }, { premium })).to.include({
      SSOAutoLogin: true,
      localLoginEnabled: false,
    });
    expect(await offered({ oauth2 }, { premium })).to.include({ SSOAutoLogin: false });
  });

  it('stop the start when two providers have one name, and when a rule is none', async () => {
    const google = { provider: 'Google', issuer: 'https://login.example.org', ...client, client: { google: client } };
    expect(await fault({ enabled: true, ...google })).to.include('another name');
    const other = { enabled: true, client: { google: client } };
    expect(await fault({ ...other, groupRoles: ['admins'] })).to.include('write group=role');
    expect(await fault({ ...other, groupRoles: ['admins=king'] })).to.include('such as ROLE_USER');
    expect(await fault({ ...other, groupTeams: ['=Team'] })).to.include('write group=team');
  });
});
