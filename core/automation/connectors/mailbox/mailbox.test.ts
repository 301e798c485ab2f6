import { expect } from 'chai';
import type { ImapFlow } from 'imapflow';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contextForTest, describeSource, listed, validated } from '../../../../test/suites/connectors.js';
import { codeOf } from '../../../../test/suites/code-of.js';
import { hasDovecot, ImapServer } from '../../../../test/suites/imap-server.js';
import { TurnCounter } from '../../../../test/suites/turn-counter.js';
import { temporaryEmbeddedStore } from '../../../../test/suites/temporary-store.js';
import { loadSettings } from '../../../settings/index.js';
import { attachmentsOf } from './attachments.js';
import type { MailboxOptions } from './mailbox-options.js';
import { mailboxSource } from './mailbox-source.js';
import { MailboxSessions } from './mailbox-session.js';

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

    it('gives many files by one connection and few commands, whole and each its own', async () => {
      const counter = await TurnCounter.start(made.server.ports.tls);
      try {
        const sizes = [1, 2, 3, 1000, 70_000, 200_000];
        const contents = Array.from({ length: 49 }, (_, at) => randomBytes(at === 48 ? 600_000 : (sizes[at % 6] ?? 0)));
        for (const [at, content] of contents.entries()) await made.server.deliver([{ name: `${at}.bin`, content }]);
        const source = await open({ port: counter.port });
        const files = await listed(source);
        const paths = files.map(({ name }) => join(folder, name));
        await Promise.all(files.map((file, at) => source.fetch(file, paths[at] ?? '')));
        for (const [at, { name }] of files.entries())
          expect(
            (await readFile(paths[at] ?? '')).equals(contents[Number.parseInt(name, 10)] ?? Buffer.of()),
            name,
          ).to.equal(true);
        await Promise.all(files.map((file) => source.finish(file)));
        expect((await made.server.messages()).every(({ read }) => read)).to.equal(true);
        await source.close();
        const again = await open({ port: counter.port });
        await made.server.deliver([{ name: 'later.bin', content: Buffer.from('x') }]);
        expect(
          (await listed(again)).map(({ name }) => name),
          'sees what has arrived since',
        ).to.deep.equal(['later.bin']);
        await again.close();
        expect(counter.seen.connections).to.equal(1);
        // A large one takes about fourteen.
        expect(counter.seen.turns).to.be.below(45);
      } finally {
        await counter.stop();
      }
    });

    it('takes attachments that are not sent as they should be', async () => {
      const text = 'not base64, but said to be: {}';
      await made.server.deliver([{ name: 'a.txt', content: Buffer.from(text), sentAs: text }]);
      const source = await open();
      const [file] = await listed(source);
      await source.fetch(file ?? expect.fail(), join(folder, 'a'));
      await source.close();
      expect((await readFile(join(folder, 'a'))).length).to.be.above(0);
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

describe('A session with a mailbox', () => {
  const options = { host: 'mail.test', mailbox: 'INBOX', names: [], maxBytes: 1000 } as unknown as MailboxOptions;

  it('is unreachable when the server refuses to search: no answer is not an empty mailbox', async () => {
    const answers = { usable: true, mailbox: { uidValidity: 1n }, search: async () => false };
    const nothing = async (): Promise<void> => undefined;
    const client = { ...answers, noop: nothing, mailboxOpen: nothing } as unknown as ImapFlow;
    const session = new MailboxSessions(async () => client).of(options);
    expect(await codeOf(session.unread())).to.equal('SOURCE_UNREACHABLE');
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
      { part: '2', name: 'a.pdf', size: 57, base64: 78 },
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
