import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { validateInvoice } from '../../src/functions/validate.js';
import { writeReport } from '../../src/functions/write-report.js';
import { textOfHtml } from '../support/text-of-html.js';

const now = new Date('2026-11-30T10:00:00Z');
const fixture = (name: string): Promise<string> => readFile(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

/** The report of an invoice, changed before it is checked. */
async function reportOf(
  change: (xml: string) => string,
  { output = 'html', language = 'de' }: { output?: 'html' | 'pdf'; language?: 'de' | 'en' } = {},
): Promise<{ readonly bytes: Uint8Array; readonly result: Awaited<ReturnType<typeof validateInvoice>> }> {
  const result = await validateInvoice(Buffer.from(change(await fixture('invoice-ubl.xml'))));
  const file = { name: 'rechnung.xml', invoice: result.read?.invoice };
  return { bytes: await writeReport(result.report, file, { output, language, now }), result };
}

const wrongTotal = (xml: string): string => xml.replace(/(<cbc:PayableAmount[^>]*>)[\d.]+/, '$117.00');

describe('a report of a check', () => {
  it('says that a valid invoice is, and what was checked', async () => {
    const { bytes, result } = await reportOf((xml) => xml);
    const text = textOfHtml(Buffer.from(bytes).toString());
    expect(result.report.valid).to.equal(true);
    expect(text).to.include('Die Rechnung ist gültig').and.include('rechnung.xml').and.include('XRechnung');
    expect(text).to.include(String(result.read?.invoice.number));
    expect(text).to.not.include('Fehler (');
  });

  it('lists each violation with rule, sentence, terms, value and place, in both languages', async () => {
    for (const language of ['de', 'en'] as const) {
      const { bytes, result } = await reportOf(wrongTotal, { language });
      const text = textOfHtml(Buffer.from(bytes).toString());
      expect(result.report.valid).to.equal(false);
      expect(text).to.include(language === 'de' ? 'Die Rechnung ist ungültig' : 'The invoice is not valid');
      expect(result.report.violations.length).to.be.greaterThan(0);
      for (const { rule, message, location, value, terms } of result.report.violations) {
        expect(text).to.include(rule).and.include(message[language].replace(/\s+/g, ' '));
        if (location !== undefined) expect(text).to.include(location.xpath).and.include(String(location.line));
        if (value !== undefined) expect(text).to.include(value.replace(/\s+/g, ' '));
        for (const term of terms) expect(text).to.include(term);
      }
    }
  });

  it('reports XML that cannot be read', async () => {
    const { bytes, result } = await reportOf((xml) => xml.replace('</cbc:ID>', '</cbc:IDD>'));
    expect(result.read).to.equal(undefined);
    expect(textOfHtml(Buffer.from(bytes).toString())).to.include('Das XML ist nicht lesbar');
  });

  it('runs nothing that an invoice brings with it', async () => {
    const attack = '&lt;script&gt;alert(1)&lt;/script&gt;';
    const { bytes } = await reportOf((xml) =>
      wrongTotal(xml)
        .replace(/(<cbc:ID>)[^<]*/, `$1${attack}`)
        .replace(/(<cbc:DocumentCurrencyCode>)[^<]*/, `$1${attack}`),
    );
    const html = Buffer.from(bytes).toString();
    expect(html).to.include(attack).and.not.include('<script');
  });

  it('is PDF/A-3a as a PDF', async function () {
    if (spawnSync('verapdf', ['--version']).error !== undefined) return this.skip();
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'quire-report-'));
    try {
      const path = join(folder, 'report.pdf');
      writeFileSync(path, (await reportOf(wrongTotal, { output: 'pdf' })).bytes);
      const { stdout } = spawnSync('verapdf', ['--flavour', '3a', '--format', 'xml', path], { encoding: 'utf8' });
      expect(stdout).to.include('isCompliant="true"');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
