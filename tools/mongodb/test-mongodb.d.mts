/** A MongoDB server for tests. */
export interface TestMongodb {
  readonly url: string;
  /** The name of the program, the package, or the variable that points to it. */
  readonly name: string;
  /** Folder of its data; undefined when the server was not started here. */
  readonly folder?: string;
  /** Stops the server and deletes its data, if it was started here. */
  stop(): Promise<void>;
}

/**
 * Returns the MongoDB of `MONGODB_TEST_URL`, else starts one that stops with this process; undefined when this machine
 * has none. With `changeStreams` it is one that has them.
 */
export function startTestMongodb(options?: { readonly changeStreams?: boolean }): Promise<TestMongodb | undefined>;

/** `MONGODB_TEST_URL`, unless those who run all tests have started that server (`MONGODB_TEST_STARTED`). */
export function givenMongodb(): string | undefined;
