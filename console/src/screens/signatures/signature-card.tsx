import { Icon, Notice } from '../../components/index.ts';
import { t } from './texts.ts';
import { commonName, isTimeStamp, signerOf, verdictOf, type Signature } from './verdict.ts';

/** One signature: the verdict in sentences, details on demand. */
export function SignatureCard({ signature }: { readonly signature: Signature }) {
  const { kind, title, sentences } = verdictOf(signature);
  const { reason, location, changes, warnings } = signature;
  return (
    <section class="card stack signature">
      <h3 class="row">
        <Icon name={isTimeStamp(signature) ? 'clock' : 'signature'} size={20} />
        <span class="break">{signerOf(signature)}</span>
      </h3>
      <Notice kind={kind} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Notice>
      {reason === null && location === null ? null : (
        <p class="break">
          {[
            ...(reason === null ? [] : [t('Reason: {text}', { text: reason })]),
            ...(location === null ? [] : [t('Place: {text}', { text: location })]),
          ].join(' · ')}
        </p>
      )}
      {changes.length === 0 ? null : (
        <div>
          <p>{t('Added since:')}</p>
          <ul class="plain-list">
            {changes.map((change) => (
              <li key={change} class="break">
                {change}
              </li>
            ))}
          </ul>
        </div>
      )}
      {warnings.map((warning) => (
        <p key={warning} class="small warning break">
          {warning}
        </p>
      ))}
      <Details signature={signature} />
    </section>
  );
}

function Details({ signature }: { readonly signature: Signature }) {
  const { chainValidationError, revocationChecked, revocationStatus } = signature;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [t('Issued by'), commonName(signature.issuerDN) ?? signature.issuerDN],
    [t('Why it is not trusted'), chainValidationError],
    [t('Revocation'), revocationChecked ? revocationStatus : t('Not checked')],
    [t('Field'), signature.fieldName],
    [t('Format'), signature.subFilter],
    [t('Certificate of'), signature.subjectDN],
    [t('Covers the whole file'), signature.coversWholeFile ? t('Yes') : t('No')],
  ];
  return (
    <details class="more">
      <summary>{t('Details')}</summary>
      <dl class="members">
        {rows.map(([name, value]) =>
          value === null || value === undefined || value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="break">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
