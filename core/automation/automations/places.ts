import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { ConnectorOptions } from '../connectors/model.js';
import type { Automation } from './model.js';

/** A place that files are read from or written to, so that both can be compared. */
export interface Place {
  /** What contains it: `folder`, a bucket, or a folder of the file storage. */
  readonly root: string;
  /** Path inside; of a folder, absolute with links resolved. */
  readonly path: string;
  /** Whether files in subfolders count. */
  readonly deep: boolean;
}

const STORAGE = 'storage ';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * The place that options name, by the members that kinds share: `directory`, `folderId`, or a bucket with `prefix`;
 * undefined for others, such as mail.
 */
async function placeOf(options: ConnectorOptions): Promise<Place | undefined> {
  const { folderId, connectionId, endpoint, recursive } = options;
  const directory = text(options['directory']);
  if (directory !== undefined) {
    const path = await realpath(directory).catch(() => resolve(directory));
    return { root: 'folder', path: `${path}${sep}`, deep: recursive === true };
  }
  if (text(folderId) !== undefined) return { root: `${STORAGE}${String(folderId)}`, path: '', deep: false };
  const bucket = text(options['bucket']) ?? (connectionId === undefined ? undefined : String(connectionId));
  if (bucket === undefined) return undefined;
  const prefix = (text(options['prefix']) ?? '').replace(/^\//, '');
  return { root: `bucket ${serviceOf(text(endpoint) ?? '')} ${bucket}`, path: prefix, deep: true };
}

/** The service behind an endpoint, however it is written. Names of buckets are unique in all regions of AWS. */
function serviceOf(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint;
  const { host, hostname, pathname } = new URL(endpoint);
  return /(^|\.)amazonaws\.com$/.test(hostname) ? '' : `${host}${pathname.replace(/\/+$/, '')}`;
}

/** Whether files that are written to one place are found at the other. */
export function feeds(written: Place, read: Place): boolean {
  if (written.root !== read.root) return false;
  return read.deep ? written.path.startsWith(read.path) : written.path === read.path;
}

/** An automation with the places that it reads and writes. */
export interface Placed {
  readonly id: string;
  readonly name: string;
  readonly reads: readonly Place[];
  /** With the number of the destination. */
  readonly writes: readonly (Place & { readonly at: number })[];
}

/** Replaces a saved connection by what it stands for, where that can be read. */
export type Resolve = (options: ConnectorOptions) => Promise<ConnectorOptions>;

export async function placed(
  { id, name, content }: Pick<Automation, 'id' | 'name' | 'content'>,
  optionsOf: (sourceId: string) => ConnectorOptions | undefined,
  resolve: Resolve = async (options) => options,
): Promise<Placed> {
  const reads: Place[] = [];
  for (const { source } of content.inputs) {
    const options = source === null ? undefined : optionsOf(source);
    const place = options === undefined ? undefined : await placeOf(await resolve(options));
    if (place !== undefined) reads.push(place);
  }
  const writes: (Place & { at: number })[] = [];
  for (const [at, { options }] of content.destinations.entries()) {
    const place = await placeOf(await resolve(options));
    if (place !== undefined) writes.push({ ...place, at });
    // The stored files that it reads get other contents.
    if (options['mode'] === 'in_place')
      writes.push(...reads.filter(({ root }) => root.startsWith(STORAGE)).map((read) => ({ ...read, at })));
  }
  return { id, name, reads, writes };
}

export interface Loop {
  /** Number of the destination that closes it. */
  readonly destination: number;
  /** Names of the automations on the way, beginning and ending with the first. */
  readonly names: readonly string[];
}

/**
 * Finds a way from an output of this automation through others back to its input. Its own folder is none: an automation
 * never takes what it wrote itself.
 */
export function loopOf(start: Placed, others: readonly Placed[]): Loop | undefined {
  const next = (from: Placed['writes']): Placed[] =>
    others.filter(({ reads }) => from.some((write) => reads.some((read) => feeds(write, read))));
  for (const write of start.writes) {
    const seen = new Set<string>();
    const ways = next([write]).map((one) => ({ at: one, names: [start.name, one.name] }));
    for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
      const { at, names } = way;
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      if (at.writes.some((back) => start.reads.some((read) => feeds(back, read))))
        return { destination: write.at, names: [...names, start.name] };
      ways.push(...next(at.writes).map((one) => ({ at: one, names: [...names, one.name] })));
    }
  }
  return undefined;
}
