import { callJson, config } from '../../api/index.ts';
import { Icon, LoadedView, Notice, useLoaded } from '../../components/index.ts';
import { formatBytes, formatList, formatNumber } from '../../i18n/index.ts';
import { Fact } from './fact.tsx';
import { tierName, type Capabilities } from './facts.ts';
import { t } from './texts.ts';

interface JobStats {
  readonly activeJobs: number;
  readonly successfulJobs: number;
  readonly failedJobs: number;
}

/** Names of the layers of `isolation` in the capabilities. */
const layers = {
  permissions: /* t */ 'Permissions',
  namespaces: /* t */ 'Namespaces',
  files: /* t */ 'Files',
  limits: /* t */ 'Limits',
  user: /* t */ 'Own user',
};

/** What an administrator looks at first: what is wrong, then how the server is. */
export function Overview() {
  const loaded = useLoaded(async () => {
    const login = config.peek()?.enableLogin === true;
    const [capabilities, jobs, delta] = await Promise.all([
      callJson<Capabilities>('capabilities'),
      callJson<JobStats>('admin/job/stats'),
      login ? callJson<{ count: number }>('admin/settings/delta') : { count: 0 },
    ]);
    return { capabilities, jobs, waiting: delta.count };
  }, []);
  return (
    <LoadedView loaded={loaded}>
      {({ capabilities, jobs, waiting }) => (
        <>
          <Attention capabilities={capabilities} waiting={waiting} />
          <dl class="facts">
            <Fact label={t('Version')}>{capabilities.version}</Fact>
            <Fact label={t('Licence')}>{tierName(capabilities.licence.tier)}</Fact>
            <Fact label={t('Login')}>{config.value?.enableLogin === true ? t('On') : t('Off')}</Fact>
            <Fact label={t('Workers')}>{formatNumber(capabilities.limits['workers'] ?? 0)}</Fact>
            <Fact label={t('Largest upload')}>{formatBytes(capabilities.limits['maxUploadBytes'] ?? 0)}</Fact>
            <Fact label={t('Jobs running')}>{formatNumber(jobs.activeJobs)}</Fact>
            <Fact label={t('Jobs finished')}>{formatNumber(jobs.successfulJobs)}</Fact>
            <Fact label={t('Jobs failed')}>{formatNumber(jobs.failedJobs)}</Fact>
          </dl>
          <section class="card stack">
            <h2>{t('What confines the reading of documents')}</h2>
            <ul class="row">
              {Object.entries(layers).map(([layer, name]) => {
                const works = capabilities.isolation.includes(layer);
                return (
                  <li key={layer} title={layer} class={`badge ${works ? 'done' : ''}`}>
                    <Icon
                      name={works ? 'circle-check' : 'circle-slash'}
                      size={14}
                      label={works ? t('In use') : t('Not in use')}
                    />
                    {t(name)}
                  </li>
                );
              })}
            </ul>
          </section>
          <section class="card stack">
            <h2>{t('Plugins')}</h2>
            <ul class="plugins">
              {capabilities.plugins.map(({ name, version }) => (
                <li key={name} class="break">
                  <code>{name}</code> <span class="soft">{version}</span>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </LoadedView>
  );
}

function Attention({ capabilities, waiting }: { readonly capabilities: Capabilities; readonly waiting: number }) {
  const missing = capabilities.programs.filter(({ found }) => !found).map(({ name }) => name);
  return (
    <div class="stack">
      {capabilities.warnings.map((warning) => (
        <Notice kind="warning" key={warning}>
          <p class="break">{warning}</p>
        </Notice>
      ))}
      {waiting === 0 ? null : (
        <Notice kind="warning" actions={<a href="administration/settings">{t('Show the settings')}</a>}>
          <p>{t.count(waiting, '{count} setting waits for a restart.', '{count} settings wait for a restart.')}</p>
        </Notice>
      )}
      {missing.length === 0 ? null : (
        <Notice actions={<a href="administration/programs">{t('How to install them')}</a>}>
          <p>{t('Programs that are not installed: {programs}', { programs: formatList(missing) })}</p>
        </Notice>
      )}
      {config.value?.enableLogin === true ? null : (
        <Notice>
          <p>
            {t('Login is off: whoever reaches this server may use and administer it. Set {setting} to turn it on.', {
              setting: 'security.enableLogin',
            })}
          </p>
        </Notice>
      )}
    </div>
  );
}
