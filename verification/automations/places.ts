import { createHmac } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.js';
import { BUCKET, type Outside } from './outside.js';

export const sourceTypes = ['folder', 'storage-folder', 's3', 'webhook', 'mailbox'] as const;
export const destinationTypes = ['folder', 'storage', 's3', 'mail', 'callback'] as const;
export type SourceType = (typeof sourceTypes)[number];
export type DestinationType = (typeof destinationTypes)[number];

/** A source and a destination, joined by an automation. */
export interface Route {
  readonly name: string;
  readonly source: SourceType;
  readonly destination: DestinationType;
  readonly automationId: string;
  /** Changes whether the automation processes the same content again. */
  setOnce(once: 'version' | 'content'): Promise<void>;
  /** Puts a file into the source; `slow`: its writer pauses in the middle. */
  put(name: string, bytes: Buffer, slow: boolean): Promise<void>;
  /** Names in the source that nobody has finished. */
  left(): Promise<readonly string[]>;
}

/** What a destination has received. */
export interface Arrived {
  readonly name: string;
  /** The same for repetitions that the receiver can recognise. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** How long a slow writer pauses; longer than files must be unchanged before they are taken. */
const PAUSE_MS = 2500;
const QUIET_MS = 1000;
const EVERY_TWO_SECONDS = { type: 'schedule', cron: '*/2 * * * * *' } as const;
const turn = { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] };

type Putting = Pick<Route, 'put' | 'left'>;

/** The names of all pairs of a source and a destination. */
export const routeNames: readonly string[] = sourceTypes.flatMap((source) =>
  destinationTypes.map((destination) => `${source}-to-${destination}`),
);

/** Makes an automation for every pair of a source and a destination, of those that are chosen. */
export async function makeRoutes(
  client: Client,
  outside: Outside,
  { chosen, clockMs }: { readonly chosen: readonly string[]; readonly clockMs: () => number },
): Promise<readonly Route[]> {
  const routes: Route[] = [];
  for (const source of sourceTypes)
    for (const destination of destinationTypes) {
      const name = `${source}-to-${destination}`;
      if (!chosen.includes(name)) continue;
      const { type, options, putting } = await makeSource(client, outside, source, name, clockMs);
      const made = await client.json<{ id: string; options: Readonly<Record<string, string>> }>('POST', 'sources', {
        name,
        type,
        options,
      });
      const announces = source !== 's3' && source !== 'mailbox';
      const body = {
        ...(await bodyOf(client, outside, destination, name)),
        inputs: [{ source: made.id, trigger: announces ? { type: 'arrival' } : EVERY_TWO_SECONDS }],
      };
      const { id: automationId } = await client.json<{ id: string }>('POST', 'automations', body);
      routes.push({
        name,
        source,
        destination,
        automationId,
        setOnce: async (once) => void (await client.json('PUT', `automations/${automationId}`, { ...body, once })),
        ...putting(made.options),
      });
    }
  return routes;
}

async function bodyOf(client: Client, outside: Outside, destination: DestinationType, name: string): Promise<object> {
  return {
    name,
    work: turn,
    quietMs: QUIET_MS,
    retry: { times: 8, firstMs: 500 },
    destinations: [{ type: destination, options: await destinationOptions(client, outside, destination, name) }],
  };
}

async function makeFolder(client: Client, name: string): Promise<string> {
  return (await client.json<{ id: string }>('POST', 'storage/folders', { name, parentFolderId: null })).id;
}

interface MadeSource {
  readonly type: SourceType;
  readonly options: object;
  putting(options: Readonly<Record<string, string>>): Putting;
}

