import type { User } from '../model.js';
import type { Users } from '../users.js';
import { displayNameOf } from './display-name.js';
import type { Pictures, PictureSource } from './pictures.js';

/** What a login provider or SCIM says about a person. */
export interface ProfileSource extends PictureSource {
  /** Untrusted; undefined where nothing is said, which leaves the name as it is; null removes it. */
  readonly displayName: string | null | undefined;
}

/** Names and pictures by which people know one another; user names say who somebody is. */
export class Profiles {
  constructor(
    private readonly users: Pick<Users, 'change'>,
    readonly pictures: Pictures,
  ) {}

  /** Takes over what a provider says; the picture follows later. Returns the account as it is now. */
  async follow(user: User, { displayName, ...picture }: ProfileSource): Promise<User> {
    const name = displayName === null ? null : (displayNameOf(displayName) ?? user.displayName);
    const now = name === user.displayName ? user : await this.users.change(user.id, { displayName: name });
    this.pictures.follow(user.id, picture);
    return now;
  }
}
