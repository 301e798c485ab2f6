import { expect } from 'chai';
import { einvoiceRows, einvoices } from '../../../../test/fixtures/einvoices.js';
import { detectInvoice, type Detected } from '../../src/functions/hybrid/detect-invoice.js';

/** Names of profiles in the manifest. */
const profileNames: Readonly<Record<string, string>> = {
  minimum: 'MINIMUM',
  'basic-wl': 'BASIC WL',
  basic: 'BASIC',
  en16931: 'EN 16931',
  extended: 'EXTENDED',
  xrechnung: 'XRECHNUNG',
  'xrechnung-extension': 'XRECHNUNG-EXTENSION',
  'xrechnung-cvd': 'XRECHNUNG-CVD',
  peppol: 'PEPPOL',
  'zugferd1-basic': 'ZUGFeRD1 BASIC',
  'zugferd1-comfort': 'ZUGFeRD1 COMFORT',
  'zugferd1-extended': 'ZUGFeRD1 EXTENDED',
};

/** The version as the manifest writes it, from the answer. */
function manifestVersion({ standard, version, profile }: Detected, kind: string): string {
  switch (standard) {
    case 'Factur-X':
      return 'Factur-X 1.0 / ZUGFeRD 2.1+';
    case 'XRechnung':
      if (kind === 'pdf-hybrid') return `Factur-X 1.0 / ZUGFeRD 2.1+ (XRechnung ${version})`;
      return profile === 'xrechnung-cvd' ? `XRechnung CVD ${version}` : `XRechnung ${version}`;
    case 'Peppol BIS Billing':
      return `Peppol BIS ${version}`;
    case 'EN 16931':
      return 'EN 16931:2017';
    default:
      return standard === 'FatturaPA' || standard === null ? '' : `${standard.slice(0, 7)} ${version}`;
  }
}

const kinds: Readonly<Record<string, readonly (string | null)[]>> = {
  cii: ['cii', 'zugferd1'],
  'ubl-invoice': ['ubl-invoice'],
  'ubl-creditnote': ['ubl-creditnote'],
  'pdf-hybrid': ['cii', 'zugferd1', 'zugferd1-draft'],
  fatturapa: ['fatturapa'],
  'other-xml': ['other-xml', 'other-ubl', null],
};

describe('detecting invoices in the e-invoice collection', function () {
  this.timeout(180_000);

  it('finds kind, profile, version, attachment and XMP of every file as its manifest says', async function () {
    const rows = einvoiceRows()?.filter(({ kind }) => kind !== 'unit-test-set');
    if (rows === undefined) return this.skip();
    const wrong: string[] = [];
    for (const row of rows) {
      const { file, kind } = row;
      const answer = await detectInvoice(einvoices + file, kind === 'pdf-hybrid' ? 'pdf' : 'xml');
      const [claim] = answer.xmp;
      const files = [...answer.invoices.flatMap(({ attachment }) => attachment ?? []), ...answer.otherAttachments];
      const inOrder = (row['attachment'] ?? '').split(';');
      const of = (member: 'name' | 'relationship' | 'mediaType'): string =>
        inOrder.map((name) => files.find((one) => one.name === name)?.[member] ?? '').join(';');
      // Four files carry a placeholder that the suite replaces before use; what they will be is not in them.
      const placeholder = row['guideline_id'] === '@xrechnung.spec.id@';
      const compared: Record<string, readonly [unknown, unknown]> = {
        found: [answer.found, !['fatturapa', 'other-xml'].includes(kind)],
        kind: [kinds[kind]?.includes(answer.syntax), true],
        guideline: [answer.specification ?? '', row['guideline_id']],
        profile: [answer.profile === null ? 'n/a' : profileNames[answer.profile], placeholder ? 'n/a' : row['profile']],
        version: [manifestVersion(answer, kind), placeholder ? manifestVersion(answer, kind) : row['version']],
        readable: [
          answer.problem === null,
          row['xml_parses'] === 'yes' && answer.found && answer.syntax !== 'zugferd1-draft',
        ],
        attachment: [of('name'), row['attachment']],
        relationship: [of('relationship'), row['af_relationship']],
        mime: [of('mediaType'), row['attachment_mime']],
        associated: [files.some(({ associated }) => associated) ? 'yes' : '', row['catalog_af']],
        conformance: [claim?.level ?? '', row['xmp_conformance']],
        fileName: [claim?.fileName ?? '', row['xmp_filename']],
        xmpVersion: [claim?.version ?? '', row['xmp_version']],
        namespace: [claim?.namespace ?? '', row['xmp_namespace']],
        schema: [claim?.schemaDeclared === true ? 'yes' : '', row['xmp_extension_schema']],
        pdfa: [answer.pdfa ?? '', row['pdfa']],
      };
      for (const [name, [found, expected]] of Object.entries(compared))
        if (found !== expected) wrong.push(`${file} ${name}: ${found} instead of ${expected}`);
    }
    expect(wrong.join('\n')).to.equal('');
    expect(rows.length).to.be.greaterThan(250);
  });

  it('finds what does not agree, and nothing grave in a file that its suite calls valid', async function () {
    const rows = einvoiceRows()?.filter(({ kind }) => kind === 'pdf-hybrid');
    if (rows === undefined) return this.skip();
    const allowed = ['xmp-level', 'xmp-namespace', 'attachment-name'];
    const wrong: string[] = [];
    for (const { file, expected, note, attachment } of rows) {
      const { agreement } = await detectInvoice(einvoices + file, 'pdf');
      const failed: string[] = agreement.filter(({ ok }) => !ok).map(({ check }) => check);
      if (expected === 'valid' && failed.some((check) => !allowed.includes(check))) wrong.push(`${file}: ${failed}`);
      if (note?.includes('differs from the XML') === true && !failed.includes('xmp-level'))
        wrong.push(`${file}: level`);
      const xmls = (attachment ?? '')
        .split(';')
        .filter((name) => /^(factur-x|xrechnung|zugferd-invoice).xml$/i.test(name));
      if (xmls.length > 1 !== failed.includes('one-invoice')) wrong.push(`${file}: number of invoices`);
    }
    expect(wrong.join('\n')).to.equal('');
  });
});
