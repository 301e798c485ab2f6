import { expect } from 'chai';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { field, file, post } from '../support/client.js';
import { startServer, until, type TestServer } from '../support/server.js';

describe('Workers that are kept ready', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ limits: { workers: 2, workersReady: 1, workerIdleSeconds: 1 } });
  });
  after(() => server.stop());

  const ready = async (): Promise<number> => {
    await until('a worker is ready', () => server.workerPids().length === 1);
    return server.workerPids()[0] ?? 0;
  };
  const seconds = (count: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, count * 1000));

  it('wait from the start on, and longer than others may be idle', async () => {
    const pid = await ready();
    await seconds(3);
    expect(server.workerPids()).to.deep.equal([pid]);
  });

  it('do the next call, and are replaced after a pause by one that has seen no document', async () => {
    const pid = await ready();
    const answer = await post(`${server.url}/api/v1/general/rotate-pdf`, [
      file(await makePdf({ pages: 1 })),
      field('angle', '90'),
    ]);
    expect(answer.status).to.equal(200);
    expect(server.workerPids()).to.deep.equal([pid]);
    await until('another one is ready', () => server.workerPids().length === 1 && server.workerPids()[0] !== pid);
  });

  it('are missing while none can be started, which the server outlives', async () => {
    const pid = await ready();
    const folder = join(server.basePath, 'tmp', 'workers');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    process.kill(pid, 'SIGKILL');
    await until('it has ended', () => server.workerPids().length === 0);
    await seconds(3);
    expect((await fetch(`${server.url}/api/v1/info/status`)).status).to.equal(200);
    expect(server.workerPids()).to.deep.equal([]);
    rmSync(folder);
    mkdirSync(folder);
    await ready();
  });

  it('are replaced when they end', async () => {
    const pid = await ready();
    process.kill(pid, 'SIGKILL');
    await until('another one is ready', () => server.workerPids().length === 1 && server.workerPids()[0] !== pid);
  });
});

describe('A worker that waits for the first call after a start', () => {
  const limits = { workers: 2, readyAfterStartSeconds: 2 };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  it('ends when none comes', async () => {
    const server = await startServer({ limits });
    try {
      await until('it waits', () => server.workerPids().length === 1);
      await until('it has ended', () => server.workerPids().length === 0);
      await pause(1500);
      expect(server.workerPids()).to.deep.equal([]);
    } finally {
      await server.stop();
    }
  });

  it('does that call, and then is one like others', async () => {
    const server = await startServer({ limits });
    try {
      await until('it waits', () => server.workerPids().length === 1);
      const before = server.workerPids();
      const answer = await post(`${server.url}/api/v1/general/rotate-pdf`, [
        file(await makePdf({ pages: 1 })),
        field('angle', '90'),
      ]);
      expect(answer.status).to.equal(200);
      await pause(3000);
      expect(server.workerPids()).to.deep.equal(before);
    } finally {
      await server.stop();
    }
  });
});

describe('Workers that are kept ready, more than there may be', () => {
  it('are as many as there may be', async () => {
    const server = await startServer({ limits: { workers: 1, workersReady: 3, workerIdleSeconds: 1 } });
    try {
      await until('a worker is ready', () => server.workerPids().length === 1);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(server.workerPids()).to.have.length(1);
    } finally {
      await server.stop();
    }
  });
});
