import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

/** New passwords for the user "somebody.new" with what their refusals say. */
const weak: readonly (readonly [string, string])[] = [
  ['sh0rt-1', 'fewer than 8 characters'],
  ['password', 'most common passwords'],
  ['Sunshine', 'most common passwords'],
  ['1234567890', 'most common passwords'],
  ['aaaaaaaaaaaa', 'most common passwords'],
  ['Somebody.New', 'the user name'],
];

describe('A new password', () => {
  let server: TestServer;
  let boss: Headers;
  const form = (path: string, fields: Readonly<Record<string, string>>, headers: Headers): Promise<Answer> =>
    sendFields(server, `/api/v1/${path}`, fields, headers);
  const expectWeak = (answer: Answer, reason: string): void => {
    const problem = expectProblem(answer, 400, 'PASSWORD_INVALID') as unknown as { detail: string };
    expect(problem.detail).to.contain(reason);
  };

  before(async () => {
    server = await startWithLogin(
      // An operator's own choice, and older passwords, are not checked.
      { initialLogin: { username: 'chief', password: 'abc123' } },
      { licence: { tier: 'enterprise' }, mail: { enableInvites: true } },
    );
    boss = await sessionOf(server, 'chief', 'abc123');
  });
  after(() => server.stop());

  it('is refused wherever it is set, when it is short, common or the name of the user', async () => {
    const { username, password } = await addUser(server, boss, 'somebody.new');
    const session = await sessionOf(server, username, password);
    for (const [next, reason] of weak) {
      expectWeak(await form('user/change-password', { currentPassword: password, newPassword: next }, session), reason);
      expectWeak(
        await form(
          'user/change-password-on-login',
          { currentPassword: password, newPassword: next, confirmPassword: next },
          session,
        ),
        reason,
      );
      expectWeak(await form('user/admin/changePasswordForUser', { username, newPassword: next }, boss), reason);
    }
    await form('user/admin/deleteUser/somebody.new', {}, boss);
    for (const [next, reason] of weak) {
      expectWeak(
        await form(
          'user/admin/saveUser',
          { username: 'somebody.new', password: next, role: 'ROLE_USER', authType: 'web' },
          boss,
        ),
        reason,
      );
      expectWeak(
        await sendJson(server, '/api/v1/user/register', { username: 'somebody.new', password: next }, boss),
        reason,
      );
    }
  });

  it('is checked before an invite is used up', async () => {
    const made = await form('invite/generate', { email: 'somebody.new@example.org' }, boss);
    const { token } = json<{ token: string }>(made);
    const accept = (password: string): Promise<Answer> => form(`invite/accept/${token}`, { password }, {});
    for (const [next, reason] of weak) expectWeak(await accept(next), reason);
    expect((await accept('words of my own')).status).to.equal(200);
  });

  it('is needed only for the change: an older short one still logs in', async () => {
    const session = await sessionOf(server, 'chief', 'abc123');
    expect((await send(`${server.url}/api/v1/auth/me`, { headers: session })).status).to.equal(200);
  });
});
