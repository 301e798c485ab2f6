import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ciiInvoice } from '../../fixtures/invoice-texts.js';
import { embedInPdf, type Embedded, type FileToEmbed } from '../../src/functions/hybrid/embed-in-pdf.js';
import { type AskedEmbedding, planEmbedding } from '../../src/functions/hybrid/embedding-plan.js';

/** Not asked for its version: that starts Java. */
export const hasVeraPdf = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'verapdf')));

export const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** The invoice of the fixtures with another specification identifier. */
export const ciiOf = (specification: string): string => ciiInvoice.replace('urn:cen.eu:en16931:2017', specification);

/** Which of these files veraPDF accepts as PDF/A-3: one start of Java for all. */
export function acceptedByVeraPdf(paths: readonly string[], options: readonly string[] = []): readonly string[] {
  const { stdout } = spawnSync('verapdf', ['--format', 'text', '--loglevel', '0', ...options, ...paths], {
    encoding: 'utf8',
    env: { ...process.env, JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' },
  });
  return stdout
    .split('\n')
    .flatMap((line) => /^PASS (.*) 3[abu]$/.exec(line)?.[1] ?? [])
    .sort();
}

export interface Trial {
  readonly folder: string;
  /** Embeds an XML in a document; the verdict of the validator is that of `compliant`. */
  embed(source: string, xml: string | Uint8Array, options?: TrialOptions): Promise<Embedded>;
  /** Writes a file of the trial and returns its path. */
  write(name: string, data: string | Uint8Array): Promise<string>;
  end(): Promise<void>;
}

export interface TrialOptions extends AskedEmbedding {
  readonly existing?: 'refuse' | 'replace';
  readonly supplements?: readonly FileToEmbed[];
  /** True by default. */
  readonly compliant?: boolean;
}

/** A folder in which documents are made. */
export async function beginTrial(): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-embed-'));
  let calls = 0;
  const write = async (name: string, data: string | Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, data);
    return path;
  };
  return {
    folder,
    write,
    end: () => rm(folder, { recursive: true, force: true }),
    async embed(source, xml, { existing = 'refuse', supplements = [], compliant = true, ...asked } = {}) {
      const scratch = await mkdtemp(join(folder, `call${calls++}-`));
      const path = await write(`invoice${calls}.xml`, xml);
      return embedInPdf(
        source,
        { plan: planEmbedding(await readFile(path), asked), xml: path, supplements, existing },
        {
          draw: () => Promise.reject(new Error('no other program is needed')),
          check: async () => ({ compliant, broken: compliant ? [] : ['6.1 a rule'] }),
        },
        {
          now: new Date('2026-11-28T10:00:00.500Z'),
          scratch,
          signal: new AbortController().signal,
          progress: () => undefined,
        },
      );
    },
  };
}
