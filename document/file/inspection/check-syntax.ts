import { runQpdfSeries } from '../../engines/qpdf/index.js';
import { findDamage } from '../damage/index.js';
import { openLazily, readPageTree } from '../reader/index.js';
import { withSource } from '../source/index.js';

/** Milliseconds; a result that takes longer counts as faulty. */
const CHECK_MS = 20_000;

/**
 * Returns an error that `qpdf --check` would report in one of these files: in its structure, or in the content streams
 * of its pages. Undefined when there is none; warnings are not errors. The check itself is not used, because qpdf in
 * WebAssembly fails at every image that it cannot decode.
 */
export async function checkSyntax(paths: readonly string[], password = ''): Promise<string | undefined> {
  for (const path of paths) {
    const damaged = await withSource({ path }, (source) => {
      const document = openLazily(source, { password });
      return findDamage(document, readPageTree(document)).contents.length;
    });
    if (damaged > 0) return `${damaged} content streams cannot be decoded`;
  }
  const args = [
    `--password=${password}`,
    '--object-streams=preserve',
    '--stream-data=preserve',
    '--decode-level=none',
    'in.pdf',
    'out.pdf',
  ];
  const jobs = paths.map((path) => ({ args, files: { inputs: [{ name: 'in.pdf', path }], outputs: ['out.pdf'] } }));
  for await (const { code, stderr } of runQpdfSeries(jobs, CHECK_MS)) {
    if (code === 0 || code === 3 || /invalid password/i.test(stderr)) continue;
    const lines = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('WARNING'))
      .map((line) => line.replace(/^[^\s:]+: /, '').replace(/\/disk\d+\/\S+?(?=[\s:(,]|$)[:,]?\s*/g, ''));
    return lines.at(0) ?? 'it cannot be read';
  }
  return undefined;
}
