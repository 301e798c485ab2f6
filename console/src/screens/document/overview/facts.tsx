import type { ComponentChildren } from 'preact';
import { asProblem } from '../../../api/index.ts';
import { openScreenWith } from '../../../app/hand-over.ts';
import { Button, Notice, ProblemNotice, toast } from '../../../components/index.ts';
import { formatDate, formatList, formatNumber } from '../../../i18n/index.ts';
import { signerOf, type Signature } from '../../signatures/verdict.ts';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { isAvailable, useAnswer } from '../use-answer.ts';
import { workbench } from '../workbench.ts';
import { restrictionsOf, sizesOf, type BasicInfo, type PageSize, type Properties, type Security } from './words.ts';

const REPAIR = 'misc/repair';

type Asking = Pick<PartProps, 'file' | 'ask' | 'apply'>;

/** The facts in sentences and a list. Each appears when it is known. */
export function Facts(asking: Asking) {
  const basic = useAnswer<BasicInfo>(asking, 'analysis/basic-info');
  const remarks = workbench.remarks.value.get(asking.file) ?? [];
  if (basic.problem !== undefined) return <ProblemNotice problem={basic.problem} />;
  return (
    <>
      {remarks.length === 0 ? null : (
        <Notice
          kind="warning"
          title={t('The server noticed')}
          actions={isAvailable(REPAIR) ? <RepairButton {...asking} /> : undefined}
        >
          {remarks.map((remark) => (
            <p key={remark} class="break">
              {remark}
            </p>
          ))}
        </Notice>
      )}
      {isAvailable('security/validate-signature') ? <Signatures {...asking} /> : null}
      <dl class="document-facts">
        <Fact label={t('Pages')}>{basic.data === undefined ? '…' : formatNumber(basic.data.pageCount)}</Fact>
        {isAvailable('analysis/page-dimensions') ? <Sizes {...asking} /> : null}
        <Fact label={t('Version')}>
          {basic.data === undefined ? '…' : `PDF ${formatNumber(basic.data.pdfVersion, { minimumFractionDigits: 1 })}`}
        </Fact>
        {isAvailable('security/verify-pdf') ? <Standards {...asking} /> : null}
        {isAvailable('analysis/security-info') ? <Protection {...asking} /> : null}
        {isAvailable('analysis/document-properties') ? <PropertyFacts {...asking} /> : null}
      </dl>
    </>
  );
}

function RepairButton({ apply }: Asking) {
  const repair = (): void => {
    apply({ title: t('Damage repaired'), operation: REPAIR, fields: {} }).catch((error: unknown) =>
      toast(asProblem(error).message, 'error'),
    );
  };
  return (
    <Button size="small" icon="wrench" onClick={repair}>
      {t('Repair')}
    </Button>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class="break" dir="auto">
        {children}
      </dd>
    </div>
  );
}

function Sizes(asking: Asking) {
  const { data } = useAnswer<readonly PageSize[]>(asking, 'analysis/page-dimensions');
  return <Fact label={t('Page size')}>{data === undefined ? '…' : formatList(sizesOf(data))}</Fact>;
}

interface Standard {
  readonly standard: string;
  readonly complianceSummary: string;
  readonly compliant: boolean;
}

function Standards(asking: Asking) {
  const { data, problem } = useAnswer<readonly Standard[]>(asking, 'security/verify-pdf');
  const declared = data?.filter(({ standard }) => standard !== 'not-pdfa') ?? [];
  const words =
    problem !== undefined
      ? problem.message
      : data === undefined
        ? '…'
        : declared.length === 0
          ? t('None declared')
          : formatList(declared.map(({ complianceSummary }) => complianceSummary));
  return <Fact label={t('Standard')}>{words}</Fact>;
}

function Protection(asking: Asking) {
  const { data } = useAnswer<Security>(asking, 'analysis/security-info');
  const words =
    workbench.password.value !== undefined
      ? t('Needs a password; this copy does not')
      : data === undefined
        ? '…'
        : data.isEncrypted
          ? [t('Encrypted, opens without a password'), ...restrictionsOf(data)].join(' · ')
          : t('None');
  return <Fact label={t('Protection')}>{words}</Fact>;
}

function PropertyFacts(asking: Asking) {
  const { data } = useAnswer<Properties>(asking, 'analysis/document-properties');
  if (data === undefined) return null;
  const dated = (date: string | null): string | null => (date === null ? null : formatDate(date));
  const rows: readonly (readonly [string, string | null])[] = [
    [t('Title'), data.title],
    [t('Author'), data.author],
    [t('Subject'), data.subject],
    [t('Keywords'), data.keywords],
    [t('Written with'), data.creator],
    [t('Converted with'), data.producer],
    [t('Created on'), dated(data.creationDate)],
    [t('Changed on'), dated(data.modificationDate)],
  ];
  return (
    <>
      {rows.map(([label, value]) =>
        value === null || value === '' ? null : (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ),
      )}
    </>
  );
}

function Signatures(asking: Asking) {
  const { data } = useAnswer<readonly Signature[]>(asking, 'security/validate-signature');
  if (data === undefined || data.length === 0) return null;
  return (
    <Notice
      title={t.count(data.length, 'This document has {count} signature', 'This document has {count} signatures')}
      actions={
        <Button size="small" icon="signature" onClick={() => openScreenWith('signatures', [asking.file])}>
          {t('Check signatures')}
        </Button>
      }
    >
      <p class="break">{formatList(data.map(signerOf))}</p>
      <p>{t('Changes make signatures invalid, or are reported as made after signing. You are asked first.')}</p>
    </Notice>
  );
}
