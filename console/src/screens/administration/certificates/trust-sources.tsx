import { callJson } from '../../../api/index.ts';
import { Empty, Icon, LoadedView, Table, useLoaded } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { useAgain } from '../use-again.ts';

interface Source {
  readonly name: 'server' | 'system' | 'mozilla' | 'aatl' | 'eutl';
  readonly state: 'loading' | 'loaded' | 'failed';
  readonly anchors: number;
}
interface Trust {
  readonly mode: 'none' | 'ocsp' | 'crl' | 'ocsp+crl';
  readonly hardFail: boolean;
  readonly allowAIA: boolean;
  readonly sources: readonly Source[];
}

const EVERY_MS = 2000;
const names: Readonly<Record<Source['name'], string>> = {
  server: /* t */ 'The certificate of this server',
  system: /* t */ 'Authorities of the operating system',
  mozilla: /* t */ 'Authorities that Mozilla trusts',
  aatl: /* t */ 'Authorities approved by Adobe (AATL)',
  eutl: /* t */ 'Trust lists of the European Union',
};
const states: Readonly<Record<Source['state'], readonly [icon: string, kind: string, words: string]>> = {
  loading: ['loader', '', /* t */ 'Is being loaded'],
  loaded: ['circle-check', 'done', /* t */ 'Loaded'],
  failed: ['circle-alert', 'danger', /* t */ 'Could not be loaded; the log says why'],
};
const modes: Readonly<Record<Trust['mode'], string>> = {
  none: /* t */ 'Revocation of certificates is not checked.',
  ocsp: /* t */ 'Revocation is checked by OCSP.',
  crl: /* t */ 'Revocation is checked by lists (CRL).',
  'ocsp+crl': /* t */ 'Revocation is checked by OCSP, else by lists (CRL).',
};

/** Whom the server trusts when it validates signatures. */
export function TrustSources() {
  const loaded = useLoaded((signal) => callJson<Trust>('admin/trust', { signal }), []);
  useAgain(loaded, EVERY_MS, loaded.data?.sources.some(({ state }) => state === 'loading') === true);
  return (
    <section class="card stack">
      <h2>{t('Whom the server trusts')}</h2>
      <p class="soft">{t('Signatures are trusted whose certificate one of these has issued.')}</p>
      <LoadedView loaded={loaded}>
        {({ sources, ...policy }) => (
          <>
            <Table<Source>
              label={t('Whom the server trusts')}
              rows={sources}
              rowKey={({ name }) => name}
              empty={
                <Empty icon="shield-off" title={t('No source of trust is turned on')}>
                  <p class="soft">{t('Set one of {setting}.', { setting: 'security.validation.trust.*' })}</p>
                </Empty>
              }
              columns={[
                { id: 'name', label: t('Source'), cell: ({ name }) => t(names[name]) },
                { id: 'state', label: t('State'), cell: ({ state }) => <State state={state} /> },
                {
                  id: 'anchors',
                  label: t('Certificates'),
                  number: true,
                  cell: ({ anchors, state }) => (state === 'loaded' ? formatNumber(anchors) : '–'),
                },
              ]}
            />
            <Policy policy={policy} />
          </>
        )}
      </LoadedView>
    </section>
  );
}

function State({ state }: Pick<Source, 'state'>) {
  const [icon, kind, words] = states[state];
  return (
    <span class={`badge wrap ${kind}`}>
      <Icon name={icon} size={14} />
      {t(words)}
    </span>
  );
}

function Policy({ policy: { mode, hardFail, allowAIA } }: { readonly policy: Omit<Trust, 'sources'> }) {
  const checks = mode !== 'none';
  return (
    <p>
      {[
        t(modes[mode]),
        ...(checks && hardFail ? [t('A certificate whose revocation is unknown is not trusted.')] : []),
        ...(checks && !allowAIA ? [t('No other server is asked: only what the document contains counts.')] : []),
      ].join(' ')}
    </p>
  );
}
