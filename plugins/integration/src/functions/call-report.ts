import type { JsonValue } from './connection-types.js';

/** Space in the response header, with a reserve. */
const LONGEST_HEADER = 8000;
const LONGEST_BODY = 4096;

export interface AnswerTold {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: number;
  /** The body, where it is JSON by its type; its beginning where it is long. */
  readonly text?: string;
}

/**
 * Builds the report of a call (`docs/interface/integration.yml`, external-api-call): JSON of up to 4096 characters, a
 * cut text of longer JSON, the size of anything else.
 */
export function callReport({ status, contentType, bytes, text }: AnswerTold): Record<string, JsonValue> {
  const head = { status, contentType: contentType.slice(0, 200) };
  if (text === undefined) return { ...head, bodyBytes: bytes };
  const cut = (more: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> => {
    for (let length = Math.min(text.length, LONGEST_BODY); ; length = Math.floor(length * 0.8)) {
      const report = { ...head, ...more, body: text.slice(0, length) };
      if (fits(report) || length === 0) return report;
    }
  };
  if (text.length > LONGEST_BODY) return cut({ bodyTruncated: true });
  try {
    const report = { ...head, body: JSON.parse(text) as JsonValue };
    return fits(report) ? report : cut({ bodyTruncated: true });
  } catch {
    return cut({ bodyParseError: true });
  }
}

/** As it goes into a header: what is not visible ASCII takes six characters. */
function fits(report: object): boolean {
  return JSON.stringify(report).replace(/[^\x20-\x7e]/g, '\\u0000').length <= LONGEST_HEADER;
}
