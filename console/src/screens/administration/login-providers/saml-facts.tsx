import { Icon, Table } from '../../../components/index.ts';
import { formatDate, formatNumber } from '../../../i18n/index.ts';
import type { SamlResponse } from './provider-facts.ts';
import { t } from './texts.ts';

interface Fact {
  readonly name: string;
  readonly sent: string;
  readonly expected: string;
  /** Undefined where nothing is compared. */
  readonly fits?: boolean;
}

/** What an identity provider sent beside the attributes, and what this server expects. */
export function SamlFacts({ response }: { readonly response: SamlResponse }) {
  return (
    <>
      <h3>{t('The answer of the identity provider')}</h3>
      <p class="soft small">{t('As it was sent. It counts only if its signature holds.')}</p>
      <Table<Fact>
        label={t('The answer of the identity provider')}
        rows={factsOf(response)}
        rowKey={({ name }) => name}
        columns={[
          { id: 'name', label: t('Part'), cell: ({ name }) => name },
          { id: 'sent', label: t('Sent'), cell: (fact) => <Sent fact={fact} /> },
          { id: 'expected', label: t('Expected'), cell: ({ expected }) => <Code text={expected} /> },
        ]}
      />
    </>
  );
}

function Sent({ fact: { sent, fits } }: { readonly fact: Fact }) {
  return (
    <span class="row nowrap verdict">
      {fits === undefined ? null : (
        <span class={fits ? 'done' : 'warning'}>
          <Icon name={fits ? 'circle-check' : 'triangle-alert'} size={16} />
          <span class="hidden-visually">{fits ? t('As expected:') : t('Not as expected:')}</span>
        </span>
      )}
      <Code text={sent} />
    </span>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <code class="break" dir="auto">
      {text}
    </code>
  );
}

function factsOf(response: SamlResponse): readonly Fact[] {
  const { expected, issuer, audiences, recipient, nameId, nameIdFormat, status, contexts } = response;
  const compared = (name: string, sent: string | null, wanted: string | null): Fact => ({
    name,
    sent: sent ?? '',
    expected: wanted ?? '',
    ...(wanted === null ? {} : { fits: sent === wanted }),
  });
  const plain = (name: string, sent: string): Fact => ({ name, sent, expected: '' });
  return [
    compared(t('Issuer'), issuer, expected.issuer),
    { ...plain(t('Status'), status ?? ''), fits: status?.endsWith(':status:Success') === true },
    plain('NameID', nameId ?? ''),
    compared(t('Format of the NameID'), nameIdFormat, expected.nameIdFormat),
    {
      ...compared(t('Audience'), audiences.join(', '), expected.audience),
      fits: audiences.includes(expected.audience),
    },
    compared(t('Recipient'), recipient, expected.recipient),
    { ...plain(t('Signed'), signedWords(response.signed)), fits: response.signed !== 'nothing' },
    plain(t('Encrypted'), response.encrypted ? t('Yes') : t('No')),
    plain(t('Valid'), validWords(response)),
    plain(t('Clock'), clockWords(response.clockSeconds)),
    plain(t('How the user logged in'), contexts.join(', ')),
  ];
}

function signedWords(signed: SamlResponse['signed']): string {
  const words = {
    response: t('The response'),
    assertion: t('The assertion'),
    both: t('The response and the assertion'),
    nothing: t('Nothing'),
  };
  return words[signed];
}

function validWords({ notBefore, notOnOrAfter }: SamlResponse): string {
  return [notBefore, notOnOrAfter].map((time) => (isTime(time) ? formatDate(time) : (time ?? ''))).join(' – ');
}

function isTime(text: string | null): text is string {
  return text !== null && !Number.isNaN(Date.parse(text));
}

function clockWords(seconds: number | null): string {
  if (seconds === null) return '';
  const count = formatNumber(Math.abs(seconds));
  if (seconds === 0) return t('The same as here');
  return seconds > 0 ? t('{count} s ahead', { count }) : t('{count} s behind', { count });
}
