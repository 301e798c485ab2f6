import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mountArguments = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs'];

/** Makes an empty folder a disk of 1 MiB; returns what removes the disk. */
export function smallDisk(folder: string): () => void {
  execFileSync('mount', [...mountArguments, folder]);
  return () => void execFileSync('umount', [folder]);
}

/** Whether `smallDisk` can be used: only root mounts disks, and not in every container. */
export function mountsDisks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'quire-disk-'));
  const mounted = spawnSync('mount', [...mountArguments, folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return mounted;
}
