import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { SettingsReader } from '@quire/registry';

/** Certificates of authorities that other servers are checked with, PEM: Node's own and those of `system.caBundle`. */
export async function authorities(settings: SettingsReader): Promise<string[]> {
  const bundle = await readFile(settings.get<string>('system.caBundle'), 'utf8').catch(() => '');
  return bundle === '' ? [...rootCertificates] : [...rootCertificates, bundle];
}
