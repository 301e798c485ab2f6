import { expect } from 'chai';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokens, type AnyOperation, type QuireError, type Token } from '@quire/registry';
import { openServiceEndpoint, RunningCalls } from './service-endpoint.js';
import { ServiceProxies } from './service-proxy.js';
import type { FromWorker } from './protocol.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('services available in workers', () => {
  let folder: string;
  let outside: string;
  let asked: unknown[][];
  const declared = {
    path: 'misc/x',
    needs: { services: [tokens.rebuildPdf, tokens.officeToPdf] },
  } as unknown as AnyOperation;
  const door = (operation = declared): ReturnType<typeof openServiceEndpoint> =>
    openServiceEndpoint({
      operation,
      task: { folder, files: [{ name: 'a.pdf', kind: 'pdf', size: 1, path: join(outside, 'own.pdf') }], parts: {} },
      caller: { id: 'u1', name: 'ann' },
      serviceOf: <T>(_token: Token<T>) =>
        ({
          available: async () => ['one'],
          rebuild: async (...args: unknown[]) => void asked.push(args),
          convert: async () => 'x',
        }) as T,
    });
  const signal = new AbortController().signal;
  const call = (
    args: readonly unknown[],
    method = 'rebuild',
    service = 'rebuildPdf',
    operation = declared,
  ): Promise<unknown> =>
    door(operation)({ service, method, args }, signal).then(
      (value) => value ?? 'done',
      (error: unknown) => (error as QuireError).code ?? String(error),
    );

  beforeEach(() => {
    asked = [];
    folder = mkdtempSync(join(tmpdir(), 'quire-door-'));
    outside = mkdtempSync(join(tmpdir(), 'quire-outside-'));
    writeFileSync(join(folder, 'in.pdf'), 'x');
    writeFileSync(join(outside, 'own.pdf'), 'x');
    writeFileSync(join(outside, 'other.pdf'), 'x');
  });
  afterEach(() => [folder, outside].forEach((path) => rmSync(path, { recursive: true, force: true })));

  it('are called as often in a run as their token allows, counted for each run', async () => {
    const trusting = { path: 'misc/x', needs: { services: [tokens.certificateTrust] } } as unknown as AnyOperation;
    let calls = 0;
    const open = (): ReturnType<typeof openServiceEndpoint> =>
      openServiceEndpoint({
        operation: trusting,
        task: { folder, files: [], parts: {} },
        caller: { id: 'u1', name: 'ann' },
        serviceOf: <T>() => ({ fetch: async () => void calls++, state: async () => ({}) }) as T,
      });
    const ask = (one: ReturnType<typeof openServiceEndpoint>, method = 'fetch'): Promise<unknown> =>
      one({ service: 'certificateTrust', method, args: [] }, signal).then(
        () => 'done',
        (error: unknown) => (error as QuireError).code,
      );
    const first = open();
    for (let i = 0; i < 64; i++) expect(await ask(first)).to.equal('done');
    expect([await ask(first), await ask(first), calls]).to.deep.equal(['CONTRACT_BROKEN', 'CONTRACT_BROKEN', 64]);
    expect([await ask(first, 'state'), await ask(open())]).to.deep.equal(['done', 'done']);
  });

  it('learn from the server who requested the run, whatever the worker says', async () => {
    const indexing = { path: 'docparse/x', needs: { services: [tokens.documentIndex] } } as unknown as AnyOperation;
    const given: unknown[][] = [];
    const open = openServiceEndpoint({
      operation: indexing,
      task: { folder, files: [], parts: {} },
      caller: { id: 'u1', name: 'ann' },
      serviceOf: <T>() => ({ remove: async (...args: unknown[]) => void given.push(args) }) as T,
    });
    await open({ service: 'documentIndex', method: 'remove', args: ['doc', { id: 'u2', name: 'bob' }] }, signal);
    await open({ service: 'documentIndex', method: 'remove', args: ['doc'] }, signal);
    expect(given).to.deep.equal([
      ['doc', { id: 'u1', name: 'ann' }],
      ['doc', { id: 'u1', name: 'ann' }],
    ]);
  });

  it('are called with the files of the run and a signal of the server', async () => {
    expect(await call([], 'available')).to.deep.equal(['one']);
    expect(await call(['qpdf', join(folder, 'in.pdf'), join(folder, 'out.pdf'), null])).to.equal('done');
    expect(await call(['qpdf', join(outside, 'own.pdf'), join(folder, 'out.pdf'), null])).to.equal('done');
    expect(asked).to.deep.equal([
      ['qpdf', join(folder, 'in.pdf'), join(folder, 'out.pdf'), signal],
      ['qpdf', join(outside, 'own.pdf'), join(folder, 'out.pdf'), signal],
    ]);
  });

  it('never touch a file from outside the run, whatever its name', async () => {
    mkdirSync(join(folder, 'sub'));
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'other.pdf'), join(folder, 'secret.pdf'));
    symlinkSync(join(outside, 'new.pdf'), join(folder, 'hole.pdf'));
    const fine = join(folder, 'out.pdf');
    const inputs = [
      '/etc/passwd',
      join(outside, 'other.pdf'),
      join(folder, 'secret.pdf'),
      join(folder, 'link', 'other.pdf'),
      `${folder}/../${outside.split('/').pop()}/other.pdf`,
      'in.pdf',
      `${folder}-x`,
      folder,
      7,
      null,
      undefined,
      join(folder, 'missing'),
    ];
    for (const input of inputs)
      expect(await call(['qpdf', input, fine, null]), String(input)).to.equal('CONTRACT_BROKEN');
    const outputs = [
      join(outside, 'new.pdf'),
      join(folder, 'link', 'new.pdf'),
      join(folder, 'hole.pdf'),
      join(folder, 'in.pdf'),
      join(folder, 'none', 'out.pdf'),
      join(folder, 'sub'),
      `${folder}/sub/..`,
      folder,
      'out.pdf',
      undefined,
    ];
    for (const output of outputs)
      expect(await call(['qpdf', join(folder, 'in.pdf'), output, null]), String(output)).to.equal('CONTRACT_BROKEN');
    expect(asked).to.deep.equal([]);
  });

  it('are those that the operation declares and that are available in workers, and no others', async () => {
    expect(await call([], 'available', 'rebuildPdf', { path: 'misc/x' } as unknown as AnyOperation)).to.equal(
      'CONTRACT_BROKEN',
    );
    expect(await call(['/a', '/b', null], 'convert', 'officeToPdf')).to.equal('CONTRACT_BROKEN');
    for (const method of ['constructor', '__proto__', 'toString', 'stop'])
      expect(await call([], method), method).to.equal('CONTRACT_BROKEN');
    expect(await call([], 'available', 'unheardOf')).to.equal('CONTRACT_BROKEN');
    expect(await call([1, 2, 3, 4, 5])).to.equal('CONTRACT_BROKEN');
    expect(await call(undefined as unknown as [])).to.equal('CONTRACT_BROKEN');
  });

  it('end with the task that called them, which waits for their end', async () => {
    const answers: unknown[] = [];
    let ended = false;
    const calls = new RunningCalls(
      (_what, given) =>
        new Promise((_resolve, reject) => {
          given.addEventListener('abort', () =>
            setTimeout(() => {
              ended = true;
              reject(given.reason);
            }, 30),
          );
        }),
      log,
    );
    calls.begin(1, { service: 'rebuildPdf', method: 'rebuild', args: [] }, (outcome) => answers.push(outcome));
    await calls.endAll();
    expect(ended).to.equal(true);
    expect(answers).to.deep.equal([{ error: { code: 'CANCELLED', data: {} } }]);
    calls.begin(2, { service: 'rebuildPdf', method: 'rebuild', args: [] }, (outcome) => answers.push(outcome));
    expect(answers).to.have.length(1);
  });

  it('report an unexpected error as an internal error without its text', async () => {
    const answers: unknown[] = [];
    const calls = new RunningCalls(async () => {
      throw new Error('/srv/secret');
    }, log);
    calls.begin(1, { service: 'rebuildPdf', method: 'rebuild', args: [] }, (outcome) => answers.push(outcome));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(answers).to.deep.equal([{ error: { code: 'INTERNAL', data: {} } }]);
    const none = new RunningCalls(undefined, log);
    none.begin(1, { service: 'rebuildPdf', method: 'rebuild', args: [] }, (outcome) => answers.push(outcome));
    await none.endAll();
    expect(answers[1]).to.have.nested.property('error.code', 'CONTRACT_BROKEN');
  });
});

