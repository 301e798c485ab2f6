import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import sharp, { type Sharp } from 'sharp';
import { json, send, type Answer } from './client.js';
import { addUser, bossName, bossPassword, globalKey, sendJson, sessionOf } from './login.js';
import type { TestServer } from './server.js';

export const SAVED = '/api/v1/proprietary/signatures';
export const IMAGE = '/api/v1/general/signatures';
export const SIGN = '/api/v1/ui-data/sign';

export type Headers = Readonly<Record<string, string>>;
/** The record of a saved signature image as the API returns it. */
export interface Saved {
  readonly id: string;
  readonly label: string | null;
  readonly scope: string;
  readonly dataUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const drawn = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 20, b: 160, alpha: 0.5 } } });
export const asUrl = (bytes: Uint8Array, type = 'png'): string =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** A server with login and the users `ann`, `bob` and `demo`. */
export class SignatureSetup {
  readonly base = mkdtempSync(join(tmpdir(), 'quire-signature-images-'));
  server!: TestServer;
  png!: Buffer;
  jpeg!: Buffer;
  boss!: Headers;
  ann!: Headers;
  bob!: Headers;
  demo!: Headers;

  async create(): Promise<void> {
    this.png = await drawn(60, 20).png().toBuffer();
    this.jpeg = await drawn(60, 20).jpeg().toBuffer();
    this.server = await this.start(true);
    await this.server.start();
    this.boss = await sessionOf(this.server);
    this.ann = await this.user('ann');
    this.bob = await this.user('Bob.Smith@example.org');
    this.demo = await this.user('demo', 'ROLE_DEMO_USER');
  }
  async close(): Promise<void> {
    await (this.server as TestServer | undefined)?.stop();
    rmSync(this.base, { recursive: true, force: true });
  }

  /** Creates a server on the base folder, not started yet. */
  start(login: boolean): Promise<TestServer> {
    const security = {
      enableLogin: true,
      customGlobalAPIKey: globalKey,
      initialLogin: { username: bossName, password: bossPassword },
    };
    return createTestServer({
      basePath: join(this.base, 'data'),
      plugins: ['@quire/plugin-signing'],
      ...(login ? { settings: { security } } : {}),
    });
  }
  folder(...names: string[]): string {
    return join(this.base, 'data', 'customFiles', 'signatures', ...names);
  }
  /** Adds a user and returns the headers of a session. */
  async user(name: string, role?: string): Promise<Headers> {
    await addUser(this.server, this.boss, name, role);
    return sessionOf(this.server, name, `password of ${name}`);
  }
  save(headers: Headers, more: Record<string, unknown>): Promise<Answer> {
    return sendJson(this.server, SAVED, { id: 'one', dataUrl: asUrl(this.png), ...more }, headers);
  }
  /** Saves an image, expects success and returns the record. */
  async saved(headers: Headers, more: Record<string, unknown>): Promise<Saved> {
    const answer = await this.save(headers, more);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Saved & Record<string, unknown>>(answer);
  }
  async list(headers: Headers): Promise<Saved[]> {
    return json<Saved[]>((await send(`${this.server.url}${SAVED}`, { headers })) as Answer) as unknown as Saved[];
  }
  get(path: string, headers: Headers = {}): Promise<Answer> {
    return send(`${this.server.url}${path}`, { headers });
  }
  image(name: string, headers: Headers = {}): Promise<Answer> {
    return this.get(`${IMAGE}/${name}`, headers);
  }
  remove(id: string, headers: Headers): Promise<Answer> {
    return send(`${this.server.url}${SAVED}/${id}`, { method: 'DELETE', headers });
  }
  label(id: string, text: unknown, headers: Headers): Promise<Answer> {
    return sendJson(this.server, `${SAVED}/${id}/label`, { label: text }, headers);
  }
}

/** Starts the server before the tests, deletes all images after each test, and stops the server at the end. */
export function useSignatureImages(): SignatureSetup {
  const setup = new SignatureSetup();
  before(() => setup.create());
  afterEach(() => rmSync(setup.folder(), { recursive: true, force: true }));
  after(() => setup.close());
  return setup;
}
