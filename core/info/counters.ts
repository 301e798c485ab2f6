/** Counts calls by endpoint, method and session since the start (`contract/info.yml`); lives in memory and restarts with the server. */
export class Counters {
  readonly #calls = new Map<string, Map<string, number>>();
  readonly started = Date.now();

  /** Counts one call; `session` tells callers apart without naming them. */
  count(method: string, path: string, session: string): void {
    const key = `${method} ${path}`;
    let sessions = this.#calls.get(key);
    if (sessions === undefined) this.#calls.set(key, (sessions = new Map()));
    sessions.set(session, (sessions.get(session) ?? 0) + 1);
  }

  /** Calls, or sessions when `unique`, per endpoint of a method, most first. */
  all(method: 'GET' | 'POST', unique: boolean): { endpoint: string; count: number }[] {
    const rows: { endpoint: string; count: number }[] = [];
    for (const [key, sessions] of this.#calls) {
      if (!key.startsWith(`${method} `)) continue;
      const count = unique ? sessions.size : [...sessions.values()].reduce((sum, n) => sum + n, 0);
      rows.push({ endpoint: key.slice(method.length + 1), count });
    }
    return rows.sort((a, b) => b.count - a.count || a.endpoint.localeCompare(b.endpoint));
  }

  /** The total of a method, or of one endpoint. */
  total(method: 'GET' | 'POST', unique: boolean, endpoint?: string): number {
    const rows = this.all(method, unique).filter((row) => endpoint === undefined || row.endpoint === endpoint);
    if (!unique || endpoint !== undefined) return rows.reduce((sum, { count }) => sum + count, 0);
    const sessions = new Set<string>();
    for (const [key, calls] of this.#calls) if (key.startsWith(`${method} `)) for (const session of calls.keys()) sessions.add(session);
    return sessions.size;
  }
}

/** Time since the start as `<D>d <H>h <M>m <S>s` (`contract/info.yml`, uptime). */
export function uptimeText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 86400)}d ${Math.floor(seconds / 3600) % 24}h ${Math.floor(seconds / 60) % 60}m ${seconds % 60}s`;
}
