import { callJson } from '../../api/index.ts';

/** A folder that the server uses. */
export interface ServerFolder {
  readonly purpose: 'data' | 'configs' | 'store' | 'temporary' | 'logs' | 'watched' | 'results';
  readonly path: string;
  /** The setting or variable that moves it. */
  readonly setting?: string;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly freeBytes: number | null;
}

/** `GET /api/v1/admin/setup`. */
export interface Setup {
  readonly open: boolean;
  readonly login: { readonly enabled: boolean; readonly afterRestart: boolean; readonly environment?: string };
  readonly password?: { readonly username: string; readonly fromSettings: boolean };
  readonly settingsFile: string;
  readonly canRestart: boolean;
  readonly folders: readonly ServerFolder[];
}

export function loadSetup(signal: AbortSignal): Promise<Setup> {
  return callJson<Setup>('admin/setup', { signal });
}

/** Marks the first steps as done, for everybody. */
export async function finishSetup(): Promise<void> {
  await callJson('admin/setup/finish', { method: 'POST' });
}

/** What a step gets: the state of the server, and how to read it again after a change. */
export interface StepProps {
  readonly setup: Setup;
  readonly reload: () => Promise<void>;
}
