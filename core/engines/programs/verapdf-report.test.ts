import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { StandardsReport } from '@quire/registry';
import { readVeraPdfReport } from './verapdf-report.js';

/** Output of veraPDF 1.30.2 with `--maxfailuresdisplayed 1`. */
const printed = (name: string): string =>
  readFileSync(new URL(`fixtures/verapdf-${name}.json`, import.meta.url), 'utf8');

function report(stdout: string): StandardsReport {
  const answer = readVeraPdfReport(stdout);
  if (answer === undefined || 'unreadable' in answer) throw new Error('no report');
  return answer;
}

/** The printed report of two standards with something in it changed. */
function changed(change: (results: Record<string, unknown>[]) => void): StandardsReport {
  const whole = JSON.parse(printed('two-standards')) as {
    report: { jobs: { validationResult: Record<string, unknown>[] }[] };
  };
  change(whole.report.jobs[0]?.validationResult ?? []);
  return report(JSON.stringify(whole));
}

describe('what veraPDF prints', () => {
  it('becomes one check for each standard, with one failure for each broken rule in the order of clauses', () => {
    const { declaresPdfA, checks, crash } = report(printed('two-standards'));
    expect([declaresPdfA, crash]).to.deep.equal([true, undefined]);
    expect(
      checks.map(({ standard, name, profileName, compliant }) => [standard, name, profileName, compliant]),
    ).to.deep.equal([
      ['2b', 'PDF/A-2b', 'PDF/A-2b validation profile', false],
      ['ua1', 'PDF/UA-1', 'PDF/UA-1 validation profile', false],
    ]);
    expect(checks.map(({ failures }) => failures.map(({ ruleId }) => ruleId))).to.deep.equal([
      ['6.1.3-1', '6.2.4.3-2', '6.2.11.4.1-1', '6.6.2.3.1-1', '6.6.2.3.1-2'],
      ['6.2-1', '7.1-3', '7.1-9', '7.1-10', '7.1-11', '7.2-34', '7.21.4.1-1'],
    ]);
    expect(checks[0]?.failures[0]).to.deep.equal({
      ruleId: '6.1.3-1',
      message: 'Missing or empty ID in the document trailer',
      location: 'root',
      specification: 'ISO 19005-2:2011',
      clause: '6.1.3',
      testNumber: '1',
    });
  });

  it('reports in the message in how many places a rule is broken', () => {
    expect(report(printed('two-standards')).checks[0]?.failures[1]?.message).to.equal(
      'DeviceRGB colour space is used without RGB output intent profile (2 places, the first is given)',
    );
  });

  it('puts PDF/A in front', () => {
    expect(changed((results) => results.reverse()).checks.map(({ standard }) => standard)).to.deep.equal(['2b', 'ua1']);
  });

  it('returns no check if the document declares nothing: the program then uses its default profile', () => {
    expect(readVeraPdfReport(printed('nothing-declared'))).to.deep.equal({ declaresPdfA: false, checks: [] });
    expect(
      report(printed('nothing-declared').replaceAll('6.7.2', '6.7.99')).checks.map(({ standard }) => standard),
      'declared, and broken by other rules',
    ).to.deep.equal(['1b']);
  });

  it('names every standard that it knows, and one that is new by its name', () => {
    const ids = [
      'PDF/A-1a',
      'PDF/A-3u',
      'PDF/A-4',
      'PDF/A-4f',
      'PDF/UA-2 + Tagged PDF',
      'WTPDF 1.0 Reuse',
      'WTPDF 1.0 Accessibility',
      'PDF/X-9 & more',
    ].map((name) =>
      changed(([first]) => {
        if (first !== undefined) first['profileName'] = `${name} validation profile`;
      })
        .checks.map(({ standard }) => standard)
        .find((id) => id !== 'ua1'),
    );
    expect(ids).to.deep.equal(['1a', '3u', '4', '4f', 'ua2', 'wt1r', 'wt1a', 'pdf-x-9-more']);
  });

  it('is read from older versions too, which checked one standard and wrote its level large', () => {
    const whole = JSON.parse(printed('nothing-declared')) as { report: { jobs: Record<string, unknown>[] } };
    const [job] = whole.report.jobs;
    const [result] = (job?.['validationResult'] ?? []) as Record<string, unknown>[];
    Object.assign(job ?? {}, { validationResult: { ...result, profileName: 'PDF/A-1B validation profile' } });
    expect(readVeraPdfReport(JSON.stringify(whole))).to.deep.equal({ declaresPdfA: false, checks: [] });
    expect(
      report(JSON.stringify(whole).replaceAll('6.7.2', '6.7.99')).checks.map(({ standard }) => standard),
    ).to.deep.equal(['1b']);
  });

  it('is not compliant when a check did not come to its end, whatever it found', () => {
    const { checks } = changed(([first]) =>
      Object.assign(first ?? {}, { jobEndStatus: 'timeout', compliant: true, details: { ruleSummaries: [] } }),
    );
    expect([checks[0]?.compliant, checks[0]?.failures.map(({ message }) => message)]).to.deep.equal([
      false,
      ['the check did not come to its end (timeout)'],
    ]);
  });

  it('is cut where it quotes the document at length', () => {
    const long = 'x'.repeat(50_000);
    const [failure] =
      changed(([first]) => {
        Object.assign(first ?? {}, {
          details: {
            ruleSummaries: [
              {
                ruleStatus: 'FAILED',
                clause: '6.1',
                testNumber: 1,
                failedChecks: 1,
                checks: [{ errorMessage: long, context: long }],
              },
            ],
          },
        });
      }).checks[0]?.failures ?? [];
    expect([failure?.message.length, failure?.location?.length]).to.deep.equal([1001, 1001]);
  });

  it('says of a file that cannot be read why, and whether it is encrypted', () => {
    expect(readVeraPdfReport(printed('unreadable'))).to.deep.equal({
      unreadable: 'End of file is reached',
      encrypted: false,
    });
    expect(readVeraPdfReport(printed('encrypted'))).to.deep.equal({
      unreadable: 'encrypted PDF with unknown or wrong password',
      encrypted: true,
    });
  });

  it('says of a check that broke down why', () => {
    const { checks, crash } = report(printed('crash'));
    expect(checks).to.deep.equal([]);
    expect(crash).to.match(/^Cannot invoke "java\.lang\.Boolean/);
  });

  it('returns no report when the output is cut off, empty or something else', () => {
    for (const other of [
      '',
      'null',
      '{}',
      '[]',
      '{"report":{"jobs":[]}}',
      '{"report":{"jobs":[{}]}}',
      printed('two-standards').slice(0, 4000),
    ])
      expect(readVeraPdfReport(other), other.slice(0, 40)).to.equal(undefined);
  });
});
