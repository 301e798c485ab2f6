import { readFileSync, statSync } from 'node:fs';
import { Quire } from '@quire/client';
import { configFile } from './folders.js';
import { localServer } from './local-server.js';
import { note } from './output.js';
import { socketFetch } from './socket-fetch.js';

/** Which server is called, in this order: `--local`, `--url`, QUIRE_URL, `quire login`, a local one. */
export interface ServerChoice {
  readonly url?: string | undefined;
  readonly local?: boolean | undefined;
}

/** A server with the client that calls it. */
export interface Connection {
  readonly quire: Quire;
  /** Names the server in the cache and for people. */
  readonly name: string;
  /** When the local server was started, in ms since 1970; undefined for others, which do not say. */
  readonly startedAt?: number;
}

/** What `quire login` keeps. */
export interface Login {
  readonly url?: string;
  readonly apiKey?: string;
}

export function savedLogin(): Login {
  try {
    return JSON.parse(readFileSync(configFile(), 'utf8')) as Login;
  } catch {
    return {};
  }
}

/** The address that a call goes to; undefined for the local server. */
export function chosenUrl({ url, local }: ServerChoice): string | undefined {
  if (local === true) return undefined;
  return url ?? (process.env['QUIRE_URL'] || undefined) ?? savedLogin().url;
}

export async function connectTo(choice: ServerChoice, signal: AbortSignal): Promise<Connection> {
  const url = chosenUrl(choice);
  if (url === undefined) {
    const socket = await localServer(signal, () => note('Starting a local server …'));
    // A named pipe has no times.
    const created = statSync(socket, { throwIfNoEntry: false })?.ctimeMs;
    return {
      quire: new Quire({ url: 'http://localhost', apiKey: '', fetch: socketFetch(socket) }),
      name: 'local',
      ...(created === undefined || process.platform === 'win32' ? {} : { startedAt: created }),
    };
  }
  // A saved key belongs to the server that it was saved for.
  const login = savedLogin();
  const apiKey = process.env['QUIRE_API_KEY'] ?? (login.url === url ? login.apiKey : undefined) ?? '';
  return { quire: new Quire({ url, apiKey }), name: url };
}
