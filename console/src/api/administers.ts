import type { AppConfig } from './config.ts';

/** Whether the caller administers all of these areas; without one, whether they administer everything. */
export function administers({ enableLogin, adminAreas }: AppConfig, ...areas: readonly string[]): boolean {
  if (!enableLogin || adminAreas === null) return true;
  return areas.length > 0 && areas.every((area) => adminAreas.includes(area));
}
