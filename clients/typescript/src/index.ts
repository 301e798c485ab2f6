import { QuireClient } from './client.js';
import type { Operations } from './generated/operations.js';
import { nodePlatform } from './platform-node.js';
import type { QuireOptions } from './transport.js';

export * from './shared.js';

/** A Quire server, called from Node. Each operation is a method: `quire.rotatePdf('in.pdf', { angle: 90 })`. */
export type Quire = QuireClient & Operations;

/** Creates a client; see `QuireOptions` for address and key. Nothing is sent. */
export const Quire = class extends QuireClient {
  constructor(options: QuireOptions = {}) {
    super(options, nodePlatform);
  }
} as unknown as new (options?: QuireOptions) => Quire;
