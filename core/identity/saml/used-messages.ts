import { createHash } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../../store/index.js';

interface UsedMessageRecord extends Identified {
  readonly expiresAtMs: number;
}

/** Remembers assertions and logout requests until they have expired, for all nodes: each is accepted once. */
export class UsedMessages {
  readonly #used: Records<UsedMessageRecord>;

  constructor(
    store: Pick<Store, 'records'>,
    private readonly clock: Clock,
  ) {
    this.#used = store.records<UsedMessageRecord>('saml_messages', { keys: ['expiresAtMs'] });
  }

  /** `until`: when it is refused anyway, ms since 1970. */
  async isFirst(issuer: string, id: string, until: number): Promise<boolean> {
    await this.#used.deleteMany({}, { atMost: { expiresAtMs: this.clock.now().getTime() } });
    try {
      const key = createHash('sha256').update(`${issuer}\n${id}`).digest('base64url');
      await this.#used.insert({ id: key, expiresAtMs: until });
      return true;
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      return false;
    }
  }
}
