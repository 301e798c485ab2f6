import { expect } from 'chai';
import { json, send, type Answer } from './client.js';
import { sendJson, type Reachable } from './login.js';
import type {
  CreatedDifferently,
  CreationOptions,
  Differently,
  RequestOptions,
  SoftwarePasskey,
} from './software-authenticator.js';

type Headers = Readonly<Record<string, string>>;

/** A passkey as the API lists it. */
export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastUsed: string | null;
  readonly rpId: string;
  readonly syncable: boolean;
  readonly backedUp: boolean;
  readonly suspect: boolean;
  readonly transports: readonly string[];
}

const base = '/api/v1/auth/passkeys';

/** The calls of passkeys on a server. */
export function passkeyCalls(server: () => Reachable) {
  const call = (method: string, path: string, headers: Headers): Promise<Answer> =>
    send(`${server().url}/api/v1/${path}`, { method, headers });
  const beginRegistration = (session: Headers, body: object = {}): Promise<Answer> =>
    sendJson(server(), `${base}/registration/begin`, body, session);
  const finishRegistration = (session: Headers, credential: unknown, more: object = {}): Promise<Answer> =>
    sendJson(server(), `${base}/registration/finish`, { credential, ...more }, session);
  const creation = async (session: Headers): Promise<CreationOptions> => {
    const answer = await beginRegistration(session);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ publicKey: CreationOptions }>(answer).publicKey;
  };
  const beginLogin = async (username?: string): Promise<{ attempt: string; publicKey: RequestOptions }> => {
    const answer = await sendJson(server(), `${base}/login/begin`, username === undefined ? {} : { username });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json(answer);
  };
  const finishLogin = (attempt: string, credential: unknown, headers: Headers = {}): Promise<Answer> =>
    sendJson(server(), `${base}/login/finish`, { attempt, credential }, headers);
  return {
    call,
    beginRegistration,
    finishRegistration,
    creation,
    beginLogin,
    finishLogin,
    /** Registers a passkey in one go. */
    register: async (session: Headers, passkey: SoftwarePasskey, more: CreatedDifferently = {}, name?: string) =>
      finishRegistration(session, passkey.create(await creation(session), more), name === undefined ? {} : { name }),
    /** Logs in with a passkey in one go. */
    login: async (passkey: SoftwarePasskey, more: Differently = {}, username?: string): Promise<Answer> => {
      const { attempt, publicKey } = await beginLogin(username);
      return finishLogin(attempt, passkey.get(publicKey, more));
    },
    list: async (session: Headers, path = 'auth/passkeys'): Promise<ListedPasskey[]> => {
      const answer = await call('GET', path, session);
      expect(answer.status, answer.body.toString()).to.equal(200);
      return json<{ passkeys: ListedPasskey[] }>(answer).passkeys;
    },
  };
}

/** The headers of the session that a login began. */
export function sessionFrom(answer: Answer): { readonly authorization: string } {
  expect(answer.status, answer.body.toString()).to.equal(200);
  return { authorization: `Bearer ${json<{ session: { access_token: string } }>(answer).session.access_token}` };
}
