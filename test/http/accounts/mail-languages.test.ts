import { expect } from 'chai';
import { file, json, post } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { readMail, type ReadMail } from '../support/mail-parts.js';
import { MailServer } from '../support/mail-server.js';
import { until, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

describe('The language of mails', () => {
  let server: TestServer;
  let mails: MailServer;
  let boss: Headers;
  before(async () => {
    mails = await MailServer.start();
    server = await startWithLogin(
      {},
      {
        mail: mails.settings,
        system: { frontendUrl: 'https://docs.example.org', defaultLocale: 'pt-BR' },
        storage: { enabled: true, sharing: { enabled: true, emailEnabled: true } },
      },
    );
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await mails.stop();
  });

  const to = (address: string): ReadMail[] =>
    mails.mails.filter((mail) => mail.to.some((each) => each.includes(address))).map(({ data }) => readMail(data));
  /** Causes a mail to the address and returns it. */
  const mailOf = async (address: string, cause: () => Promise<{ readonly status: number }>): Promise<ReadMail> => {
    const before = to(address).length;
    expect((await cause()).status).to.equal(200);
    await until(`a mail to ${address} has arrived`, () => to(address).length > before);
    return to(address).at(-1)!;
  };
  const invite = (email: string, accepted: string) => () =>
    sendFields(
      server,
      '/api/v1/invite/generate',
      { email, sendEmail: 'true' },
      { ...boss, 'accept-language': accepted },
    );
  const forget = (username: string, headers: Headers) => () =>
    sendJson(server, '/api/v1/auth/password-reset/request', { username }, headers);

  const subjects: Readonly<Record<string, string>> = {
    en: 'Your invitation to Quire',
    de: 'Ihre Einladung zu Quire',
    fr: 'Votre invitation à Quire',
    es: 'Su invitación a Quire',
    pt: 'Seu convite para Quire',
    it: 'Il tuo invito a Quire',
    zh: '您的 Quire 邀请',
    ja: 'Quire への招待',
    ar: 'دعوتك إلى Quire',
  };
  for (const [language, subject] of Object.entries(subjects))
    it(`is ${language} for an invite by somebody who reads it, in subject, text and HTML`, async () => {
      const mail = await mailOf(`${language}@example.org`, invite(`${language}@example.org`, `xx, ${language};q=0.7`));
      expect(mail.subject).to.equal(subject);
      const [, link] = /(https:\/\/docs\.example\.org\/invite\/[\w-]+)/.exec(mail.text) ?? [];
      expect(link, mail.text).to.be.a('string');
      expect(mail.html).to.contain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(mail.html).to.contain(`<a href="${link}" dir="ltr">`);
      expect(mail.html).to.contain(`<title>${subject}</title>`);
    });

  it('is the one with the highest quality of those that are known', async () => {
    const mail = await mailOf(
      'quality@example.org',
      invite('quality@example.org', 'sv, en;q=0.2, it-CH;q=0.9, de;q=0'),
    );
    expect(mail.subject).to.equal(subjects['it']);
  });

  it('is that of the server where the call names none that is known', async () => {
    const mail = await mailOf('usual@example.org', invite('usual@example.org', 'sv, *;q=0.5'));
    expect(mail.subject).to.equal(subjects['pt']);
  });

  it('is the own setting of the receiver before all others', async () => {
    const { username, password } = await addUser(server, boss, 'ann@example.org');
    const hers = await sessionOf(server, username, password);
    const japanese = { 'accept-language': 'ja' };
    expect((await mailOf(username, forget(username, japanese))).subject).to.equal('Quire のパスワードの再設定');
    await sendJson(server, '/api/v1/user/updateUserSettings', { language: 'de-AT' }, hers);
    const mail = await mailOf(username, forget(username, japanese));
    expect(mail.subject).to.equal('Ihr Passwort bei Quire zurücksetzen');
    const [, token = ''] = /\/reset#([\w-]+)/.exec(mail.text) ?? [];
    const finished = await mailOf(username, () =>
      sendJson(server, '/api/v1/auth/password-reset/finish', { token, newPassword: 'a new one of ann' }, japanese),
    );
    expect(finished.subject).to.equal('Ihr Passwort bei Quire wurde geändert');
  });

  it('is that of the administrator’s call for a new account and a new password', async () => {
    const french = { ...boss, 'accept-language': 'fr-CA,fr;q=0.9' };
    const created = await mailOf('new@example.org', () =>
      sendFields(server, '/api/v1/user/admin/inviteUsers', { emails: 'new@example.org' }, french),
    );
    expect(created.subject).to.equal('Votre compte sur Quire');
    expect(created.text).to.match(/Mot de passe\u00A0: \S{8,}/);
    const changed = await mailOf('new@example.org', () =>
      sendFields(
        server,
        '/api/v1/user/admin/changePasswordForUser',
        { username: 'new@example.org', newPassword: 'something & <new>', sendEmail: 'true', includePassword: 'true' },
        french,
      ),
    );
    expect(changed.subject).to.equal('Votre mot de passe sur Quire');
    expect(changed.text).to.contain('something & <new>');
    expect(changed.html).to.contain('something &amp; &lt;new&gt;');
  });

  it('is that of the call which shares a file, whose name is no markup', async () => {
    const name = 'q&a.txt';
    const stored = await post(`${server.url}/api/v1/storage/files`, [file(Buffer.from('plan'), name, 'file')], boss);
    expect(stored.status, stored.body.toString()).to.be.lessThan(300);
    const { id } = json<{ id: number }>(stored);
    const mail = await mailOf('guest@example.org', () =>
      sendJson(
        server,
        `/api/v1/storage/files/${id}/shares/users`,
        { username: 'guest@example.org' },
        { ...boss, 'accept-language': 'ar' },
      ),
    );
    expect(mail.subject).to.equal('تمت مشاركة ملف معك على Quire');
    expect(mail.text).to.contain(name);
    expect(mail.html).to.contain('q&amp;a.txt');
    expect(mail.html).to.contain('dir="rtl"');
  });
});
