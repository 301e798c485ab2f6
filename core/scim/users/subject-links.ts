import { InputError } from '@quire/registry';
import type { User } from '../../accounts/index.js';
import type { IdentityProvider, IdentityRecords } from '../../identity/index.js';

const nobody: IdentityProvider = { id: '', name: '', protocol: 'oidc', issuer: '' };

/** Links accounts to their subject at a login provider, so that no name has to be trusted at the first login. */
export class SubjectLinks {
  constructor(
    private readonly identities: Pick<IdentityRecords, 'get' | 'link' | 'unlink'>,
    /** The one whose subjects are the externalIds (`scim.externalIdIsSubjectOf`). */
    private readonly provider: IdentityProvider | undefined,
  ) {}

  /** Throws SCIM_TAKEN for a subject that belongs to another account, and then changes nothing. */
  async follow(user: User, before: string | null, now: string | null): Promise<void> {
    if (this.provider === undefined || before === now) return;
    if (now !== null && !(await this.identities.link(this.#identity(now, user.username), user.id)))
      throw new InputError('SCIM_TAKEN', {
        attribute: 'externalId',
        detail: `it is the subject of another account at ${this.provider.name} (scim.externalIdIsSubjectOf)`,
      });
    const old = before === null ? undefined : await this.identities.get(this.#identity(before, user.username));
    if (old !== undefined) await this.identities.unlink(user.id, old.id);
  }

  #identity(subject: string, username: string) {
    return {
      provider: this.provider ?? nobody,
      subject,
      username,
      unverified: false,
      email: undefined,
      displayName: undefined,
      picture: undefined,
      groups: [],
      secondFactor: false,
    };
  }
}
