import { formatPercent } from '../i18n/index.ts';

interface ProgressProps {
  readonly label: string;
  /** Between 0 and 1; undefined while it is not known. */
  readonly value?: number | undefined;
}

export function Progress({ label, value }: ProgressProps) {
  return (
    <div class="progress">
      <div class="progress-head">
        <span>{label}</span>
        {value === undefined ? null : <span class="soft">{formatPercent(value)}</span>}
      </div>
      <progress aria-label={label} max={1} {...(value === undefined ? {} : { value })} />
    </div>
  );
}

/** Shown while a part of the page is loaded. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" />
      <span class="hidden-visually">{label}</span>
    </div>
  );
}
