import { formatDate } from '../../i18n/index.ts';
import { t } from './texts.ts';

/** One signature or document time stamp, as `security/validate-signature` reports it. */
export interface Signature {
  readonly valid: boolean;
  readonly trustValid: boolean;
  readonly chainValidationError: string | null;
  readonly notExpired: boolean;
  readonly revocationChecked: boolean;
  readonly revocationStatus: string;
  readonly signerName: string | null;
  readonly signatureDate: string | null;
  readonly reason: string | null;
  readonly location: string | null;
  readonly errorMessage: string | null;
  readonly issuerDN: string | null;
  readonly subjectDN: string | null;
  readonly fieldName: string | null;
  readonly subFilter: string | null;
  readonly integrity: string;
  readonly coversWholeFile: boolean;
  readonly changesSinceSigning: string;
  readonly changes: readonly string[];
  readonly timestampTime: string | null;
  readonly warnings: readonly string[];
}

/** What a reader without knowledge of certificates needs to know. */
export interface Verdict {
  readonly kind: 'done' | 'warning' | 'error';
  readonly title: string;
  readonly sentences: readonly string[];
}

export function isTimeStamp({ subFilter }: Signature): boolean {
  return subFilter === 'ETSI.RFC3161';
}

/** The common name of the signer, else what the document claims. */
export function signerOf({ subjectDN, signerName }: Signature): string {
  return commonName(subjectDN) ?? signerName ?? t('Unknown');
}

export function commonName(name: string | null): string | undefined {
  return /(?:^|,)\s*CN=((?:[^,\\]|\\.)+)/.exec(name ?? '')?.[1]?.replaceAll(/\\(.)/g, '$1');
}

export function verdictOf(signature: Signature): Verdict {
  const { integrity, changesSinceSigning, trustValid, notExpired, revocationStatus, errorMessage } = signature;
  const changed = changesSinceSigning !== 'none' && changesSinceSigning !== 'allowed';
  const broken = !signature.valid || integrity !== 'intact';
  const revoked = revocationStatus === 'revoked';
  const sentences = [
    whoAndWhen(signature),
    broken
      ? t('The signed content was changed, or the signature is damaged: it proves nothing.')
      : changesSinceSigning === 'none'
        ? t('The document is as it was when it was signed.')
        : changed
          ? t('The document was changed after it was signed, in a way that the signature does not allow.')
          : t('What was added since was allowed: the signed content is unchanged.'),
    trustValid
      ? t('The certificate comes from an authority that this server trusts.')
      : t('Nothing confirms who the signer is: the certificate comes from no authority that this server trusts.'),
    ...(revoked ? [t('The certificate was revoked.')] : []),
    ...(notExpired ? [] : [t('The certificate was not valid at that time.')]),
    ...(errorMessage === null ? [] : [errorMessage]),
  ];
  if (broken || changed || revoked) return { kind: 'error', title: t('Not valid'), sentences };
  if (!trustValid || !notExpired)
    return { kind: 'warning', title: t('Intact, but the signer is not confirmed'), sentences };
  return { kind: 'done', title: t('Valid'), sentences };
}

function whoAndWhen(signature: Signature): string {
  const { signatureDate, timestampTime } = signature;
  const name = signerOf(signature);
  if (isTimeStamp(signature))
    return timestampTime === null
      ? t('{name} put a time stamp on the document.', { name })
      : t('{name} confirms that the document existed at {time}.', { name, time: timeOf(timestampTime) });
  if (timestampTime !== null)
    return t('Signed by {name}, at {time} by a time stamp.', { name, time: timeOf(timestampTime) });
  return signatureDate === null
    ? t('Signed by {name}; the time is not known.', { name })
    : t('Signed by {name}, at {time} by the clock of the signer.', { name, time: timeOf(signatureDate) });
}

/** Times are written as Java writes them: `Thu May 19 11:07:26 UTC 2022`. */
function timeOf(text: string): string {
  const ms = Date.parse(text.replace(/^\w{3} (\w{3}) (\d+) ([\d:]+) (\w+) (\d{4})$/, '$2 $1 $5 $3 $4'));
  return Number.isNaN(ms) ? text : formatDate(ms);
}
