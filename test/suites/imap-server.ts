import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../../core/semaphore/index.js';
import { Authority, type Issued } from '../pki/index.js';

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** True if Dovecot is installed (`deploy/install-programs.sh --with-dovecot`). */
export function hasDovecot(): boolean {
  return spawnSync('dovecot', ['--version'], { env: { PATH } }).status === 0;
}

/** An attachment of a message. */
export interface MailedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly disposition?: 'attachment' | 'inline';
  /** What is sent in place of its base64. */
  readonly sentAs?: string;
}

/** A mail server (Dovecot) on loopback with one user, whose messages are files (Maildir). */
export class ImapServer {
  readonly user = 'ann';
  readonly password = 'password-of-ann';
  #process: ChildProcess | undefined;

  private constructor(
    private readonly base: string,
    /** Port with TLS from the beginning, and port for STARTTLS. */
    readonly ports: { readonly tls: number; readonly starttls: number },
    private readonly certificate: Issued,
  ) {}

  static async create(): Promise<ImapServer> {
    const base = await mkdtemp(join(tmpdir(), 'quire-imap-'));
    const authority = await Authority.root(join(base, 'root'), { name: 'Mail Root' });
    const certificate = await authority.issue({
      name: 'mail.test',
      purpose: 'server',
      extensions: ['subjectAltName=IP:127.0.0.1,DNS:mail.test'],
    });
    const server = new ImapServer(base, { tls: await freePort(), starttls: await freePort() }, certificate);
    await copyFile(authority.own.certificateFile, server.authorityFile);
    await writeFile(join(base, 'dovecot.conf'), server.#configuration());
    await chmod(base, 0o755);
    for (const folder of ['new', 'cur', 'tmp', '.Done/new', '.Done/cur', '.Done/tmp'])
      await mkdir(join(server.#mailbox, folder), { recursive: true });
    await server.#own();
    await server.start();
    return server;
  }

  /** PEM file with the certificate of the authority. */
  get authorityFile(): string {
    return join(this.base, 'authority.pem');
  }

  async start(): Promise<void> {
    const process = spawn('dovecot', ['-F', '-c', join(this.base, 'dovecot.conf')], { env: { PATH }, stdio: 'ignore' });
    this.#process = process;
    for (let tries = 0; !(await answers(this.ports.starttls)); tries++) {
      if (tries > 200 || process.exitCode !== null)
        throw new Error(`Dovecot did not start: ${await readFile(join(this.base, 'log'), 'utf8').catch(() => '')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined || process.exitCode !== null) return;
    const ended = once(process, 'exit');
    // Those that serve connections may outlive it by a moment.
    const children = childrenOf(process.pid ?? 0);
    process.kill('SIGTERM');
    await ended;
    children.forEach(endProcess);
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.base, { recursive: true, force: true });
  }

  /** Makes a mailbox; `INBOX` and `Done` exist. */
  async addMailbox(name: string): Promise<void> {
    for (const part of ['new', 'cur', 'tmp']) await mkdir(join(this.#folderOf(name), part), { recursive: true });
    await this.#own();
  }

  /** Delivers a message with these attachments; also while the server is stopped. */
  async deliver(files: readonly MailedFile[], mailbox = 'INBOX'): Promise<void> {
    const name = `${Date.now()}.${randomUUID()}.mail.test`;
    const folder = this.#folderOf(mailbox);
    const written = join(folder, 'tmp', name);
    await writeFile(written, messageOf(files));
    if (userInfo().uid === 0) await chown(written, NOBODY, NOBODY);
    await rename(written, join(folder, 'new', name));
  }

  /** Messages as files: their names end with flags, `S` for one that was read. */
  async messages(mailbox = 'INBOX'): Promise<readonly { readonly read: boolean; readonly text: string }[]> {
    const folder = this.#folderOf(mailbox);
    const found: { readonly read: boolean; readonly text: string }[] = [];
    for (const part of ['new', 'cur'])
      for (const name of await readdir(join(folder, part)))
        found.push({ read: /:2,[A-Za-z]*S/.test(name), text: await readFile(join(folder, part, name), 'latin1') });
    return found;
  }

  #folderOf(mailbox: string): string {
    return mailbox === 'INBOX' ? this.#mailbox : join(this.#mailbox, `.${mailbox}`);
  }

  get #mailbox(): string {
    return join(this.base, 'mail', this.user);
  }

  /** Dovecot opens no mailbox as root. */
  async #own(): Promise<void> {
    if (userInfo().uid !== 0) return;
    const all = await readdir(join(this.base, 'mail'), { recursive: true });
    for (const path of ['', ...all])
      await chown(join(this.base, 'mail', path), NOBODY, NOBODY).catch((error: unknown) => {
        // Dovecot removes its locks meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
  }

  #configuration(): string {
    const { uid, gid, username } = userInfo();
    const own = uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
    const unprivileged = [
      `default_internal_user = ${username}`,
      `default_login_user = ${username}`,
      'service anvil {\n chroot =\n}',
    ];
    return [
      `base_dir = ${this.base}/run`,
      `log_path = ${this.base}/log`,
      'protocols = imap',
      'listen = 127.0.0.1',
      'ssl = required',
      `ssl_cert = <${this.certificate.certificateFile}`,
      `ssl_key = <${this.certificate.keyFile}`,
      `mail_location = maildir:${this.base}/mail/%u`,
      `first_valid_uid = ${own.uid}`,
      `passdb {\n driver = static\n args = password=${this.password}\n}`,
      `userdb {\n driver = static\n args = uid=${own.uid} gid=${own.gid} home=${this.base}/mail/%u\n}`,
      'namespace inbox {\n inbox = yes\n}',
      `service imap-login {\n ${uid === 0 ? '' : 'chroot ='}`,
      ` inet_listener imap {\n port = ${this.ports.starttls}\n }`,
      ` inet_listener imaps {\n port = ${this.ports.tls}\n ssl = yes\n }\n}`,
      ...(uid === 0 ? [] : unprivileged),
      '',
    ].join('\n');
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The user and group `nobody` of Debian. */
const NOBODY = 65534;

function messageOf(files: readonly MailedFile[]): string {
  const boundary = `part-${randomUUID()}`;
  return [
    'From: bob@example.org',
    'To: ann@example.org',
    'Subject: Files',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    'Here they are.',
    ...files.flatMap(({ name, content, disposition = 'attachment', sentAs }) => [
      `--${boundary}`,
      `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      ...(disposition === 'inline' ? ['Content-ID: <picture@example.org>'] : []),
      `Content-Disposition: ${disposition}; filename="${name}"`,
      '',
      ...(sentAs === undefined ? (content.toString('base64').match(/.{1,76}/g) ?? []) : [sentAs]),
    ]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('data', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });
}
