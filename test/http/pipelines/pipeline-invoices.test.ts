import { readFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import { readZip } from '../../kit/read-zip.js';
import { expectProblem, pointers, type Answer } from '../support/client.js';
import { definitionOf, step, usePipelines } from '../support/pipelines.js';
import { ciiInvoice, ublInvoice } from '../../../plugins/invoice/fixtures/invoice-texts.js';

const hybrid = readFileSync(new URL('../../../plugins/invoice/fixtures/hybrid.pdf', import.meta.url));

describe('Invoices in pipelines', () => {
  const pipelines = usePipelines(['@quire/plugin-invoice']);
  const rotate = step('general/rotate-pdf', { angle: 90 });
  const run = (pipeline: readonly unknown[], files: readonly [Uint8Array, string][], rest = {}): Promise<Answer> =>
    pipelines.run(definitionOf(pipeline, rest), files);
  const namesOf = async (answer: Answer): Promise<readonly string[]> => {
    expect(answer.status, answer.body.toString('utf8', 0, 800)).to.equal(200);
    const disposition = String(answer.headers['content-disposition']);
    if (disposition.includes('output.zip')) return (await readZip(answer.body)).map(({ name }) => name);
    const [, encoded = ''] = /filename\*=UTF-8''([^;]*)/.exec(disposition) ?? [];
    return [encoded === '' ? (/filename="([^"]*)"/.exec(disposition)?.[1] ?? '') : decodeURIComponent(encoded)];
  };
  const every =
    '{{invoice.date}}_{{invoice.seller}}_{{invoice.number}} {{invoice.total}} {{invoice.currency}} ' +
    '{{invoice.buyer}} {{invoice.due}} {{ invoice.type }}';

  it('name results after terms of the invoice that a PDF carries', async () => {
    const answer = await run([{ ...rotate, name: every }], [[hybrid, 'scan.pdf']]);
    expect(await namesOf(answer)).to.deep.equal([
      '2026-11-28_Lieferant GmbH_R-2026-0042 1190.00 EUR Kunde AG 2026-12-28 380.pdf',
    ]);
  });

  it('name each of several results, also those of steps inside of others', async () => {
    const other = await PDFDocument.load(hybrid, { updateMetadata: false });
    other.addPage();
    const files: [Uint8Array, string][] = [
      [hybrid, 'a.pdf'],
      [await other.save(), 'b.pdf'],
    ];
    const each = { each: [rotate], name: '{{invoice.number}}-{{file.base}}' };
    expect(await namesOf(await run([each], files))).to.deep.equal(['R-2026-0042-a.pdf', 'R-2026-0042-b.pdf']);
  });

  it('fill parameters and conditions', async () => {
    const titled = step('misc/update-metadata', { title: '{{invoice.seller}} {{invoice.total}}', deleteAll: false });
    const answer = await run([titled], [[hybrid, 'a.pdf']], { values: {} });
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    expect((await PDFDocument.load(answer.body)).getTitle()).to.equal('Lieferant GmbH 1190.00');
    const turned = [{ if: { fact: 'name', is: '{{invoice.number}}.pdf' }, then: [rotate] }];
    for (const [name, angle] of [
      ['R-2026-0042.pdf', 90],
      ['other.pdf', 0],
    ] as const) {
      const result = await run(turned, [[hybrid, name]], { values: {} });
      expect((await PDFDocument.load(result.body)).getPage(0).getRotation().angle, name).to.equal(angle);
    }
  });

  it('never let the text of an invoice leave the name of a file', async () => {
    const evil = ciiInvoice
      .replace(
        'Lieferant GmbH',
        '../../etc/pass\u202ewd\\C:\n<b>'.replace(/[<>]/g, (c) => (c === '<' ? '&lt;' : '&gt;')),
      )
      .replace('R-2026-0042', 'N'.repeat(500));
    const carrier = await PDFDocument.load(pipelines.one);
    await carrier.attach(Buffer.from(evil), 'factur-x.xml', { mimeType: 'text/xml' });
    const name = '{{invoice.seller}} {{invoice.number}}';
    const [found = ''] = await namesOf(await run([{ ...rotate, name }], [[await carrier.save(), 'a.pdf']]));
    expect(found).to.match(/^[^/\\:<>\p{Cc}\u202e]+ N{80}\.pdf$/u);
    expect(found).to.contain('etc-pass-wd-C-');
  });

  it('fail the step of a file without an invoice, or do what its onError says', async () => {
    const named = { ...rotate, name: '{{invoice.number}}' };
    const problem = expectProblem(await run([named], [[pipelines.one, 'a.pdf']]), 400, 'INVOICE_NONE');
    expect(problem.detail).to.match(/^Step 0 \(.*rotate-pdf\) failed on a\.pdf: .*has no electronic invoice/);
    const files: [Uint8Array, string][] = [
      [pipelines.one, 'a.pdf'],
      [hybrid, 'b.pdf'],
    ];
    expect(await namesOf(await run([{ ...named, onError: 'skip' }], files))).to.deep.equal(['R-2026-0042.pdf']);
    expect(await namesOf(await run([{ ...named, onError: 'continue' }], files))).to.deep.equal([
      'a.pdf',
      'R-2026-0042.pdf',
    ]);
  });

  it('fail the step of a file whose invoice cannot be read', async () => {
    const carrier = await PDFDocument.load(pipelines.one);
    await carrier.attach(Buffer.from('{"no": "XML"}'), 'factur-x.xml', { mimeType: 'text/xml' });
    const answer = await run([{ ...rotate, name: '{{invoice.number}}' }], [[await carrier.save(), 'a.pdf']]);
    const problem = expectProblem(answer, 400, 'INVOICE_UNREADABLE');
    expect(problem.detail).to.contain('factur-x.xml');
  });

  it('are read from XML files too', async () => {
    const kept = step('filter/filter-file-size', { fileSize: 1, comparator: 'Greater' });
    const named = { ...kept, name: '{{invoice.seller}}_{{invoice.number}}' };
    expect(await namesOf(await run([named], [[Buffer.from(ublInvoice), 'a.xml']]))).to.deep.equal([
      'Lieferant GmbH_R-2026-0042.xml',
    ]);
  });

  it('are checked before the first file is read', async () => {
    const answer = await pipelines.validate(definitionOf([{ ...rotate, name: '{{invoice.nmber}}' }]));
    const problem = expectProblem(answer, 400, 'PIPELINE_INVALID');
    expect(pointers(problem)).to.deep.equal(['/pipeline/0/name']);
    expect(problem.errors?.[0]?.detail).to.match(
      /\{\{invoice\.nmber\}\} stands for nothing; known are .*invoice\.number/,
    );
    const known = await pipelines.validate(definitionOf([{ ...rotate, name: every }]));
    expect(known.status).to.equal(200);
  });
});
