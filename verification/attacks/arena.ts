import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { field, file, json, post, send } from '../../test/http/support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
} from '../../test/http/support/login.js';
import { makePdf } from '../../test/kit/make-pdf.js';
import { BuiltServer } from '../corpus/built-server.js';
import { readDocument } from '../walk/api-document.js';
import type { Battlefield, CallerName, ForeignThings } from './attack.js';
import type { Guarded } from './judge.js';

type Headers = Readonly<Record<string, string>>;

const productRoot = fileURLToPath(new URL('../..', import.meta.url));
const API = '/api/v1';
const KEYS = `${API}/proprietary/ui-data/infrastructure/api-keys`;

/** The bytes of an example file of the document, from the folder of its plugin or of the server. */
export function sampleOf(address: string): Buffer {
  const [, owner = '', name = ''] = /\/examples\/quire-([\w-]+)\/(.+)$/.exec(address) ?? [];
  const folder = owner === 'core' ? 'core/openapi' : `plugins/${owner.replace('plugin-', '')}`;
  return readFileSync(join(productRoot, folder, 'fixtures', decodeURIComponent(name)));
}

/** A server of its own with accounts, files and secrets that attackers may not reach, and a listener for its calls. */
export class Arena {
  readonly heard: string[] = [];
  readonly canary = `CANARY${randomBytes(8).toString('hex')}`;
  #callers: ReadonlyMap<CallerName, Headers> = new Map();
  #address = 0;

  private constructor(
    private readonly folder: string,
    private readonly listener: Server,
    readonly logFile: string,
  ) {}

  static async start(): Promise<Arena> {
    const folder = mkdtempSync(join(tmpdir(), 'quire-attacks-'));
    const listener = createServer((_request, response) => response.end('heard'));
    await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
    const arena = new Arena(folder, listener, join(folder, 'server.log'));
    listener.on('request', ({ method, url }) => arena.heard.push(`${method} ${url}`));
    mkdirSync(arena.dropFolder);
    writeFileSync(arena.secretFile, `${arena.canary}\n`);
    return arena;
  }

  get secretFile(): string {
    return join(this.folder, 'secret.txt');
  }
  get dropFolder(): string {
    return join(this.folder, 'drop');
  }
  get base(): string {
    return join(this.folder, 'base');
  }
  get guarded(): Guarded {
    return { canary: this.canary, folders: [this.base, productRoot.replace(/\/$/, '')] };
  }

