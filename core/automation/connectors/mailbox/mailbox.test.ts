import { expect } from 'chai';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextForTest, describeSource, listed, validated } from '../../../../test/suites/connectors.js';
import { hasDovecot, ImapServer } from '../../../../test/suites/imap-server.js';
import { temporaryEmbeddedStore } from '../../../../test/suites/temporary-store.js';
import { loadSettings } from '../../../settings/index.js';
import { attachmentsOf } from './attachments.js';
import { mailboxSource } from './mailbox-source.js';

/** A mailbox on loopback, and the source that reads it. */
async function mailbox() {
  const server = await ImapServer.create();
  const temporary = await temporaryEmbeddedStore();
  const store = await temporary.open();
  const settings = (allowed: string) =>
    loadSettings({ env: { OUTBOUND_ALLOWED: allowed, SYSTEM_CABUNDLE: server.authorityFile }, cwd: tmpdir() });
  const clock = { now: () => new Date() };
  return {
    server,
    kind: mailboxSource({ settings: settings('127.0.0.1'), store, clock }),
    guarded: mailboxSource({ settings: settings(''), store, clock }),
    options: { host: '127.0.0.1', port: server.ports.tls, username: server.user, password: server.password },
    close: async () => {
      await server.remove();
      await store.close();
      await temporary.remove();
    },
  };
}

describe('Mailboxes (Dovecot)', function () {
  this.timeout(60_000);
  before(function () {
    if (!hasDovecot()) this.skip();
  });

  describeSource(
    'mailbox',
    async () => {
      const made = await mailbox();
      return {
        ...made,
        put: (name, content) => made.server.deliver([{ name, content }]),
        names: async () =>
          (await made.server.messages())
            .filter(({ read }) => !read)
            .map(({ text }) => /filename="([^"]+)"/.exec(text)?.[1] ?? '')
            .sort(),
        breakDown: () => made.server.stop(),
        blamed: 'host',
        exactSize: false,
      };
    },
    { changes: false },
  );

  describe('A mailbox', () => {
    let made: Awaited<ReturnType<typeof mailbox>>;
    let folder: string;
    beforeEach(async () => {
      made = await mailbox();
      folder = await mkdtemp(join(tmpdir(), 'quire-attachments-'));
    });
    afterEach(async () => {
      await made.close();
      await rm(folder, { recursive: true });
    });
    const open = (more: object = {}) =>
      made.kind.open(validated(made.kind, { ...made.options, ...more }), contextForTest());

    for (const security of ['tls', 'starttls'] as const)
      it(`moves a message when all of its attachments are delivered, over ${security}`, async () => {
        const options = {
          security,
          port: made.server.ports[security],
          after: 'move',
          moveTo: 'Done',
          names: ['*.PDF'],
        };
        await made.server.deliver([
          { name: 'a.pdf', content: Buffer.from('one') },
          { name: 'logo.png', content: Buffer.from('picture'), disposition: 'inline' },
          { name: 'b.pdf', content: Buffer.from('two') },
          { name: 'terms.docx', content: Buffer.from('text') },
        ]);
        await made.kind.check(validated(made.kind, { ...made.options, ...options }), contextForTest());
        const source = await open(options);
        const [a, b, ...more] = await listed(source);
        expect([a?.name, b?.name, more.length]).to.deep.equal(['a.pdf', 'b.pdf', 0]);
        if (a === undefined || b === undefined) throw new Error('the attachments are not listed');
        await source.fetch(b, join(folder, 'b'));
        expect(await readFile(join(folder, 'b'), 'utf8')).to.equal('two');
        await source.finish(a);
        await source.finish(a);
        expect([(await made.server.messages()).length, (await made.server.messages('Done')).length]).to.deep.equal([
          1, 0,
        ]);
        await source.finish(b);
        expect([(await made.server.messages()).length, (await made.server.messages('Done')).length]).to.deep.equal([
          0, 1,
        ]);
        await source.finish(b);
        await source.close();
      });

    it('leaves messages as they are until then: listing and fetching does not mark them as read', async () => {
      await made.server.deliver([{ name: 'a.pdf', content: Buffer.from('one') }]);
      const source = await open();
      for (const file of await listed(source)) await source.fetch(file, join(folder, 'a'));
      await source.close();
      expect((await made.server.messages()).map(({ read }) => read)).to.deep.equal([false]);
    });

    it('goes on after the connection was lost', async () => {
      await made.server.deliver([{ name: 'a.pdf', content: Buffer.from('one') }]);
      const source = await open();
      const before = await listed(source);
      await made.server.stop();
      await made.server.start();
      expect(await listed(source)).to.deep.equal(before);
      await source.close();
    });

    it('reports which option is wrong', async () => {
      const wrong = async (more: object, kind = made.kind): Promise<readonly string[]> => {
        try {
          await kind.check(validated(kind, { ...made.options, ...more }), contextForTest());
          return [];
        } catch (error) {
          return ((error as { errors?: readonly { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer);
        }
      };
      expect(await wrong({})).to.deep.equal([]);
      expect(await wrong({ password: 'another' })).to.deep.equal(['/password']);
      expect(await wrong({ mailbox: 'Nowhere' })).to.deep.equal(['/mailbox']);
      expect(await wrong({ after: 'move', moveTo: 'Nowhere' })).to.deep.equal(['/moveTo']);
      expect(await wrong({ host: 'nowhere.invalid' })).to.deep.equal(['/host']);
      expect(await wrong({ security: 'starttls' }), 'not the port for that').to.deep.equal(['/host']);
      for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.1'])
        expect(await wrong({ host }, made.guarded), host).to.deep.equal(['/host']);
    });
  });
});

describe('Attachments of a message', () => {
  const rules = { names: [], maxBytes: 1000 };

  it('are its files, at any depth, but no texts and no pictures in texts', () => {
    const structure = {
      type: 'multipart/mixed',
      childNodes: [
        {
          type: 'multipart/related',
          part: '1',
          childNodes: [
            { type: 'text/html', part: '1.1' },
            { type: 'image/png', part: '1.2', disposition: 'inline', id: '<x>', parameters: { name: 'logo.png' } },
          ],
        },
        { type: 'application/pdf', part: '2', parameters: { name: '../../etc/a.pdf' }, encoding: 'base64', size: 78 },
        {
          type: 'message/rfc822',
          part: '3',
          disposition: 'attachment',
          childNodes: [{ type: 'text/plain', part: '3.1' }],
        },
        {
          type: 'application/pdf',
          part: '4',
          disposition: 'attachment',
          size: 1001,
          parameters: { name: 'large.pdf' },
        },
      ],
    };
    expect(attachmentsOf(structure, rules)).to.deep.equal([
      { part: '2', name: 'a.pdf', size: 57 },
      { part: '3', name: 'message.eml', size: 0 },
    ]);
    expect(attachmentsOf(structure, { ...rules, names: ['*.EML'] }).map(({ part }) => part)).to.deep.equal(['3']);
  });

  it('are the message itself if it is one file', () => {
    expect(
      attachmentsOf(
        { type: 'application/pdf', disposition: 'attachment', dispositionParameters: { filename: 'a.pdf' } },
        rules,
      ),
    ).to.deep.equal([{ part: '1', name: 'a.pdf', size: 0 }]);
  });
});
