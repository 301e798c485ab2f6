// npm run check:pdfa -- <corpus> [--each n] [--match name] [--formats 1b,2b,2u,3b,x] [--out folder]
//
// Converts a sample of the corpus, chosen by features, to PDF/A (and PDF/X) over HTTP. Reports the method of
// conversion, how similar the pages look and which features stayed. Finally veraPDF validates all results that claim to
// be PDF/A: a wrong claim is a fault. The output is the table of docs/reports/pdf-a.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callOperation } from '@quire/plugin-kit';
import { BuiltServer } from '../corpus/built-server.js';
import { corpusFiles } from '../corpus/corpus-files.js';
import { pageSimilarity } from './page-similarity.js';
import { keptParts, type Parts, partsOf } from './kept-parts.js';
import { sampleByFeatures } from './sample.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '4' },
    match: { type: 'string' },
    formats: { type: 'string', default: '1b,2b,2u,3b,x' },
    out: { type: 'string' },
  },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('no folder given: npm run check:pdfa -- <corpus>');
const out = resolve(values.out ?? join(tmpdir(), 'quire-check-pdfa'));
rmSync(out, { recursive: true, force: true });
const files = sampleByFeatures(
  (await corpusFiles(resolve(corpus))).filter(({ name }) => values.match === undefined || name.includes(values.match)),
  Number(values.each),
);
const server = await BuiltServer.start({ base: join(out, 'data') });
const rows: string[] = [];
let faults = 0;
const before = new Map<string, Parts>();

try {
  for (const format of values.formats.split(',')) {
    const folder = join(out, format);
    mkdirSync(folder, { recursive: true });
    const count: Record<string, number> = {
      asked: 0,
      compliant: 0,
      kept: 0,
      repaired: 0,
      pages: 0,
      whole: 0,
      unclaimed: 0,
      refused: 0,
    };
    const add = (key: string): void => {
      count[key] = (count[key] ?? 0) + 1;
    };
    const parts = { had: 0, stayed: 0 };
    const alike: number[] = [];
    const claimed: string[] = [];
    const started = performance.now();
    for (const [i, { name, path }] of files.entries()) {
      add('asked');
      const call = (): ReturnType<typeof callOperation> =>
        callOperation(server.url, {
          path: 'convert/pdf/pdfa',
          files: [{ name: basename(name), bytes: new Uint8Array(readFileSync(path)) }],
          params: { outputFormat: format === 'x' ? 'pdfx' : `pdfa-${format}` },
          timeoutMs: 120_000,
        });
      // A server that closes an idle connection at this moment is not a fault.
      const answer = await call().catch(call);
      if (answer.status !== 200) {
        add('refused');
        note(answer.status >= 500, `${format} ${name}: ${answer.status} ${answer.code ?? ''}`);
        continue;
      }
      const report = JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as {
        way: string;
        compliant: boolean;
        claims: string;
        broken?: string;
      };
      const result = join(folder, `${i}.pdf`);
      writeFileSync(result, answer.bytes);
      add(report.compliant ? 'compliant' : 'unclaimed');
      if (report.compliant) add(report.way);
      else note(false, `${format} ${name}: claims ${report.claims} (${report.way}): ${report.broken ?? ''}`);
      if (report.claims.startsWith('PDF/A')) claimed.push(result);
      const similarity = await pageSimilarity(path, result);
      if (similarity !== undefined) alike.push(similarity);
      if (similarity !== undefined && similarity < 0.97)
        note(false, `${format} ${name}: page similarity ${similarity.toFixed(3)} (${report.way})`);
      const had = before.get(path) ?? (await partsOf(path));
      before.set(path, had);
      const stayed = keptParts(had, await partsOf(result));
      parts.had += stayed.had;
      parts.stayed += stayed.stayed;
      // PDF/A-1 has no layers.
      if (report.way === 'repaired' && stayed.lost.some((part) => part !== 'layers' || !format.startsWith('1')))
        note(false, `${format} ${name}: the repair lost ${stayed.lost.join(', ')}`);
    }
    const wrong = claimed.length === 0 ? [] : falseClaims(claimed);
    for (const one of wrong) note(true, `${format}: veraPDF rejects the claim of ${one}`);
    alike.sort((a, b) => a - b);
    const share = (of: number | undefined): string => (of === undefined ? '-' : of.toFixed(4));
    const row =
      `| ${format === 'x' ? 'PDF/X-4' : `PDF/A-${format}`} | ${count['asked']} | ${count['compliant']} | ` +
      `${count['kept']} | ${count['repaired']} | ${count['pages']} | ${count['whole']} | ${count['unclaimed']} | ` +
      `${count['refused']} | ${wrong.length} | ${share(alike[Math.floor(alike.length / 2)])} / ` +
      `${share(alike[Math.floor(alike.length / 20)])} | ${parts.stayed} of ${parts.had} | ` +
      `${((performance.now() - started) / 1000 / files.length).toFixed(1)} s |`;
    rows.push(row);
    process.stdout.write(`${row}\n`);
  }
} finally {
  await server.stop();
}
process.stdout.write(
  `\n| asked for | files | compliant | kept | in place | pages redrawn | redrawn | without claim | refused | ` +
    `false claims | pages alike (median / worst 5 %) | parts that stay | a file |\n` +
    `|---|---|---|---|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`,
);
process.exitCode = faults > 0 ? 1 : 0;

function note(fault: boolean, text: string): void {
  if (fault) faults++;
  process.stdout.write(`${fault ? 'FAULT ' : ''}${text}\n`);
}

/** Returns the files that veraPDF does not confirm. */
function falseClaims(paths: readonly string[]): string[] {
  const { stdout } = spawnSync('verapdf', ['--format', 'text', '--flavour', '0', '--loglevel', '0', ...paths], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const passed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('PASS '))
      .map((line) => line.slice(5).replace(/ \S+$/, '')),
  );
  return paths.filter((path) => !passed.has(path));
}
