import type Joi from 'joi';
import type { S3Bucket } from '../../../storage/index.js';
import type { ConnectorDeps } from '../deps.js';
import { proving, reaching, type Side } from '../faults.js';
import type { ConnectorContext, ConnectorOptions } from '../model.js';
import { readOptions } from '../read-options.js';
import {
  asked,
  blamingConnection,
  openBucket,
  refusedStatus,
  withSavedConnection,
  type BucketOptions,
  type ChosenOptions,
} from './s3-options.js';

export type S3Deps = Pick<ConnectorDeps, 'settings' | 'outbound' | 'connections'>;

/** Answers of services that do not know a condition of a PUT or DELETE. A 400 may mean something else too. */
export const NO_CONDITIONS: ReadonlySet<number> = new Set([400, 501]);

/** What sources and destinations share: how their options lead to a bucket, and what its answers mean. */
export class S3Side<T extends ChosenOptions> {
  constructor(
    private readonly side: Side,
    private readonly options: Joi.ObjectSchema<T>,
    private readonly deps: S3Deps,
  ) {}

  /** Throws SOURCE_INVALID or DESTINATION_INVALID. */
  async open(given: ConnectorOptions, context: ConnectorContext): Promise<OpenBucket<T>> {
    const options = await this.#read(given, context);
    return new OpenBucket(this.side, openBucket(this.side, options, this.deps), options);
  }

  /** Opens the bucket and tries something with it. What fails is reported as a fault of the options. */
  async prove(
    given: ConnectorOptions,
    context: ConnectorContext,
    work: (open: OpenBucket<T>) => Promise<void>,
  ): Promise<void> {
    const { side, deps } = this;
    const options = await this.#read(given, context);
    await blamingConnection(side, options, async () => {
      const open = new OpenBucket(side, openBucket(side, options, deps), options);
      await proving(side, 'endpoint', () => asked(side, () => work(open)));
    });
  }

  #read(given: ConnectorOptions, context: ConnectorContext): Promise<T & BucketOptions> {
    const { side, options, deps } = this;
    return withSavedConnection(side, readOptions(side, options, given), deps.connections(), context);
  }
}

/** The bucket of a source or destination. */
export class OpenBucket<T extends ChosenOptions> {
  constructor(
    private readonly side: Side,
    readonly bucket: S3Bucket,
    readonly options: T & BucketOptions,
  ) {}

  /** Runs a request. Rejects with SOURCE_UNREACHABLE or DESTINATION_UNREACHABLE for errors that may pass. */
  ask<R>(request: (bucket: S3Bucket) => Promise<R>): Promise<R> {
    return reaching(this.side, () => asked(this.side, () => request(this.bucket)));
  }

  /** The error for a status of the service. */
  refused(status: number): Error {
    return refusedStatus(this.side, status, this.bucket.host);
  }
}