describe('a worker that calls services', () => {
  const sent: FromWorker[] = [];
  const proxies = new ServiceProxies(7, (message) => sent.push(message));
  const settings = {
    get: <T>(path: string) =>
      ({
        'aiEngine.enabled': true,
        'aiEngine.features.chat': false,
        'aiEngine.limits.maxPages': 7,
        'aiEngine.limits.maxCharacters': -1,
      })[path] as T,
  };
  beforeEach(() => sent.splice(0));

  it('has values that follow from settings without a call', () => {
    const model = proxies.of(tokens.languageModel, settings);
    expect([
      model?.usable(),
      model?.usable('chat'),
      model?.usable('classify'),
      model?.usable('docparse'),
    ]).to.deep.equal([true, false, true, true]);
    expect(model?.limits).to.deep.equal({ pages: 7, characters: Number.MAX_SAFE_INTEGER });
    expect(sent).to.deep.equal([]);
  });

  it('sends plain messages and receives values and coded errors', async () => {
    const service = proxies.of(tokens.rebuildPdf, settings);
    if (service === undefined) throw new Error('it crosses');
    const [names, failing] = [service.available(), service.rebuild('qpdf', '/a', '/b', new AbortController().signal)];
    expect(sent).to.deep.equal([
      { kind: 'call', id: 7, call: 1, what: { service: 'rebuildPdf', method: 'available', args: [] } },
      {
        kind: 'call',
        id: 7,
        call: 2,
        what: { service: 'rebuildPdf', method: 'rebuild', args: ['qpdf', '/a', '/b', null] },
      },
    ]);
    proxies.answer(2, undefined, { code: 'PROGRAM_FAILED', data: { program: 'qpdf', detail: 'no' } });
    proxies.answer(1, ['qpdf'], undefined);
    proxies.answer(1, ['late'], undefined);
    expect(await names).to.deep.equal(['qpdf']);
    expect(await failing.catch((error: unknown) => (error as QuireError).code)).to.equal('PROGRAM_FAILED');
  });

  it('ends a call by its signal and waits until the server confirms the end', async () => {
    const abort = new AbortController();
    const running = proxies
      .of(tokens.rebuildPdf, settings)
      ?.rebuild('qpdf', '/a', '/b', abort.signal)
      .catch((error: unknown) => (error as QuireError).code);
    abort.abort();
    expect(sent.at(-1)).to.deep.equal({ kind: 'callEnd', id: 7, call: 3 });
    proxies.answer(3, undefined, { code: 'CANCELLED', data: {} });
    expect(await running).to.equal('CANCELLED');
    expect(
      await proxies
        .of(tokens.rebuildPdf, settings)
        ?.rebuild('qpdf', '/a', '/b', abort.signal)
        .catch((error: unknown) => (error as QuireError).code),
    ).to.equal('CANCELLED');
    expect(sent).to.have.length(2);
  });

  it('does not find a service that stays in the server', () => {
    expect(proxies.of(tokens.officeToPdf, settings)).to.equal(undefined);
    expect(proxies.of(tokens.paths, settings)).to.equal(undefined);
  });
});