async function makeSource(
  client: Client,
  outside: Outside,
  type: SourceType,
  name: string,
  clockMs: () => number,
): Promise<MadeSource> {
  switch (type) {
    case 'folder': {
      const directory = join(outside.folder, 'in', name);
      await mkdir(directory);
      return { type, options: { directory }, putting: () => intoFolder(directory) };
    }
    case 'storage-folder': {
      const folderId = await makeFolder(client, `${name}-in`);
      return { type, options: { folderId, mode: 'consume' }, putting: () => intoStorage(client, folderId) };
    }
    case 's3': {
      const prefix = `in/${name}/`;
      return {
        type,
        options: { ...bucketOf(outside), prefix, mode: 'consume' },
        putting: () => intoBucket(outside, prefix),
      };
    }
    case 'webhook':
      return { type, options: {}, putting: (options) => toWebhook(client, options, clockMs) };
    case 'mailbox': {
      const { imap } = outside;
      await imap.addMailbox(name);
      const options = {
        host: '127.0.0.1',
        port: outside.portOf('imap'),
        username: imap.user,
        password: imap.password,
        mailbox: name,
      };
      return { type, options, putting: () => byMail(outside, name) };
    }
  }
}

function bucketOf(outside: Outside): object {
  const { s3 } = outside;
  return {
    bucket: BUCKET,
    region: s3.region,
    endpoint: `http://127.0.0.1:${outside.portOf('s3')}`,
    accessKeyId: s3.accessKey,
    secretAccessKey: s3.secretKey,
  };
}

async function destinationOptions(
  client: Client,
  outside: Outside,
  type: DestinationType,
  name: string,
): Promise<object> {
  switch (type) {
    case 'folder':
      return { directory: join(outside.folder, 'out', name) };
    case 'storage':
      return { folderId: await makeFolder(client, `${name}-out`) };
    case 's3':
      return { ...bucketOf(outside), prefix: `out/${name}/` };
    case 'mail':
      return { to: [`${name}@example.org`] };
    case 'callback':
      return { url: `http://127.0.0.1:${outside.portOf('receiver')}/${name}` };
  }
}

function intoFolder(directory: string): Putting {
  return {
    left: () => readdir(directory),
    async put(name, bytes, slow) {
      if (!slow) {
        const hidden = join(directory, `.${name}`);
        await writeFile(hidden, bytes);
        return rename(hidden, join(directory, name));
      }
      // The file is closed during the pause, as some copying programs do: only the quiet time protects it then.
      const half = Math.ceil(bytes.length / 2);
      await writeFile(join(directory, name), bytes.subarray(0, half));
      const file = await open(join(directory, name), 'a');
      try {
        for (let at = half; at < bytes.length; at += 100) {
          await delay(PAUSE_MS / Math.ceil(half / 100));
          await file.appendFile(bytes.subarray(at, at + 100));
        }
      } finally {
        await file.close();
      }
    },
  };
}

function intoStorage(client: Client, folderId: string): Putting {
  return {
    async left() {
      const files = await client.json<{ fileName: string; folderId: string | null }[]>('GET', 'storage/files');
      return files.filter((file) => file.folderId === folderId).map(({ fileName }) => fileName);
    },
    async put(name, bytes) {
      // Moved when it is there, which may be repeated: an upload may be stored although its answer was lost.
      const id = await client.upload(name, bytes);
      const status = await client.status('PATCH', `storage/files/${id}/folder`, { folderId });
      // 404: the first of two moves was done, and the file is processed already.
      if (status !== 204 && status !== 404) throw new Error(`${name} could not be moved: ${status}`);
    },
  };
}

function intoBucket({ s3 }: Outside, prefix: string): Putting {
  const path = `/${BUCKET}/${prefix}`;
  return {
    left: async () => [...s3.objects.keys()].filter((key) => key.startsWith(path)).map((key) => key.slice(path.length)),
    put: async (name, bytes) => s3.put(`${path}${name}`, bytes),
  };
}

function toWebhook(client: Client, options: Readonly<Record<string, string>>, clockMs: () => number): Putting {
  const { webhookId = '', signingSecret = '' } = options;
  return {
    // Nobody can look into it: its files are known to the server alone.
    left: async () => [],
    async put(name, bytes, slow) {
      const headers = (): Record<string, string> => {
        const seconds = String(Math.floor(clockMs() / 1000));
        const hmac = createHmac('sha256', Buffer.from(signingSecret, 'base64'));
        const signature = hmac.update(`${name}.${seconds}.`).update(bytes).digest('base64');
        return {
          'webhook-id': name,
          'webhook-timestamp': seconds,
          'webhook-signature': `v1,${signature}`,
          'x-filename': name,
        };
      };
      // 401 while the clock of the server is between two times: the sender repeats it as well.
      for (let tries = 0; ; tries++) {
        const status = await client.deliver(`webhooks/${webhookId}`, bytes, headers, slow ? PAUSE_MS : 0);
        if (status === 202) return;
        if (tries > 20) throw new Error(`the webhook answered ${status}`);
        await delay(1000);
      }
    },
  };
}

