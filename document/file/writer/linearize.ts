import { closeSync, openSync, rmSync } from 'node:fs';
import { DocumentError } from '../../errors.js';
import type { QpdfInput, QpdfOutput } from '../../engines/qpdf/index.js';

export interface LinearizeOptions {
  /** Opens an encrypted file; its encryption stays the same. */
  readonly password?: string;
}

/**
 * Rewrites a file so that its first page can be shown before the rest has arrived (ISO 32000-1, Annex F). Streams,
 * object streams and encryption stay the same, except that unfiltered streams of an encrypted file are deflated.
 * `target` must not exist; it is read and written in place, never held in memory. The source must be the output of
 * `rewriteTo`: qpdf, which does the work, repairs nothing here. Throws PDF_ENCRYPTED, PDF_DAMAGED.
 */
export async function linearizeFile(source: string, target: string, options: LinearizeOptions = {}): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  try {
    await linearize({ name: 'in.pdf', path: source }, { name: 'out.pdf', path: target }, options);
    await check({ name: 'in.pdf', path: target }, options);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** The same in memory. */
export async function linearizeBytes(bytes: Uint8Array, options: LinearizeOptions = {}): Promise<Uint8Array> {
  const result = (await linearize({ name: 'in.pdf', bytes }, 'out.pdf', options))['out.pdf'] ?? new Uint8Array();
  await check({ name: 'in.pdf', bytes: result }, options);
  return result;
}

async function linearize(
  input: QpdfInput,
  output: QpdfOutput,
  { password = '' }: LinearizeOptions,
): Promise<Readonly<Record<string, Uint8Array>>> {
  const { runQpdf, runQpdfRaw } = await import('../../engines/qpdf/index.js');
  const key = `--password=${password}`;
  const encrypted = (await runQpdfRaw(['--is-encrypted', key, 'in.pdf'], { inputs: [input], outputs: [] })).code === 0;
  // Metadata must stay readable in an unencrypted file. In an encrypted one this version of qpdf would drop the
  // encryption together with the compression.
  const streams = encrypted ? ['--decode-level=none'] : ['--decode-level=none', '--compress-streams=n'];
  return (
    await runQpdf(['--linearize', ...streams, '--object-streams=preserve', key, 'in.pdf', 'out.pdf'], {
      inputs: [input],
      outputs: [output],
    })
  ).files;
}

async function check(input: QpdfInput, { password = '' }: LinearizeOptions): Promise<void> {
  const { runQpdfRaw } = await import('../../engines/qpdf/index.js');
  const { code, stdout } = await runQpdfRaw(['--check-linearization', `--password=${password}`, 'in.pdf'], {
    inputs: [input],
    outputs: [],
  });
  if (code !== 0 || !stdout.includes('no linearization errors'))
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it cannot be linearized' });
}
