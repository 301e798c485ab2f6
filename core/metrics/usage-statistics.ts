import type { EndpointVisits } from './endpoint-days.js';

/** Call statistics as clients show them (`docs/interface/platform.yml`, usage-endpoint-statistics). */
export interface EndpointStatistics {
  readonly endpoints: readonly (EndpointVisits & {
    /** Share of all selected calls, with two decimals. */ readonly percentage: number;
  })[];
  readonly totalEndpoints: number;
  readonly totalVisits: number;
}

/**
 * Selects and sums up counts. `prefix`: the context path, which does not affect the type of an address. Data requested
 * by pages counts as `ui`.
 */
export function endpointStatistics(
  counts: readonly EndpointVisits[],
  {
    dataType,
    limit,
    prefix,
  }: { readonly dataType: 'all' | 'api' | 'ui'; readonly limit: number | undefined; readonly prefix: string },
): EndpointStatistics {
  const isApi = (endpoint: string): boolean =>
    /^\/api\/v1\/(?!(?:proprietary\/)?ui-data\/)/.test(endpoint.slice(endpoint.startsWith(prefix) ? prefix.length : 0));
  const chosen = counts.filter(({ endpoint }) => dataType === 'all' || isApi(endpoint) === (dataType === 'api'));
  const totalVisits = chosen.reduce((sum, { visits }) => sum + visits, 0);
  return {
    endpoints: chosen.slice(0, limit).map(({ endpoint, visits }) => ({
      endpoint,
      visits,
      percentage: Math.round((visits / totalVisits) * 10_000) / 100,
    })),
    totalEndpoints: chosen.length,
    totalVisits,
  };
}
