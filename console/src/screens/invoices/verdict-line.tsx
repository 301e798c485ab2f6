import { Icon } from '../../components/index.ts';
import { isGiven, type Detected } from './answers.ts';
import { t } from './texts.ts';
import type { Reading } from './use-reading.ts';

/** Whether the invoice is valid, what it claims to be, and what is known of the PDF around it. */
export function VerdictLine({ reading: { verdict, detected } }: { readonly reading: Reading }) {
  const known = detected.data;
  const standard = known?.standard ?? verdict.data?.standard;
  const profile = known?.profileTitle ?? verdict.data?.profileTitle;
  return (
    <>
      <p class="row invoice-verdict" role="status">
        <VerdictBadge verdict={verdict} />
        {claimOf(standard, known?.version, profile).map((each) => (
          <span key={each} title={known?.specification ?? undefined}>
            {each}
          </span>
        ))}
      </p>
      {isGiven(known?.attachment) ? <HybridFacts known={known} name={known.attachment.name} /> : null}
    </>
  );
}

type Named = string | null | undefined;

/** What the invoice claims to be, each name once: `Factur-X 1.0`, `BASIC`. */
function claimOf(standard: Named, version: Named, profile: Named): readonly string[] {
  if (!isGiven(standard)) return isGiven(profile) ? [profile] : [];
  const title = [standard, version].filter(isGiven).join(' ');
  if (!isGiven(profile) || profile === standard) return [title];
  if (!profile.startsWith(standard)) return [title, profile];
  const rest = profile.slice(standard.length);
  // `ZUGFeRD 1.0 COMFORT` says all of it.
  return rest.startsWith(' ') ? [title, rest.trim()] : [profile];
}

function VerdictBadge({ verdict: { data, problem } }: Pick<Reading, 'verdict'>) {
  const [kind, icon, text] =
    problem !== undefined
      ? ['warning', 'circle-question-mark', t('Cannot be checked')]
      : data === undefined
        ? ['', 'loader', t('Checking the invoice')]
        : data.valid
          ? ['done', 'circle-check', t('Invoice is valid')]
          : ['danger', 'circle-x', t('Invoice is not valid')];
  return (
    <span class={`badge ${kind}`}>
      <Icon name={icon} size={16} />
      {text}
    </span>
  );
}

/** The file in the PDF, and whether the PDF says the same about it as its content. */
function HybridFacts({ known, name }: { readonly known: Detected; readonly name: string }) {
  const wrong = known.agreement.filter(({ ok }) => !ok);
  const level = known.xmp[0]?.level;
  return (
    <div class="invoice-facts small">
      <p class="row">
        <Icon name="paperclip" size={16} />
        <span class="break">{t('Embedded as {name}', { name })}</span>
        {isGiven(known.attachment?.relationship) ? <code>{known.attachment.relationship}</code> : null}
        {known.pdfa === null ? null : <span>PDF/A-{known.pdfa}</span>}
        {level === undefined || level === '' ? null : <span>XMP: {level}</span>}
        <span class={`badge ${wrong.length === 0 ? 'done' : 'warning'}`}>
          {wrong.length === 0
            ? t('PDF and XML agree')
            : t.count(
                wrong.length,
                '{count} difference between PDF and XML',
                '{count} differences between PDF and XML',
              )}
        </span>
      </p>
      {wrong.length === 0 ? null : (
        <details>
          <summary>{t('Details')}</summary>
          <ul class="invoice-differences" lang="en">
            {wrong.map(({ check, message }) => (
              <li key={check}>{message ?? check}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
