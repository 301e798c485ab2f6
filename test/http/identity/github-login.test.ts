import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, send } from '../support/client.js';
import { startWithLogin } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';

/** A GitHub Enterprise Server, as far as a login sees it (GitHub docs, "Authorizing OAuth apps"). */
class GithubServer {
  user: object | undefined = { id: 4711, login: 'octocat', name: 'The Octocat', email: null };
  /** What the last call of the token endpoint and of the user interface brought along. */
  tokenRequest = new URLSearchParams();
  authorization: string | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<GithubServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const github = new GithubServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void github.#answer(request, response));
    return github;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const answer = (value: object, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
    if (pathname === '/login/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === '/login/oauth/access_token') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.tokenRequest = new URLSearchParams(Buffer.concat(chunks).toString());
      return answer({ access_token: 'gho_token', scope: 'read:user', token_type: 'bearer' });
    }
    this.authorization = request.headers.authorization;
    if (pathname === '/api/v3/user' && this.user !== undefined) return answer(this.user);
    answer({ message: 'Bad credentials' }, 401);
  }
}

describe('Login with GitHub', () => {
  let github: GithubServer;
  let server: TestServer;
  const logIn = async (): Promise<URL> => {
    const { url } = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/github`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    return url;
  };
  const nameOf = async (url: URL): Promise<string> => {
    const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
    const answer = await send(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, url.href).to.equal(200);
    return json<{ user: { username: string } }>(answer).user.username;
  };

  before(async () => {
    github = await GithubServer.listen();
    server = await startWithLogin({
      oauth2: {
        enabled: true,
        client: { github: { issuer: github.url, clientId: 'quire', clientSecret: 'the-secret' } },
      },
    });
  });
  after(async () => {
    await server.stop();
    await github.close();
  });

  it('creates an account by the login, and finds it by the number of the user', async () => {
    expect(await nameOf(await logIn())).to.equal('octocat');
    expect(Object.fromEntries(github.tokenRequest)).to.include({ client_id: 'quire', client_secret: 'the-secret' });
    expect(github.tokenRequest.get('code_verifier')).to.match(/^[\w.~-]{43,128}$/);
    expect(github.authorization).to.equal('Bearer gho_token');
    github.user = { id: 4711, login: 'renamed-cat' };
    expect(await nameOf(await logIn())).to.equal('octocat');
  });

  it('does not give an account to whoever takes its old name at GitHub', async () => {
    github.user = { id: 4712, login: 'octocat' };
    expect((await logIn()).search).to.equal('?errorOAuth=userAlreadyExistsWeb');
  });

  it('is refused when GitHub does not say who it is', async () => {
    github.user = undefined;
    expect((await logIn()).search).to.equal('?errorOAuth=oauth2AuthenticationError');
    github.user = { login: 'without-a-number' };
    expect((await logIn()).search).to.equal('?errorOAuth=oauth2AuthenticationError');
  });
});
