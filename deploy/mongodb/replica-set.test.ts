import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { parse } from 'yaml';

const place = (path: string): URL => new URL(path, import.meta.url);
const { store } = (
  parse(readFileSync(place('../compose.yml'), 'utf8'), { merge: true }) as {
    readonly services: {
      readonly store: {
        readonly hostname: string;
        readonly entrypoint: string[];
        readonly healthcheck: { test: string[] };
      };
    };
  }
).services;

describe('the MongoDB of deploy/compose.yml', () => {
  let folder: string;
  let password: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-member-'));
    password = join(folder, 'password');
    writeFileSync(password, 'pa55\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What the health check does with a server that greets so, in this order. */
  const check = (hello: object): unknown[] => {
    const done: unknown[] = [];
    const env = { MONGO_INITDB_ROOT_USERNAME: 'quire', MONGO_INITDB_ROOT_PASSWORD_FILE: password };
    runInNewContext(readFileSync(place('replica-set.js'), 'utf8'), {
      db: {
        hello: () => hello,
        getSiblingDB: (name: string) => ({ auth: (...login: string[]) => done.push([name, ...login]) }),
      },
      rs: { initiate: (set: unknown) => done.push(set) },
      quit: (code: number) => done.push(code),
      require: createRequire(import.meta.url),
      process: { env },
    });
    return done;
  };

  it('is healthy as the primary of its set, and not while it starts, stands alone or is elected', () => {
    expect(check({ setName: 'quire', isWritablePrimary: true })).to.deep.equal([0]);
    expect(check({ setName: 'quire', isWritablePrimary: false, secondary: true })).to.deep.equal([1]);
    expect(check({ isWritablePrimary: true }), 'the server that only makes the user').to.deep.equal([1]);
  });

  it('becomes a set of one member, under the name that the nodes use, when it belongs to none', () => {
    expect(check({ isreplicaset: true, isWritablePrimary: false })).to.deep.equal([
      ['admin', 'quire', 'pa55'],
      { _id: 'quire', members: [{ _id: 0, host: `${store.hostname}:27017` }] },
      1,
    ]);
    expect(store.healthcheck.test.at(-1)).to.equal('/opt/quire/replica-set.js');
    expect(store.entrypoint).to.deep.equal(['bash', '/opt/quire/start-member.sh']);
  });

  it('starts with a key that only it can read, the same at every start', () => {
    const key = join(folder, 'key');
    const script = join(folder, 'docker-entrypoint.sh');
    writeFileSync(script, '#!/bin/sh\necho "$@"\n');
    chmodSync(script, 0o755);
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      MONGO_INITDB_ROOT_PASSWORD_FILE: password,
      QUIRE_MONGODB_KEY: key,
    };
    const start = (): string[] => [
      execFileSync('bash', [place('start-member.sh').pathname, '--quiet'], { env, encoding: 'utf8' }),
      readFileSync(key, 'utf8'),
    ];
    const first = start();
    expect(first[0]).to.equal(`mongod --replSet quire --keyFile ${key} --oplogSize 1024 --quiet\n`);
    expect(first[1]).to.match(/^[0-9a-f]{64}\n$/);
    expect(statSync(key).mode & 0o777).to.equal(0o600);
    expect(start()).to.deep.equal(first);
  });
});