  /** Starts the server, creates accounts and things, and returns what attacks are derived from. */
  async open(): Promise<{ readonly server: BuiltServer; readonly battlefield: Battlefield }> {
    const server = await BuiltServer.start({ base: this.base, logFile: this.logFile, env: this.#environment() });
    const boss = await sessionOf(server);
    const foreign = await this.#victim(server, boss);
    this.#callers = await this.#accounts(server, boss);
    const battlefield = {
      document: await readDocument(server.url),
      listener: `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`,
      secretFile: this.secretFile,
      dropFolder: this.dropFolder,
      foreign,
      sample: sampleOf,
    };
    return { server, battlefield };
  }

  /** Headers of a caller, from an address of its own, so that none of them is throttled for another one. */
  headersOf(caller: CallerName): Headers {
    this.#address += 1;
    const address = `10.${this.#address >> 16}.${(this.#address >> 8) & 255}.${this.#address & 255}`;
    return { ...this.#callers.get(caller), 'x-forwarded-for': address };
  }

  /** Logs the administrator in again, whose session an attack with its rights may have ended. */
  async renewAdministrator(server: BuiltServer): Promise<void> {
    this.#callers = new Map([...this.#callers, ['administrator', await sessionOf(server)]]);
  }

  /** Files that an attack has created: their names begin with PWNED. */
  dropped(): string[] {
    return [this.folder, tmpdir(), productRoot].flatMap((folder) =>
      readdirSync(folder, { recursive: folder === this.folder })
        .map(String)
        .filter((name) => /(?:^|\/)PWNED/.test(name)),
    );
  }

  async close(server: BuiltServer): Promise<void> {
    await server.stop();
    this.listener.closeAllConnections();
    this.listener.close();
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }

  #environment(): Readonly<Record<string, string>> {
    return {
      SECURITY_ENABLELOGIN: 'true',
      SECURITY_INITIALLOGIN_USERNAME: bossName,
      SECURITY_INITIALLOGIN_PASSWORD: bossPassword,
      SECURITY_CUSTOMGLOBALAPIKEY: `${this.canary}-global`,
      MAIL_PASSWORD: `${this.canary}-mail`,
      AIENGINE_SHAREDSECRET: `${this.canary}-ai`,
      STORAGE_ENABLED: 'true',
      STORAGE_SHARING_ENABLED: 'true',
      SYSTEM_ENABLEURLTOPDF: 'true',
      SERVER_TRUSTEDPROXIES: '127.0.0.1',
      PROCESSEXECUTOR_TIMEOUTMINUTES_LIBREOFFICETIMEOUTMINUTES: '1',
    };
  }

  /** A user whose things nobody else may reach. */
  async #victim(server: BuiltServer, boss: Headers): Promise<ForeignThings> {
    const { username, password } = await addUser(server, boss, 'victim');
    const session = await sessionOf(server, username, password);
    const secret = Buffer.from(`${this.canary} of a user`);
    const pdf = Buffer.concat([Buffer.from(await makePdf({ pages: 1 })), Buffer.from(`% ${this.canary}\n`)]);
    const { jobId } = json<{ jobId: string }>(
      await post(
        `${server.url}${API}/general/rotate-pdf?async=true`,
        [file(pdf, 'a.pdf'), field('angle', '90')],
        session,
      ),
    );
    const stored = json<{ id: number }>(
      await post(`${server.url}${API}/storage/files`, [file(secret, 'secret.txt', 'file')], session),
    );
    const folder = json<{ id: string }>(
      await sendJson(server, `${API}/storage/folders`, { name: `${this.canary} folder` }, session),
    );
    const connection = json<{ id: number }>(
      await sendJson(
        server,
        `${API}/integrations`,
        { integrationType: 'API', name: `${this.canary} c`, config: { baseUrl: 'https://archive.example.com' } },
        session,
      ),
    );
    const key = json<{ key: { id: string } }>(await sendJson(server, KEYS, { name: `${this.canary} key` }, session));
    const sessions = json<{ sessions: readonly { id: string }[] }>(
      await send(`${server.url}${API}/auth/sessions`, { headers: session }),
    );
    const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const signature = { id: 'victims-signature', label: this.canary, dataUrl: `data:image/png;base64,${image}` };
    await sendJson(server, `${API}/proprietary/signatures`, signature, session);
    return {
      jobId,
      jobFileId: await this.#resultOf(server, jobId, session),
      storedFileId: String(stored.id),
      connectionId: String(connection.id),
      folderId: folder.id,
      keyId: key.key.id,
      sessionId: sessions.sessions[0]?.id ?? '',
      signatureId: signature.id,
      username,
    };
  }

  async #resultOf(server: BuiltServer, jobId: string, session: Headers): Promise<string> {
    for (let i = 0; i < 300; i++) {
      const answer = await send(`${server.url}${API}/general/job/${jobId}/result/files`, { headers: session });
      if (answer.status === 200) return json<{ files: readonly { fileId: string }[] }>(answer).files[0]?.fileId ?? '';
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('the job of the victim has no result');
  }

  async #accounts(server: BuiltServer, boss: Headers): Promise<Map<CallerName, Headers>> {
    const mallory = await addUser(server, boss, 'mallory');
    const session = await sessionOf(server, mallory.username, mallory.password);
    const limited = async (limits: object): Promise<Headers> => ({
      'x-api-key': json<{ secret: string }>(await sendJson(server, KEYS, { name: 'limited', ...limits }, session))
        .secret,
    });
    const gone = await addUser(server, boss, 'gone');
    const goneSession = await sessionOf(server, gone.username, gone.password);
    await setEnabled(server, boss, gone.username, false);
    const late = { username: 'late', password: 'given by the boss', role: 'ROLE_ADMIN', authType: 'web' };
    await sendFields(server, `${API}/user/admin/saveUser`, { ...late, forceChange: 'true' }, boss);
    const [head = '', claims = ''] = boss['authorization']?.replace('Bearer ', '').split('.') ?? [];
    return new Map<CallerName, Headers>([
      ['nobody', {}],
      ['wrong key', { 'x-api-key': randomBytes(24).toString('base64url') }],
      ['foreign token', { authorization: `Bearer ${head}.${claims}.${randomBytes(256).toString('base64url')}` }],
      ['disabled user', goneSession],
      ['must change password', await sessionOf(server, late.username, late.password)],
      ['read-only key', await limited({ readOnly: true })],
      ['key of another category', await limited({ categories: ['convert'] })],
      ['global key', { 'x-api-key': `${this.canary}-global` }],
      ['user', { 'x-api-key': await keyOf(server, session) }],
      ['administrator', await sessionOf(server)],
    ]);
  }
}
