const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/**
 * Parses a size such as `25KB`, `1.5 GB` or `800B` to bytes, rounded down; undefined when it is invalid. Units are
 * multiples of 1024, in any letter case; without a unit it is megabytes, and a comma is a decimal point
 * (docs/interface/general.yml, split-by-size-or-count).
 */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})([KMGT]?B)?$/.exec(
    text.replace(/\s+/g, '').replace(',', '.').toUpperCase(),
  );
  const unit = UNITS[match?.[2] ?? 'MB'];
  if (match?.[1] === undefined || unit === undefined) return undefined;
  const bytes = Math.floor(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
