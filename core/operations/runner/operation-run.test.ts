import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AnyOperation, DocumentFile, RunContext } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import { runOperation, type RunHost } from './operation-run.js';
import type { WireFile } from '../workers/wire-file.js';

describe('results of an operation', () => {
  let folder: string;
  let input: WireFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-run-'));
    input = { name: 'in.pdf', kind: 'pdf', size: 9, path: join(folder, 'in') };
    await writeFile(input.path, '%PDF-1.7\n');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (returns: object, work: (file: DocumentFile, ctx: RunContext) => unknown, file: WireFile = input) => {
    const host: RunHost = {
      folder,
      writing: 'rewrite',
      signal: new AbortController().signal,
      inPipeline: false,
      use: () => {
        throw new Error('none');
      },
      progress: () => undefined,
    };
    const operation = {
      path: 'misc/x',
      files: 'each',
      returns,
      run: (each: DocumentFile, _params: object, ctx: RunContext) => work(each, ctx),
    } as unknown as AnyOperation;
    return runOperation(operation, {}, [file], {}, host);
  };

  it('may be files of any type, with their own names and times', async () => {
    const { outputs } = await run({ kind: 'any', name: '{base}', many: { archive: 'all' } }, async (file, ctx) => [
      await ctx.output(file, Buffer.from('%PDF-1.4'), { file: 'a/report.PDF', modified: new Date(5000) }),
      await ctx.output(file, Buffer.from('x'), { file: 'notes.md' }),
      await ctx.output(file, Buffer.from([1]), { file: 'odd' }),
    ]);
    expect(outputs.map(({ name, kind, modified }) => [name, kind, modified])).to.deep.equal([
      ['report.PDF', 'pdf', 5000],
      ['notes.md', 'md', undefined],
      ['odd', 'bin', undefined],
    ]);
  });

  const withText = (also: string[]) => ({ kind: 'pdf', name: '{base}_read', also, many: { archive: 'all' } });
  const both = async (file: DocumentFile, ctx: RunContext) => [
    await ctx.output(file, Buffer.from('%PDF-1.4')),
    await ctx.output(file, Buffer.from('words'), { kind: 'txt' }),
  ];
  it('may contain a file of another type beside the document, if that is declared', async () => {
    expect((await run(withText(['txt']), both)).outputs.map(({ name, kind }) => [name, kind])).to.deep.equal([
      ['in_read.pdf', 'pdf'],
      ['in_read.txt', 'txt'],
    ]);
  });

  it('are never of a type that is not declared', async () => {
    expect(await codeOf(run(withText(['md']), both))).to.equal('CONTRACT_BROKEN');
  });

  it('may be the input under another name, if it promises to change nothing, and no other file', async () => {
    const returns = { kind: 'same', name: '{base}', unchanged: true };
    const { outputs } = await run(returns, async (file, ctx) => [ctx.keep(file, { name: 'A title: new' })]);
    expect(outputs.map(({ name, path }) => [name, path])).to.deep.equal([['A title_ new.pdf', input.path]]);
    expect(await codeOf(run(returns, async (file, ctx) => [await ctx.output(file, Buffer.from('%PDF-1.4'))]))).to.equal(
      'CONTRACT_BROKEN',
    );
  });

  it('have the media type that the client sent, else that of their file type', async () => {
    const seen: string[] = [];
    for (const file of [input, { ...input, mediaType: 'text/x-odd' }])
      await run(
        { kind: 'same', name: '{base}' },
        async (each, ctx) => (seen.push(each.mediaType), [ctx.keep(each)]),
        file,
      );
    expect(seen).to.deep.equal(['application/pdf', 'text/x-odd']);
  });
});
