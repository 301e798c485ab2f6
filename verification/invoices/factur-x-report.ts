import { FACTUR_X_SINCE } from '../../document/invoices/rules/index.js';
import type { FacturXTallies } from './factur-x.js';

/** The part of the report that compares invoices of Factur-X with the artefacts of their profiles. */
export function facturXSection(tallies: FacturXTallies | undefined): string[] {
  if (tallies === undefined)
    return [
      '## Profiles of Factur-X',
      '',
      'The validators were not installed for this run, so nothing was compared.',
      '',
    ];
  const { corpus, verdicts, older } = tallies;
  const rules = [...corpus.rules.values()];
  const broken = rules.reduce((sum, { both }) => sum + both, 0);
  const wrong = rules.reduce((sum, row) => sum + row.missing.length + row.extra.length + row.otherSeverity.length, 0);
  return [
    '## Profiles of Factur-X',
    '',
    'Each invoice of MINIMUM, BASIC WL, BASIC, EN 16931 and EXTENDED, compared with the artefacts of Factur-X 1.0.8',
    '(ZUGFeRD 2.4) for its profile, which phive runs, by the rules of a day on which they count:',
    '',
    `- Verdicts: ${verdicts.files - verdicts.differing.length} of ${verdicts.files} files agree.`,
    `- Rules: ${rules.length} rules are broken in some file, ${broken} times; ${wrong} disagree by rule or severity.`,
    '',
    'All versions of Factur-X have the same identifier (BT-24). What the present version demands is a warning for an',
    `invoice issued before ${FACTUR_X_SINCE}, unless no version allowed it. So these files are valid here, not for phive:`,
    '',
    '| File | Rules that are warnings |',
    '| --- | --- |',
    ...older.map(({ name, rules: ids }) => `| ${name.replace(/^.*\//, '').replace('#xml', '')} | ${ids.join(', ')} |`),
    '',
    'Three tests of Factur-X are looser than those of EN 16931, which count here: BR-CO-15 looks for the currency at a',
    'place that does not exist and never fails, BR-47 and BR-48 accept an entry of another tax than VAT. "structure"',
    'is what the schema of the profile, or a test without a number, has no place for: `XSD` or `QUIRE-PROFILE-07`.',
    '',
  ];
}
