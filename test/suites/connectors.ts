import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@quire/registry';
import { isQuireError } from '@quire/registry';
import { expect } from 'chai';
import type {
  ConnectorContext,
  ConnectorOptions,
  DeliveredFile,
  Delivery,
  DestinationKind,
  FoundFile,
  InputPlace,
  OpenSource,
  SourceKind,
} from '../../core/automation/connectors/model.js';
import { codeOf } from './code-of.js';

/** A source with the other side that puts files into it. */
export interface SourceForTest {
  readonly kind: SourceKind;
  readonly options: ConnectorOptions;
  /** Puts a file there, completely. */
  put(name: string, content: Buffer): Promise<void>;
  /** Replaces the content of a file, where files can change. */
  readonly change?: (name: string, content: Buffer) => Promise<void>;
  /** Names of the files that are there and were not finished. */
  names(): Promise<readonly string[]>;
  /** Makes the source unreachable. */
  breakDown(): Promise<void>;
  /** The option that `check` then blames; empty where it is none. */
  readonly blamed: string;
  /** False where the size is an estimate. */
  readonly exactSize?: boolean;
  close(): Promise<void>;
}

/** A destination with the other side that shows what it has received. */
export interface DestinationForTest {
  readonly kind: DestinationKind;
  readonly options: ConnectorOptions;
  /** What has arrived. Several mails or calls with one id count once, as their receivers see them. */
  received(): Promise<readonly { readonly name: string; readonly content: Buffer }[]>;
  breakDown(): Promise<void>;
  repair(): Promise<void>;
  /** The option that `check` then blames; undefined where the other side is a setting of the server. */
  readonly blamed: string | undefined;
  close(): Promise<void>;
}

const principal: Principal = { id: '1', name: 'ann', role: 'user', via: 'session' };

/** A context of the user `ann`, as sources and destinations are opened with. */
export function contextForTest(): ConnectorContext {
  return { principal, signal: new AbortController().signal };
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const document = (size = 100_000): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size)]);

/** Validates options as the server does before it stores them. */
export function validated({ options: schema }: Pick<SourceKind, 'options'>, given: ConnectorOptions): ConnectorOptions {
  const { value, error } = schema.validate(given) as { value: ConnectorOptions; error?: Error };
  if (error !== undefined) throw error;
  return value;
}

/** Lists a source completely. */
export async function listed(source: OpenSource): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const file of source.list()) found.push(file);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Pointers of the faults that work is refused with. */
async function faultsOf(work: Promise<unknown>): Promise<readonly [string, ...(readonly string[])]> {
  try {
    await work;
    return ['none'];
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return [error.code, ...error.errors.map(({ pointer }) => pointer)];
  }
}

/** Tests for every kind of source; `changes`: its files can get another content. */
export function describeSource(
  title: string,
  make: () => Promise<SourceForTest>,
  { changes = true }: { readonly changes?: boolean } = {},
): void {
  describe(`A source of kind ${title}`, function () {
    this.timeout(60_000);
    let made: SourceForTest;
    let source: OpenSource;
    let folder: string;
    let copies = 0;
    const target = (): string => join(folder, String(copies++));
    const named = async (name: string): Promise<FoundFile> => {
      const file = (await listed(source)).find((each) => each.name === name);
      if (file === undefined) throw new Error(`${name} is not listed`);
      return file;
    };
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-fetched-'));
      made = await make();
      await made.kind.check(validated(made.kind, made.options), contextForTest());
      source = await made.kind.open(validated(made.kind, made.options), contextForTest());
    });
    afterEach(async () => {
      await source.close();
      await made.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('has nothing while nothing is there', async () => {
      expect(await listed(source)).to.deep.equal([]);
    });

    it('offers each file, the same way in every listing, and fetches it whole', async () => {
      const contents = new Map([
        ['a.pdf', document()],
        ['b.pdf', document(1)],
      ]);
      for (const [name, content] of contents) await made.put(name, content);
      const files = await listed(source);
      expect(files.map(({ name }) => name)).to.deep.equal(['a.pdf', 'b.pdf']);
      expect(await listed(source)).to.deep.equal(files);
      for (const file of files) {
        const path = target();
        const content = contents.get(file.name) ?? Buffer.alloc(0);
        expect(await source.fetch(file, path)).to.deep.equal({ size: content.length, sha256: sha256(content) });
        expect((await readFile(path)).equals(content)).to.equal(true);
        if (made.exactSize !== false) expect(file.size).to.equal(content.length);
      }
    });

    it('removes what is finished, once, and keeps the others', async () => {
      await made.put('a.pdf', document());
      await made.put('b.pdf', document());
      const file = await named('a.pdf');
      await source.finish(file);
      await source.finish(file);
      expect(await made.names()).to.deep.equal(['b.pdf']);
      expect((await listed(source)).map(({ name }) => name)).to.deep.equal(['b.pdf']);
    });

    if (changes)
      it('neither fetches nor removes a file that has changed since it was listed', async () => {
        await made.put('a.pdf', document());
        const file = await named('a.pdf');
        const after = document(5000);
        await made.change?.('a.pdf', after);
        expect(await source.fetch(file, target())).to.equal(undefined);
        await source.finish(file);
        expect(await made.names()).to.deep.equal(['a.pdf']);
        const changed = await named('a.pdf');
        expect(changed.version).not.to.equal(file.version);
        expect(changed.key).to.equal(file.key);
        expect((await source.fetch(changed, target()))?.sha256).to.equal(sha256(after));
      });

    it('that cannot be reached rejects as unreachable, and its check names the option', async () => {
      await made.put('a.pdf', document());
      const file = await named('a.pdf');
      await source.close();
      await made.breakDown();
      const options = validated(made.kind, made.options);
      const work = async (use: (open: OpenSource) => Promise<unknown>): Promise<string> =>
        codeOf(
          (async () => {
            const open = await made.kind.open(options, contextForTest());
            try {
              await use(open);
            } finally {
              await open.close();
            }
          })(),
        );
      expect(await work(listed)).to.equal('SOURCE_UNREACHABLE');
      expect(await work((open) => open.fetch(file, target()))).to.equal('SOURCE_UNREACHABLE');
      expect(await faultsOf(made.kind.check(options, contextForTest()))).to.deep.equal([
        'SOURCE_INVALID',
        made.blamed === '' ? '' : `/${made.blamed}`,
      ]);
    });
  });
}