function byMail({ imap }: Outside, mailbox: string): Putting {
  return {
    async left() {
      const unread = (await imap.messages(mailbox)).filter(({ read }) => !read);
      return unread.map(({ text }) => /filename="([^"]+)"/.exec(text)?.[1] ?? '');
    },
    put: (name, content) => imap.deliver([{ name, content }], mailbox),
  };
}

/** What all destinations of one kind have received whose names begin with `prefix`. */
export async function arrivedAt(
  type: DestinationType,
  prefix: string,
  client: Client,
  outside: Outside,
): Promise<readonly Arrived[]> {
  const all = await allArrivedAt(type, prefix, client, outside);
  return all.filter(({ name }) => name.startsWith(prefix));
}

async function allArrivedAt(
  type: DestinationType,
  prefix: string,
  client: Client,
  outside: Outside,
): Promise<readonly Arrived[]> {
  switch (type) {
    case 'folder':
      return inFolders(join(outside.folder, 'out'));
    case 'storage':
      return inStorage(prefix, client);
    case 's3':
      return inBucket(outside);
    case 'mail':
      return (await outside.smtp.mails()).map(mailed);
    case 'callback':
      return outside.calls.map(({ headers, bytes }) => ({
        name: decodeURIComponent(String(headers['x-filename'])),
        id: String(headers['idempotency-key']),
        bytes,
      }));
  }
}

/** Objects, and those that another one has replaced: they were delivered too. */
function inBucket({ s3 }: Outside): Arrived[] {
  const stored = [...s3.objects].map(([path, { body }]) => ({ path, body, id: path }));
  const replaced = s3.replaced.map(({ path, body }, index) => ({ path, body, id: `${path} (replaced, ${index})` }));
  return [...stored, ...replaced]
    .filter(({ path }) => path.startsWith(`/${BUCKET}/out/`))
    .map(({ path, body, id }) => ({
      name: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)),
      id,
      bytes: body,
    }));
}

async function inFolders(folder: string): Promise<Arrived[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile() && entry.name !== FILLER)
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { name, id: path, bytes: await readFile(path) };
      }),
  );
}

/** Name of a file that fills a disk. */
export const FILLER = 'filler';

async function inStorage(prefix: string, client: Client): Promise<Arrived[]> {
  const files = await client.json<{ id: number; fileName: string; folderId: string | null }[]>('GET', 'storage/files');
  const folders = await client.json<{ id: string; name: string }[]>('GET', 'storage/folders');
  const out = new Set(folders.filter(({ name }) => name.endsWith('-out')).map(({ id }) => id));
  const arrived: Arrived[] = [];
  for (const { id, fileName, folderId } of files)
    if (fileName.startsWith(prefix) && folderId !== null && out.has(folderId))
      arrived.push({ name: fileName, id: String(id), bytes: await client.download(`storage/files/${id}/download`) });
  return arrived;
}

function mailed(mail: string): Arrived {
  const text = mail.replaceAll('\r\n', '\n');
  const boundary = /boundary="([^"]+)"/.exec(text)?.[1] ?? '';
  const part = text.split(`--${boundary}`).find((each) => /Content-Disposition: attachment/i.test(each)) ?? '';
  const [head = '', body = ''] = part.split('\n\n');
  const id = /^Message-ID:\s*(.*)$/im.exec(text)?.[1] ?? '';
  return { name: /filename="?([^"\n;]+)"?/.exec(head)?.[1] ?? '', id, bytes: Buffer.from(body, 'base64') };
}
