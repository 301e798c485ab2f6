import { InputError, OperationalError } from '@quire/registry';
import type { User } from '../../accounts/index.js';
import {
  SignInRefused,
  type IdentityProvider,
  type IdentityRecords,
  type SubjectIssuer,
} from '../../identity/index.js';

/** Links accounts to their subject at a login provider, so that no name has to be trusted at the first login. */
export class SubjectLinks {
  constructor(
    private readonly identities: Pick<IdentityRecords, 'get' | 'link' | 'unlink'>,
    /** The one whose subjects are the externalIds (`scim.externalIdIsSubjectOf`). */
    private readonly issuer: SubjectIssuer | undefined,
  ) {}

  /**
   * Throws SCIM_TAKEN for a subject that belongs to another account, and REMOTE_UNREACHABLE where it is not known who
   * the identity provider is; then nothing is changed.
   */
  async follow(user: User, before: string | null, now: string | null): Promise<void> {
    const { issuer } = this;
    if (issuer === undefined || before === now) return;
    const provider = await known(issuer);
    const identityOf = (named: string) => identity(provider, issuer.subjectOf(named), user.username);
    if (now !== null && !(await this.identities.link(identityOf(now), user.id)))
      throw new InputError('SCIM_TAKEN', {
        attribute: 'externalId',
        detail: `it is the subject of another account at ${issuer.name} (scim.externalIdIsSubjectOf)`,
      });
    const old = before === null ? undefined : await this.identities.get(identityOf(before));
    if (old !== undefined) await this.identities.unlink(user.id, old.id);
  }
}

/** Identity providers of SAML are known by their metadata. */
async function known(issuer: SubjectIssuer): Promise<IdentityProvider> {
  try {
    return await issuer.identityProvider();
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const detail = 'its metadata cannot be read (scim.externalIdIsSubjectOf)';
    throw new OperationalError('REMOTE_UNREACHABLE', { remote: issuer.name, detail }, { cause: error });
  }
}

function identity(provider: IdentityProvider, subject: string, username: string) {
  return {
    provider,
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
