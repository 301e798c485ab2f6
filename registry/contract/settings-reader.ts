/** Read access to effective settings by dotted path (`system.maxDPI`). */
export interface SettingsReader {
  get<T = unknown>(path: string): T;
}
