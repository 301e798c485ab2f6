import { expect } from 'chai';
import { expectProblem, json, send } from '../support/client.js';
import { addUser, sessionOf, startWithLogin } from '../support/login.js';
import { startServer, until, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
interface Trust {
  readonly mode: string;
  readonly hardFail: boolean;
  readonly allowAIA: boolean;
  readonly sources: readonly { readonly name: string; readonly state: string; readonly anchors: number }[];
}
interface Node {
  readonly role: string;
  readonly here: boolean;
  readonly load: { readonly busyWorkers: number; readonly workers: number; readonly memoryBytes: number };
}

const read = async <T>(server: TestServer, path: string, headers: Headers = {}): Promise<T> =>
  json<T & Record<string, unknown>>(await send(`${server.url}/api/v1/admin/${path}`, { headers }));

describe('Trust and nodes', () => {
  it('name the sources of trust, how many certificates they have, and which could not be loaded', async () => {
    const server = await startServer({
      security: {
        validation: {
          trust: { serverAsAnchor: true, useSystemTrust: true, useMozillaBundle: true, useAATL: false, useEUTL: false },
          revocation: { mode: 'ocsp', hardFail: true },
          allowAIA: false,
        },
      },
      system: { caBundle: '/dev/null/none' },
    });
    try {
      const sources = async (): Promise<Trust['sources']> => (await read<Trust>(server, 'trust')).sources;
      await until('nothing is being loaded', async () => (await sources()).every(({ state }) => state !== 'loading'));
      const { mode, hardFail, allowAIA } = await read<Trust>(server, 'trust');
      expect({ mode, hardFail, allowAIA }).to.deep.equal({ mode: 'ocsp', hardFail: true, allowAIA: false });
      const [own, system, mozilla] = await sources();
      expect(own).to.include({ name: 'server', state: 'loaded' });
      expect(system).to.deep.equal({ name: 'system', state: 'failed', anchors: 0 });
      expect(mozilla).to.include({ name: 'mozilla', state: 'loaded' });
      expect(mozilla?.anchors).to.be.greaterThan(50);
    } finally {
      await server.stop();
    }
  });

  it('show the load and the address of the only node', async () => {
    const server = await startServer({ cluster: { node: { internalAddress: '10.0.0.5:8443', scheme: 'https' } } });
    try {
      const { nodes } = await read<{ nodes: readonly Node[] }>(server, 'nodes');
      expect(nodes).to.have.length(1);
      expect(nodes[0]).to.include({ role: 'both', here: true, address: 'https://10.0.0.5:8443' });
      expect(nodes[0]?.load.busyWorkers).to.equal(0);
      expect(nodes[0]?.load.workers).to.be.greaterThan(0);
      expect(nodes[0]?.load.memoryBytes).to.be.greaterThan(10_000_000);
    } finally {
      await server.stop();
    }
  });

  it('are for administrators only', async () => {
    const server = await startWithLogin();
    try {
      const { username, password } = await addUser(server, await sessionOf(server), 'ann');
      const ann = await sessionOf(server, username, password);
      for (const path of ['trust', 'nodes'])
        expectProblem(await send(`${server.url}/api/v1/admin/${path}`, { headers: ann }), 403, 'ADMIN_ONLY');
    } finally {
      await server.stop();
    }
  });
});
