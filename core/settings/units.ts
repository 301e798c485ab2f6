const sizeUnits: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  TB: 1024 ** 4,
};
const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a size as `100MB` or `1.5 GB` (1 KB is 1024 bytes) into bytes; undefined when it is none. */
export function sizeToBytes(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?B?)\s*$/i.exec(text);
  const unit = sizeUnits[match?.[2]?.toUpperCase() ?? '?'];
  const bytes = match === null || unit === undefined ? Number.NaN : Math.floor(Number(match[1]) * unit);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** Reads a duration as `500ms`, `30s`, `5m`, `2h` or `1d` into milliseconds; undefined when it is none. */
export function durationToMs(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)\s*$/.exec(text);
  const unit = durationUnits[match?.[2] ?? '?'];
  const ms = match === null || unit === undefined ? Number.NaN : Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(ms) ? ms : undefined;
}
