import { expect } from 'chai';
import { formType, json, send, type Answer } from './client.js';
import { addUser, keyOf, sendJson, sessionOf, type Reachable } from './login.js';

export const STORAGE = '/api/v1/storage';
/** Headers that authenticate a caller. */
export type Caller = Readonly<Record<string, string>>;

/** A stored file as the API returns it. */
export interface StoredFileWire {
  readonly id: number;
  readonly fileName: string;
  readonly contentType: string | null;
  readonly sizeBytes: number;
  readonly owner: string | null;
  readonly ownedByCurrentUser: boolean;
  readonly accessRole: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly sharedWithUsers: readonly string[];
  readonly sharedUsers: readonly { readonly username: string; readonly accessRole: string }[];
  readonly shareLinks: readonly {
    readonly token: string;
    readonly accessRole: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
  readonly filePurpose: string | null;
  readonly folderId: string | null;
}

/** A folder as the API returns it. */
export interface FolderWire {
  readonly id: string;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  readonly version: number;
}

/** A part of an upload, with the media type that the client sends. */
export interface UploadPart {
  readonly name?: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly bytes: Uint8Array | string;
}

function uploadBody(parts: readonly UploadPart[]): Buffer {
  const boundary = /boundary=(.*)$/.exec(formType)?.[1] ?? '';
  const chunks = parts.flatMap(({ name = 'file', fileName = 'a.txt', type = 'text/plain', bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** A client of the storage API. */
export class StorageClient {
  constructor(readonly server: Reachable) {}

  get(path: string, caller: Caller, headers: Caller = {}, method = 'GET'): Promise<Answer> {
    return send(`${this.server.url}${STORAGE}${path}`, { method, headers: { ...caller, ...headers } });
  }

  remove(path: string, caller: Caller): Promise<Answer> {
    return this.get(path, caller, {}, 'DELETE');
  }

  json(method: string, path: string, body: unknown, caller: Caller): Promise<Answer> {
    return sendJson(this.server, `${STORAGE}${path}`, body, caller, method);
  }

  upload(parts: readonly UploadPart[], caller: Caller, id?: number): Promise<Answer> {
    return send(`${this.server.url}${STORAGE}/files${id === undefined ? '' : `/${id}`}`, {
      method: id === undefined ? 'POST' : 'PUT',
      headers: { 'content-type': formType, ...caller },
      body: uploadBody(parts),
    });
  }

  /** Stores a file and returns its record. */
  async keep(caller: Caller, bytes: Uint8Array | string, more: Partial<UploadPart> = {}): Promise<StoredFileWire> {
    const answer = await this.upload([{ bytes, ...more }], caller);
    expect(answer.status, answer.body.toString('utf8', 0, 500)).to.equal(200);
    return json<StoredFileWire>(answer);
  }

  async list(caller: Caller): Promise<StoredFileWire[]> {
    return json<StoredFileWire[]>(await this.get('/files', caller));
  }

  async describe(id: number, caller: Caller): Promise<StoredFileWire> {
    return json<StoredFileWire>(await this.get(`/files/${id}`, caller));
  }

  async makeFolder(caller: Caller, body: object): Promise<FolderWire> {
    const answer = await this.json('POST', '/folders', body, caller);
    expect(answer.status, answer.body.toString()).to.equal(201);
    return json<FolderWire>(answer);
  }
}

/** Creates a user with a key. */
export async function callerOf(server: Reachable, boss: Caller, name: string): Promise<Caller> {
  await addUser(server, boss, name);
  return { 'x-api-key': await keyOf(server, await sessionOf(server, name, `password of ${name}`)) };
}
