/** One test of pytest. */
export interface PythonTest {
  /** `test_jobs.py` */
  readonly file: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What pytest says about it. */
  readonly text: string;
}

/** Reads pytest's report in JUnit's format. */
export function readResults(xml: string): PythonTest[] {
  return [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = '', body = '']) => ({
      file: `${(/classname="([^"]*)"/.exec(attributes)?.[1] ?? '').split('.').at(-1)}.py`,
      name: decoded(/(?<!class)name="([^"]*)"/.exec(attributes)?.[1] ?? ''),
      outcome: /<(failure|error)\b/.test(body) ? 'failed' : /<skipped\b/.test(body) ? 'skipped' : 'passed',
      text: decoded(body.replaceAll(/<[^>]+>/g, '')).trim(),
    }),
  );
}

/** Replaces the entities of XML (XML 1.0, 4.6). */
function decoded(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal?: string, hex?: string, name = '') =>
    decimal !== undefined
      ? String.fromCodePoint(Number(decimal))
      : hex !== undefined
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : (named[String(name)] ?? whole),
  );
}
