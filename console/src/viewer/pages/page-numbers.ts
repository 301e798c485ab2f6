import { formatNumber } from '../../i18n/index.ts';

/** A 0-based page as people read it. */
export function pageNumber(page: number): string {
  return formatNumber(page + 1, { useGrouping: false });
}
