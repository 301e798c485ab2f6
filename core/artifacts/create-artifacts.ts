import type { Logger, Outbound } from '@quire/registry';
import { isQuireError, StartupError } from '@quire/registry/errors';
import type { Settings } from '../settings/index.js';
import { bucketOf, type S3Bucket } from '../storage/index.js';
import type { Blobs, Store } from '../store/index.js';
import { blobsWithOlder } from './blobs-with-older.js';
import { BucketBlobs } from './bucket-blobs.js';
import { checkBucket } from './check-bucket.js';
import { keyFolder } from './key-folder.js';

export interface CreateArtifactsDeps {
  readonly settings: Settings;
  readonly store: Pick<Store, 'blobs'>;
  readonly outbound: Outbound;
  readonly log: Logger;
  readonly scratchRoot: string;
  /** Returns the random id of the installation, the same for all servers on the store. */
  installationId(): Promise<string>;
}

export interface Artifacts {
  /** Files of jobs, where they are not in the store; undefined: they are. */
  readonly blobs: Blobs | undefined;
  /** Throws SETTINGS_INVALID if the bucket refuses this server. */
  start(): Promise<void>;
}

/** Opens the place of inputs and results of jobs (`cluster.artifactStore`). Throws SETTINGS_INVALID. */
export async function createArtifacts(deps: CreateArtifactsDeps): Promise<Artifacts> {
  const { settings, store, log, scratchRoot } = deps;
  if (settings.get('cluster.artifactStore') !== 's3') return { blobs: undefined, start: async () => undefined };
  const bucket = openBucket(deps);
  const folder = keyFolder(settings.get('cluster.s3.keyPrefix'), await deps.installationId());
  const blobs = new BucketBlobs({ bucket, folder, temporaryFolder: scratchRoot, log }, 'jobs');
  return {
    blobs: blobsWithOlder(blobs, store.blobs.area('jobs')),
    start: () => checkBucket({ bucket, blobs, folder, log }),
  };
}

function openBucket({ settings, outbound }: CreateArtifactsDeps): S3Bucket {
  try {
    return bucketOf(settings, outbound, 'A bucket for job files');
  } catch (error) {
    if (!isQuireError(error)) throw error;
    throw new StartupError(
      'SETTINGS_INVALID',
      { where: 'cluster.artifactStore', detail: error.message },
      { cause: error },
    );
  }
}
