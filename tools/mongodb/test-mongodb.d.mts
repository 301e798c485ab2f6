/** A MongoDB that tests may use. */
export interface TestMongodb {
  readonly url: string;
  /** What it is: the program, the package, or the variable that named it. */
  readonly name: string;
  /** Folder of its data; undefined when it is not ours. */
  readonly folder?: string;
  /** Ends it and deletes its data, if it was started here. */
  stop(): Promise<void>;
}

/**
 * Gives the MongoDB that `MONGODB_TEST_URL` names, else starts one that ends with this process; undefined where this
 * machine has none.
 */
export function startTestMongodb(): Promise<TestMongodb | undefined>;
