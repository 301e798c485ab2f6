// npm run check:attacks -- [--family "field names,HTTP"] [--every N] [--at-once N] [--out table.csv] [--report]
//
// Sends hostile requests, derived from the served API description, to a server of its own: forged and missing
// credentials, things of other users, paths, names, fields, JSON, pipelines, addresses, documents and broken HTTP.
// Fails when an answer is a 5xx other than a declared 503, contains a secret, a path or a stack, when the server calls
// an address, creates a file or restarts, or when a request delays all others. --every 10 sends every tenth; --report
// writes the table of docs/reports/security.md.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Arena } from './arena.js';
import type { Attack } from './attack.js';
import { writeAttackTable } from './attack-table.js';
import { Campaign, type Row } from './campaign.js';
import { allAttacks } from './families/index.js';

const { values } = parseArgs({
  options: {
    family: { type: 'string' },
    every: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '4' },
    out: { type: 'string' },
    report: { type: 'boolean', default: false },
  },
});
const wanted = values.family?.split(',');
const every = Number(values.every);
const arena = await Arena.start();
const { server, battlefield } = await arena.open();
const campaign = new Campaign(arena, server, Number(values['at-once']));
let last: string[] = [];
try {
  const attacks = allAttacks(battlefield).filter(({ family }) => wanted === undefined || wanted.includes(family));
  for (const [family, list] of Map.groupBy(attacks, (attack: Attack) => attack.family)) {
    const rows = await campaign.run(list.filter((_unused, i) => i % every === 0));
    print(family, rows);
  }
  last = await campaign.finish();
} finally {
  await arena.close(server);
}
for (const line of last) console.log(`  FAULT ${line}`);
const { rows } = campaign;
const wrong = rows.filter(({ faults }) => faults.length > 0).length;
console.log(`${rows.length} attacks; ${wrong} of them and ${last.length} other findings are faults`);
if (values.out !== undefined) writeFileSync(values.out, tableOf(rows));
if (values.report)
  writeAttackTable(fileURLToPath(new URL('../../docs/reports/security.md', import.meta.url)), rows, last.length);
if (wrong > 0 || last.length > 0) process.exitCode = 1;

function print(family: string, list: readonly Row[]): void {
  const statuses = [...Map.groupBy(list, ({ status }) => status)].sort(([a], [b]) => a - b);
  const slowest = Math.max(...list.map(({ took }) => took));
  console.log(
    `${family}: ${list.length} attacks, ${statuses.map(([status, of]) => `${of.length} × ${status || 'closed'}`).join(', ')}; ` +
      `slowest ${Math.round(slowest)} ms`,
  );
  for (const { attack, faults } of list)
    for (const fault of faults) console.log(`  FAULT ${attack.title} (${attack.caller}): ${fault}`);
}

function tableOf(list: readonly Row[]): string {
  const cell = (text: unknown): string =>
    `"${String(text)
      .replaceAll('"', '""')
      .replaceAll(/[\0-\x1f]/g, ' ')}"`;
  return [
    'family,title,caller,method,path,status,ms,faults',
    ...list.map(({ attack, status, took, faults }) =>
      [
        attack.family,
        attack.title,
        attack.caller,
        attack.method,
        attack.path.slice(0, 200),
        status,
        Math.round(took),
        faults.join('; '),
      ]
        .map(cell)
        .join(','),
    ),
  ].join('\n');
}
