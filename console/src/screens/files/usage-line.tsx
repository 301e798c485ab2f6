import { formatBytes, formatPercent } from '../../i18n/index.ts';
import type { Usage } from './stored-files.ts';
import { t } from './texts.ts';

/** From this share on the meter warns. */
const NEARLY_FULL = 0.9;

/** How much of the allowed space the user's files take. */
export function UsageLine({ usage }: { readonly usage: Usage }) {
  const { usedBytes, allowedBytes, maxFileBytes } = usage;
  const used = formatBytes(usedBytes);
  const share = allowedBytes === null || allowedBytes === 0 ? undefined : Math.min(1, usedBytes / allowedBytes);
  return (
    <div class="usage small soft">
      <p>
        {allowedBytes === null
          ? t('{used} used', { used })
          : t('{used} of {allowed} used', { used, allowed: formatBytes(allowedBytes) })}
        {share === undefined ? '' : ` (${formatPercent(share)})`}
        {maxFileBytes === null ? '' : ` · ${t('at most {size} per file', { size: formatBytes(maxFileBytes) })}`}
      </p>
      {share === undefined ? null : (
        <meter aria-label={t('Used space')} min={0} max={1} high={NEARLY_FULL} optimum={0} value={share} />
      )}
    </div>
  );
}
