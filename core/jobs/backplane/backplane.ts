/** What a message is about. None says what has changed: who receives one looks into the store. */
export const topics = ['job-added', 'job-changed', 'job-cancelled', 'roles', 'switches', 'automations'] as const;
export type Topic = (typeof topics)[number];

export interface Announcement {
  /** The job, for topics of jobs; undefined when anything may have changed. */
  readonly id: string | undefined;
  /** Nodes that may have received it, this one included. */
  readonly nodes: number;
}

/**
 * Tells the other nodes on a store that something in it has changed. It carries no state: every message may be lost, so
 * each receiver also asks the store from time to time, more often while `connected` is false.
 */
export interface Backplane {
  /** Undefined when none is set up (`cluster.backplane: inprocess`), also where the store itself reports changes. */
  readonly kind: 'valkey' | undefined;
  readonly connected: boolean;
  /** How often nodes look for jobs nevertheless while it is connected, ms. */
  readonly slowJobsMs: number;
  /** Whether listeners also hear of what this node has done itself. */
  readonly reportsOwn: boolean;
  /** Tells the other nodes; never throws and is never waited for. */
  announce(topic: Topic, id?: string): void;
  /**
   * Calls the listener for each announcement of another node, and without an id whenever some may have been missed.
   * Returns the end of it.
   */
  on(topic: Topic, listener: (announcement: Announcement) => void): () => void;
  close(): Promise<void>;
}

/** For a server alone, and for nodes that only ask the store. */
export const noBackplane: Backplane = {
  kind: undefined,
  connected: false,
  slowJobsMs: 0,
  reportsOwn: false,
  announce: () => undefined,
  on: () => () => undefined,
  close: () => Promise.resolve(),
};
