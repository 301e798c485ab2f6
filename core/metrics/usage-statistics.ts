import type { EndpointVisits } from './endpoint-days.js';

/** What clients show of the calls (`docs/interface/platform.yml`, usage-endpoint-statistics). */
export interface EndpointStatistics {
  readonly endpoints: readonly (EndpointVisits & {
    /** Of all calls that were chosen, with two decimals. */ readonly percentage: number;
  })[];
  readonly totalEndpoints: number;
  readonly totalVisits: number;
}

/**
 * Chooses and sums up counts. `prefix`: the context path, which is no part of an address's kind. Data of pages is asked
 * for by the pages themselves, so it counts as `ui`.
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