/** Where an attempt is cut off, as a crash of the server does. */
class Crash extends Error {}

/** One delivery with what the server has stored of it; `crashAt`: the call of `remember` that is cut off. */
export class DeliveryForTest {
  note: string | null = null;
  #calls = 0;

  /** `from`: where the input was found. */
  constructor(
    readonly id: string,
    private readonly from: InputPlace | null = null,
  ) {}

  attempt(crashAt?: { readonly call: number; readonly stored: boolean }): Delivery {
    this.#calls = 0;
    return {
      id: this.id,
      automation: 'Invoices',
      input: 'in.pdf',
      from: async () => this.from,
      files: 1,
      note: this.note,
      remember: async (note) => {
        const crash = crashAt?.call === ++this.#calls;
        if (!crash || crashAt.stored) this.note = note;
        if (crash) throw new Crash('cut off');
      },
    };
  }
}

/** Tests for every kind of destination; `replaces`: a result takes the place of the one with the same name. */
export function describeDestination(
  title: string,
  make: () => Promise<DestinationForTest>,
  { replaces = false }: { readonly replaces?: boolean } = {},
): void {
  describe(`A destination of kind ${title}`, function () {
    this.timeout(60_000);
    let made: DestinationForTest;
    let folder: string;
    let count = 0;
    const context = contextForTest();
    const fileOf = async (name: string, content: Buffer): Promise<DeliveredFile> => {
      const path = join(folder, `result-${count++}`);
      await writeFile(path, content);
      return { path, name, size: content.length, mediaType: 'application/pdf' };
    };
    /** As after a restart: nothing is known but what the delivery remembers. */
    const deliver = async (file: DeliveredFile, delivery: Delivery): Promise<string> => {
      const open = await made.kind.open(validated(made.kind, made.options), context);
      try {
        return (await open.deliver(file, delivery)).place;
      } finally {
        await open.close();
      }
    };
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-results-'));
      made = await make();
      await made.kind.check(validated(made.kind, made.options), context);
    });
    afterEach(async () => {
      await made.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('has nothing after its check', async () => {
      expect(await made.received()).to.deep.equal([]);
    });

    it('receives a file whole, under its name', async () => {
      const content = document();
      expect(await deliver(await fileOf('out.pdf', content), new DeliveryForTest('one').attempt())).not.to.equal('');
      const [only, ...more] = await made.received();
      expect([only?.name, only?.content.equals(content), more.length]).to.deep.equal(['out.pdf', true, 0]);
    });

    it(`receives several files of one name, and ${replaces ? 'keeps the last' : 'none replaces another'}`, async () => {
      const contents = [document(), document(), document()];
      for (const [index, content] of contents.entries())
        await deliver(await fileOf('out.pdf', content), new DeliveryForTest(`delivery ${index}`).attempt());
      const received = (await made.received()).map(({ content }) => sha256(content)).sort();
      expect(received).to.deep.equal(
        contents
          .slice(replaces ? -1 : 0)
          .map(sha256)
          .sort(),
      );
    });

    it('receives one file of a delivery that is cut off anywhere and repeated', async () => {
      const content = document();
      for (const [index, crashAt] of [
        { call: 1, stored: false },
        { call: 1, stored: true },
        { call: 2, stored: false },
        { call: 2, stored: true },
        { call: 99, stored: true },
      ].entries()) {
        const delivery = new DeliveryForTest(`cut off ${index}`);
        const file = await fileOf(`out ${index}.pdf`, content);
        await deliver(file, delivery.attempt(crashAt)).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        // The server may also crash after the delivery, before it has recorded that.
        await deliver(file, delivery.attempt());
        await deliver(file, delivery.attempt());
        const received = await made.received();
        expect(received.map(({ name }) => name).sort()).to.deep.equal(
          Array.from({ length: index + 1 }, (_, at) => `out ${at}.pdf`),
        );
        expect(received.every((each) => each.content.equals(content))).to.equal(true);
      }
    });

    it('that cannot be reached rejects as unreachable, and receives the file once when it can', async () => {
      const file = await fileOf('out.pdf', document());
      const delivery = new DeliveryForTest('patient');
      await made.breakDown();
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await codeOf(deliver(file, delivery.attempt()))).to.equal('DESTINATION_UNREACHABLE');
      if (made.blamed !== undefined)
        expect(await faultsOf(made.kind.check(validated(made.kind, made.options), context))).to.deep.equal([
          'DESTINATION_INVALID',
          `/${made.blamed}`,
        ]);
      await made.repair();
      await deliver(file, delivery.attempt());
      expect((await made.received()).map(({ name }) => name)).to.deep.equal(['out.pdf']);
    });
  });
}
