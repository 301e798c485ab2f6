import { callJson } from '../../../api/index.ts';
import { Empty, LoadedView, useLoaded } from '../../../components/index.ts';
import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import { LoadPlots } from './load-plots.tsx';

interface EndpointUse {
  readonly endpoint: string;
  readonly visits: number;
  readonly percentage: number;
}

const MOST = 20;

/** The load of this moment as curves, and which calls are made most. */
export function Usage() {
  const loaded = useLoaded(
    () =>
      callJson<{ endpoints: readonly EndpointUse[]; totalVisits?: number }>(
        'proprietary/ui-data/usage-endpoint-statistics',
        { query: { limit: MOST, dataType: 'api' } },
      ),
    [],
  );
  return (
    <>
      <LoadPlots />
      <section class="card stack">
        <h2>{t('Calls by address')}</h2>
        <LoadedView loaded={loaded}>
          {({ endpoints }) =>
            endpoints.length === 0 ? (
              <Empty icon="chart-column" title={t('No calls yet')} />
            ) : (
              <ol>
                {endpoints.map(({ endpoint, visits, percentage }) => (
                  <li key={endpoint} class="bar-row">
                    <code class="break">{endpoint}</code>
                    <progress aria-label={endpoint} max={100} value={percentage} />
                    <span class="number">{formatNumber(visits)}</span>
                  </li>
                ))}
              </ol>
            )
          }
        </LoadedView>
      </section>
    </>
  );
}
