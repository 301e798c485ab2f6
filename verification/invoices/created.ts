import { spawnSync } from 'node:child_process';
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ProfileId } from '../../document/invoices/profiles/index.js';
import { readInvoice } from '../../document/invoices/syntaxes/index.js';
import { gaveUp, isFatal } from './compare.js';
import type { Rejected } from './converted.js';
import { type CorpusInvoice, enSet, facturXSet, isXrechnung } from './corpus.js';
import type { Mustang, Phive } from './validators.js';

const FIXTURES = new URL('../../plugins/invoice/fixtures/', import.meta.url).pathname;

const HYBRID: readonly ProfileId[] = ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'];

/** What a request for an invoice asks for. */
interface Wanted {
  readonly format: 'cii' | 'ubl' | 'pdf';
  readonly profile: ProfileId;
}

const EVERYTHING: readonly Wanted[] = [
  ...HYBRID.flatMap((profile) => [{ format: 'cii', profile } as const, { format: 'pdf', profile } as const]),
  { format: 'ubl', profile: 'en16931' },
  { format: 'ubl', profile: 'xrechnung' },
];

/** What a check of created invoices found. */
export interface CreatedReport {
  made: number;
  /** The server refused the data. */
  readonly refused: string[];
  readonly rejected: Rejected[];
}

export interface Judges {
  readonly phive: Phive;
  readonly mustang: Mustang;
}

/**
 * Creates invoices in every format and profile by a server, from the fixture and from the data of corpus invoices, and
 * embeds XML in a page; has phive, Mustang and veraPDF judge what comes back.
 */
export async function checkCreated(
  server: string,
  invoices: readonly CorpusInvoice[],
  judges: Judges,
  scratch: string,
): Promise<CreatedReport> {
  const report: CreatedReport = { made: 0, refused: [], rejected: [] };
  const sources = [join(FIXTURES, 'invoice.json'), ...(await jsonOf(invoices, judges.phive, scratch))];
  for (const source of sources) {
    for (const wanted of EVERYTHING) {
      const name = `${basename(source, '.json')}-${wanted.profile}.${wanted.format === 'pdf' ? 'pdf' : 'xml'}`;
      const made = join(scratch, `created-${wanted.format}-${name}`);
      const refused = await send(`${server}/api/v1/invoice/create`, { fileInput: source }, { ...wanted }, made);
      if (refused !== undefined) {
        report.refused.push(`${name}: ${refused}`);
        continue;
      }
      report.made += 1;
      report.rejected.push(...(await judge(made, wanted, judges)));
      if (wanted.format === 'cii') await checkEmbedded(server, made, wanted.profile, judges, report);
    }
  }
  return report;
}

async function checkEmbedded(
  server: string,
  xml: string,
  profile: ProfileId,
  judges: Judges,
  report: CreatedReport,
): Promise<void> {
  const made = xml.replace(/\.xml$/, '-embedded.pdf');
  const files = { fileInput: join(FIXTURES, 'page.pdf'), invoice: xml };
  const refused = await send(`${server}/api/v1/invoice/embed`, files, {}, made);
  if (refused !== undefined) {
    report.refused.push(`embed ${basename(xml)}: ${refused}`);
    return;
  }
  report.made += 1;
  report.rejected.push(...(await judge(made, { format: 'pdf', profile }, judges)));
}

/** Stores the answer; returns why it was refused. */
async function send(
  url: string,
  files: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
  target: string,
): Promise<string | undefined> {
  const form = new FormData();
  for (const [field, path] of Object.entries(files)) form.append(field, await openAsBlob(path), basename(path));
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const answer = await fetch(url, { method: 'POST', body: form });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) return `${answer.status} ${body.toString().slice(0, 600)}`;
  writeFileSync(target, body);
  return undefined;
}

async function judge(path: string, { format, profile }: Wanted, { phive, mustang }: Judges): Promise<Rejected[]> {
  if (format === 'pdf') return [...veraPdf(path), ...(await byMustang(path, mustang))];
  const set = setOf(path, format, profile);
  const { faults } = await phive.judge(set, path);
  const wrong = faults.filter(isFatal);
  return wrong.length === 0
    ? []
    : [{ name: path, set, faults: wrong.map(({ rule, message, place }) => `${rule} ${message} (${place})`) }];
}

function setOf(path: string, format: 'cii' | 'ubl', profile: ProfileId): string {
  const { syntax } = readInvoice(readFileSync(path));
  if (syntax === 'zugferd1') throw new Error(`${path} is ZUGFeRD 1`);
  if (profile === 'xrechnung') return `de.xrechnung:${syntax}:3.0.2`;
  return format === 'cii' ? (facturXSet(profile) ?? enSet(syntax)) : enSet(syntax);
}

function veraPdf(path: string): Rejected[] {
  const { stdout } = spawnSync('verapdf', ['--flavour', '3b', '--format', 'text', '-v', path], { encoding: 'utf8' });
  return stdout.startsWith('PASS') ? [] : [{ name: path, set: 'veraPDF 3b', faults: stdout.trim().split('\n') }];
}

async function byMustang(path: string, mustang: Mustang): Promise<Rejected[]> {
  const { valid, faults } = await mustang.judge(path);
  const wrong = faults.filter(({ level }) => level === 'error' || level === 'fatal' || level === 'exception');
  if (valid && wrong.length === 0) return [];
  const texts = wrong.map((fault) => `${fault.rule} ${fault.section} ${fault.message} (${fault.place})`);
  return [{ name: path, set: 'Mustang', faults: texts }];
}

/** The data of invoices that the artefacts accept as XRechnung, as JSON. */
async function jsonOf(invoices: readonly CorpusInvoice[], phive: Phive, scratch: string): Promise<string[]> {
  const paths: string[] = [];
  for (const source of invoices.filter((invoice) => !invoice.isFragment && isXrechnung(invoice))) {
    const { faults } = await phive.judge(enSet(source.syntax), source.path);
    if (faults.some(isFatal) || gaveUp(faults)) continue;
    const path = join(scratch, `${basename(source.name, '.xml')}.json`);
    const { invoice } = readInvoice(readFileSync(source.path));
    // The profile is asked for with the request.
    writeFileSync(path, JSON.stringify({ ...invoice, process: { ...invoice.process, specification: undefined } }));
    paths.push(path);
  }
  return paths;
}
