// npm run bench:growth [-- --only <axis> ...] [--page docs/reports/growth.md]: time and memory against what grows, as
// plots in docs/reports/growth and a table. About twelve minutes for all axes, once the inputs are made.
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from '../../verification/corpus/built-server.js';
import { machine } from '../../verification/corpus/report.js';
import { replaceTable } from '../measure/table-page.js';
import { megabytes, pages, parts } from './documents.js';
import { clients, queue } from './load.js';
import { plot } from './plot.js';
import { sectionOf, withSections } from './sections.js';

const axes = [pages, megabytes, clients, parts, queue];

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, page: { type: 'string' } } });
const unknown = (values.only ?? []).filter((name) => !axes.some((axis) => axis.name === name));
if (unknown.length > 0)
  throw new Error(`unknown axes ${unknown.join(', ')}; known: ${axes.map(({ name }) => name).join(', ')}`);
if (!(await isBuilt())) throw new Error('not built yet: npm run build');

for (const axis of axes.filter(({ name }) => values.only === undefined || values.only.includes(name))) {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  const lines = await axis.measure();
  const when = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, load before ${load}, ${machine()}`;
  const section = sectionOf(axis, when, lines);
  process.stdout.write(`${section}\n`);
  if (values.page === undefined) continue;
  const folder = join(dirname(values.page), 'growth');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${axis.name}.svg`), plot(axis.title, axis.unit, lines));
  await replaceTable(values.page, (page) => withSections(page, axes, new Map([[axis.name, section]])));
}
