import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { json, send, type Answer } from '../support/client.js';
import { firstSessionOf } from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import { makeBase, startProcess } from '../support/process.js';

/** Every file that the server wrote in its base folder, except the operator's settings file. */
function writtenFiles(basePath: string): string[] {
  return readdirSync(basePath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'settings.yml')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}

describe('Secrets of accounts', function () {
  this.timeout(60_000);

  it('are in no file and no log line, whatever is done or fails', async () => {
    const mail = await MailServer.start();
    const basePath = makeBase({
      security: { enableLogin: true },
      logging: { level: 'trace', pretty: false },
      mail: { ...mail.settings, username: 'mailer', password: 'canary-of-the-mail-server' },
    });
    const server = await startProcess(basePath);
    const secrets: string[] = ['canary-of-the-mail-server'];
    const secret = (text: string): string => {
      secrets.push(text);
      return text;
    };
    const call = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      send(`${server.url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const form = (
      path: string,
      fields: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Answer> =>
      send(`${server.url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      });
    const login = async (username: string, password: string, mfaCode?: string): Promise<{ authorization: string }> => {
      const answer = await call('auth/login', { username, password, mfaCode });
      expect(answer.status, answer.body.toString()).to.equal(200);
      return {
        authorization: `Bearer ${secret(json<{ session: { access_token: string } }>(answer).session.access_token)}`,
      };
    };
    try {
      const shown = /user name admin, password (\S+) \(/g;
      const [first] = [...server.text().matchAll(shown)];
      const password = first?.[1] ?? '';
      expect(password, server.text()).to.have.length(12);
      const chosen = secret('canary-of-the-administrator');
      const boss = await firstSessionOf(server, 'admin', password, chosen);
      secret(boss.authorization.slice(7));
      await form(
        'user/admin/saveUser',
        { username: 'ann', password: secret('canary-of-ann'), role: 'ROLE_USER', authType: 'web' },
        boss,
      );
      let ann = await login('ann', 'canary-of-ann');
      await call('auth/login', { username: 'ann', password: secret('canary-wrong-password') });
      await form(
        'user/change-password',
        { currentPassword: 'canary-of-ann', newPassword: secret('canary-second-of-ann') },
        ann,
      );
      await send(
        `${server.url}/api/v1/user/change-password?currentPassword=${secret('canary-in-the-query')}&newPassword=x`,
        { method: 'POST', headers: boss },
      );
      ann = await login('ann', 'canary-second-of-ann');
      const { secret: totp } = json<{ secret: string }>(
        await send(`${server.url}/api/v1/auth/mfa/setup`, { headers: ann }),
      );
      const code = new TOTP({ secret: Secret.fromBase32(secret(totp)) }).generate();
      expect((await call('auth/mfa/enable', { code }, ann)).status).to.equal(200);
      const invite = json<{ token: string }>(
        await form('invite/generate', { email: 'bob@example.org', sendEmail: 'true' }, boss),
      );
      await form(`invite/accept/${secret(invite.token)}`, { password: secret('canary-of-bob') });
      await send(`${server.url}/api/v1/invite/validate/${invite.token}`);
      await form('user/admin/inviteUsers', { emails: 'cleo@example.org,refused@example.org' }, boss);
      secret(/Password: (\S+)/.exec(mail.lastTo('cleo@example.org'))?.[1] ?? 'no mail came');
      await form(
        'user/admin/changePasswordForUser',
        { username: 'bob@example.org', generateRandom: 'true', sendEmail: 'true', includePassword: 'true' },
        boss,
      );
      secret(/Your new password is: (\S+)/.exec(mail.lastTo('bob@example.org'))?.[1] ?? 'no mail came');
      expect(mail.mails).to.have.length(3);
      await call('user/register', { username: 'x', password: secret('canary-of-a-refused-name') }, boss);

      server.child.kill('SIGTERM');
      await server.exit;
      const again = await startProcess(basePath);
      again.child.kill('SIGTERM');
      await again.exit;
      const log = server.text() + again.text();
      expect([...log.matchAll(shown)], 'the first password is shown once in all').to.have.length(1);
      const files = writtenFiles(basePath);
      expect(
        files.some((text) => text.includes('"username":"ann"')),
        'the store was read',
      ).to.equal(true);
      for (const text of secrets)
        for (const place of [log, ...files]) expect(place.includes(text), text).to.equal(false);
      for (const place of files) expect(place.includes(password), 'the first password in a file').to.equal(false);
    } finally {
      server.child.kill('SIGKILL');
      await mail.stop();
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
