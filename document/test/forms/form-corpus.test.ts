import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FormField, readForm } from '../../forms/index.js';
import { withPdf } from '../../file/open/index.js';
import { corpus } from '../support.js';

const there = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'qpdf')));
/** Number of tested files; QUIRE_FULL=1 tests all. */
const FILES = process.env['QUIRE_FULL'] === '1' ? Infinity : 24;

/** The values that qpdf reports for each widget of a field on a page. */
interface QpdfField {
  readonly fullname: string;
  readonly value: unknown;
  readonly pageposfrom1: number;
}

/** Files that qpdf reads differently, with the reason why our result is right. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'pdfium/annotiter.pdf': 'kids with names but without /Parent, which qpdf takes for their field',
  'qpdf/minimal-signed-restrictions-removed.pdf': 'a field whose type was taken away',
};

function forms(): { readonly file: string; readonly password: string }[] {
  const [head = '', ...rows] = readFileSync(join(corpus ?? '', 'manifest.csv'), 'utf8')
    .trim()
    .split('\n');
  const names = head.split(',');
  const all = rows
    .filter((row) => !row.includes('"'))
    .map((row) => row.split(','))
    .map((cells) => (name: string) => cells[names.indexOf(name)] ?? '');
  const found = all
    .filter(
      (cell) =>
        cell('class') === 'good' && /(?:^| )(?:acroform|annot-widget|field-\w+|xfa)(?: |$)/.test(cell('features')),
    )
    .map((cell) => ({ file: cell('file'), password: cell('needs_password') === 'yes' ? cell('password') : '' }));
  const step = Math.max(1, Math.floor(found.length / FILES));
  return found.filter(({ file }, i) => i % step === 0 && OTHERWISE[file] === undefined);
}

function qpdfFields(file: string, password: string): readonly QpdfField[] {
  const { stdout } = spawnSync(
    'qpdf',
    ['--json', '--json-key=acroform', '--warning-exit-0', `--password=${password}`, file],
    { encoding: 'utf8', timeout: 60_000, maxBuffer: 256 * 1024 * 1024 },
  );
  try {
    return (JSON.parse(stdout) as { acroform: { fields: readonly QpdfField[] } }).acroform.fields;
  } catch {
    // qpdf writes an incomplete answer for a document without a form.
    return [];
  }
}

/** Returns a value in qpdf's output as text: string, bytes or name; undefined for other types. */
function qpdfText(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^\d+ \d+ R$/.test(value)) return undefined;
  return value.startsWith('b:')
    ? Buffer.from(value.slice(2), 'hex').toString('latin1')
    : value.replace(/^(?:u:|\/)/, '');
}

/** Returns true if both report the same value. */
function agrees({ kind, values = [], widgets }: FormField, told: unknown): boolean {
  if (kind === 'button' || kind === 'signature') return true;
  const listed = (Array.isArray(told) ? told : told === null || told === undefined ? [] : [told]).map(qpdfText);
  if (listed.includes(undefined)) return values.length === listed.length;
  if (kind === 'checkbox' || kind === 'radio') {
    // qpdf reports the state of a field, not its export value; without a state, ours comes from the widgets.
    const [state = 'Off'] = listed;
    return (
      state === 'Off' ||
      widgets.some(({ onState, exportValue }) => onState === state && exportValue === values[0]) ||
      values[0] === state
    );
  }
  return values.join('\n') === listed.join('\n');
}

describe(
  corpus === undefined ? 'Forms of real files (skipped: no ../shared/corpus)' : 'Forms of real files',
  function suite() {
    this.timeout(FILES === Infinity ? 600_000 : 60_000);
    before(function open() {
      if (corpus === undefined || !there) this.skip();
    });

    it('have the fields, values and pages that qpdf finds', async () => {
      const faults: string[] = [];
      let compared = 0;
      for (const { file, password } of forms()) {
        const form = await withPdf(
          { path: join(corpus ?? '', file) },
          { repair: false, ...(password === '' ? {} : { password }) },
          readForm,
        ).catch((error: Error) => error);
        if (form instanceof Error) {
          faults.push(`${file}: ${form.message}`);
          continue;
        }
        const told = new Map<string, QpdfField[]>();
        for (const field of qpdfFields(join(corpus ?? '', file), password))
          if (field.fullname !== '') told.set(field.fullname, [...(told.get(field.fullname) ?? []), field]);
        const ours = new Map<string, FormField[]>();
        for (const field of form?.fields ?? []) ours.set(field.name, [...(ours.get(field.name) ?? []), field]);
        for (const [name, [first]] of told) {
          const fields = ours.get(name);
          if (fields === undefined) faults.push(`${file}: lacks ${name}`);
          else if (!fields.some((field) => agrees(field, first?.value)))
            faults.push(
              `${file}: ${name} is ${JSON.stringify(fields[0]?.values)?.slice(0, 80)}, ` +
                `for qpdf ${JSON.stringify(first?.value)?.slice(0, 80)}`,
            );
          compared++;
        }
        for (const [name, fields] of ours) {
          const places = fields
            .flatMap(({ widgets }) => widgets)
            .filter(({ pageIndex }) => pageIndex >= 0)
            .map(({ pageIndex }) => pageIndex);
          // qpdf reports a widget for every page that lists it, and none that no page lists.
          const pages = new Set(told.get(name)?.map(({ pageposfrom1 }) => pageposfrom1 - 1));
          if (pages.size > 0 && places.some((page) => !pages.has(page)))
            faults.push(`${file}: ${name} is on pages ${places.join()}, for qpdf on ${[...pages].join()}`);
        }
      }
      expect(faults).to.deep.equal([]);
      expect(compared).to.be.above(50);
    });
  },
);
