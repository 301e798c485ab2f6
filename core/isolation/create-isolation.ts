import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { StartupError } from '@quire/registry/errors';
import type { Settings } from '../settings/index.js';
import { layerNames, type Layer } from './layers.js';
import { ProgramIsolation } from './program-isolation.js';
import { workerIsolation, workerSystem, type WorkerIsolation, type WorkerRules } from './worker-isolation.js';
import { limitLine, nothing, succeeds, thatWork, wrappings } from './wrappings.js';

type IsolationSettings = Pick<Settings, 'get' | 'paths'>;

/** What confines workers and programs on this machine. */
export interface Isolation {
  readonly programs: ProgramIsolation;
  /** `code`: modules that the workers load; called when the first one starts. */
  workers(rules: Pick<WorkerRules, 'memoryMb' | 'fileMb' | 'code'>): WorkerIsolation;
}

/** Layers that keep a process from the server's secrets; the others limit what it can use up. */
const keepApart: readonly Layer[] = ['permissions', 'namespaces', 'files'];
/** Layers of processes of Node alone. */
const ofNode: readonly Layer[] = ['permissions'];

/**
 * Finds the strongest ways to start workers and programs that work on this machine, by starting a small program under
 * each. Falls back to less where programs are missing or the system refuses (usual in containers). Throws
 * SETTINGS_INVALID for a setting that names an unknown layer.
 */
export async function createIsolation(
  settings: IsolationSettings,
  searchPath: string = process.env['PATH'] ?? '',
): Promise<Isolation> {
  const use = layersIn(settings, 'security.isolation');
  const folder = trialFolder(settings);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const trial = await mkdtemp(join(folder, 'trial-'));
  try {
    const wanted = wrappings(searchPath).filter(({ layers }) => layers.every((name) => use.includes(name)));
    const hidden = dataFolders(settings);
    const limits = limitLine(searchPath, { dataMb: 2048, fileMb: 1024 });
    const [ways, limited] = await Promise.all([
      thatWork(wanted, { folder: trial, readable: workerSystem, hidden }, searchPath, 1),
      use.includes('limits') && limits.length > 0 && succeeds([...limits, 'true']),
    ]);
    return {
      programs: programIsolation(settings, searchPath),
      workers: (rules) =>
        workerIsolation({
          ...rules,
          wrapping: ways[0] ?? nothing,
          permissions: use.includes('permissions'),
          limits: limited,
          searchPath,
          hidden,
        }),
    };
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

/** Returns what confines programs; nothing is tried before the first one starts. */
export function programIsolation(settings: IsolationSettings, searchPath: string): ProgramIsolation {
  return new ProgramIsolation({
    use: layersIn(settings, 'security.isolation'),
    searchPath,
    folder: trialFolder(settings),
    hidden: dataFolders(settings),
    readable: settings.get('security.readableFolders'),
  });
}

/** True if the server must not start without some layer. */
export function isolationIsRequired(settings: IsolationSettings): boolean {
  return layersIn(settings, 'security.requireIsolation').length > 0;
}

/**
 * Logs what confines workers and each program that is installed; warns once if a layer is missing that keeps them from
 * the server's secrets. Throws SETTINGS_INVALID if one is missing that the settings require.
 */
export function reportIsolation(
  settings: IsolationSettings,
  log: Logger,
  workers: readonly Layer[],
  programs: Readonly<Record<string, readonly Layer[]>>,
): void {
  const required = layersIn(settings, 'security.requireIsolation');
  const faults = lacking(required, workers, programs).map(
    ({ who, absent, present }) =>
      `this machine cannot confine ${who} by: ${absent.join(', ')} (it can by: ${present.join(', ') || 'nothing'})`,
  );
  if (faults.length > 0)
    throw new StartupError('SETTINGS_INVALID', {
      where: 'security.requireIsolation',
      detail:
        `${faults.join('; ')}. Install bubblewrap and util-linux, allow user namespaces, or remove the layer from ` +
        'the setting',
    });
  log.info({ workers, programs }, 'workers and programs are confined');
  const open = lacking(keepApart, workers, programs);
  if (open.length === 0) return;
  log.warn(
    { missing: Object.fromEntries(open.map(({ who, absent }) => [who, absent])) },
    `documents of strangers are read by ${open.map(({ who, absent }) => `${who} that are not confined by ${absent.join(' and ')}`).join(', and by ')}. ` +
      'Install bubblewrap; in a container, use the seccomp profile in deploy/kubernetes (docs/guides/workers.md)',
  );
}

interface Lack {
  /** `workers`, or `programs (ghostscript, qpdf)`. */
  readonly who: string;
  readonly absent: readonly Layer[];
  readonly present: readonly Layer[];
}

/** Returns who lacks which of these layers; programs that lack the same are named together. */
function lacking(
  wanted: readonly Layer[],
  workers: readonly Layer[],
  programs: Readonly<Record<string, readonly Layer[]>>,
): readonly Lack[] {
  const without = (present: readonly Layer[], layers: readonly Layer[]): Layer[] =>
    layers.filter((name) => !present.includes(name));
  const found: Lack[] = [{ who: 'workers', absent: without(workers, wanted), present: workers }];
  const groups = new Map<string, { readonly names: string[]; readonly present: readonly Layer[] }>();
  for (const [name, present] of Object.entries(programs)) {
    const group = groups.get(present.join()) ?? { names: [], present };
    groups.set(present.join(), group);
    group.names.push(name);
  }
  const ofPrograms = wanted.filter((name) => !ofNode.includes(name));
  for (const { names, present } of groups.values())
    found.push({ who: `programs (${names.join(', ')})`, absent: without(present, ofPrograms), present });
  return found.filter(({ absent }) => absent.length > 0);
}

/** Returns a setting that lists layers. Throws SETTINGS_INVALID for another name. */
function layersIn(
  settings: IsolationSettings,
  where: 'security.isolation' | 'security.requireIsolation',
): readonly Layer[] {
  return settings.get(where).map((name) => {
    const layer = layerNames.find((known) => known === name);
    if (layer !== undefined) return layer;
    const detail = `"${name}" is not a layer; the layers are ${layerNames.join(', ')}`;
    throw new StartupError('SETTINGS_INVALID', { where, detail });
  });
}

function trialFolder(settings: IsolationSettings): string {
  return join(settings.paths.tmp, 'isolation');
}

/** Folders of the server's own data. */
function dataFolders({ paths }: IsolationSettings): readonly string[] {
  return Object.values(paths);
}
