import type { FileRecord, LinkRecord, People, ShareRecord, ShareRole } from './model.js';
import type { Shares } from './shares.js';
import type { StorageRecords } from './storage-records.js';

export interface SharedUser {
  readonly username: string;
  /** The person's name. */
  readonly displayName: string | null;
  readonly accessRole: ShareRole;
}

/** A file as a certain user sees it. */
export interface FileView {
  readonly file: FileRecord;
  /** Name of the owner; null when the account no longer exists. */
  readonly owner: string | null;
  readonly ownedByCurrentUser: boolean;
  readonly accessRole: ShareRole;
  /** Sorted by name; empty unless the user is the owner. */
  readonly sharedUsers: readonly SharedUser[];
  /** Links that have not expired, oldest first; empty unless the user is the owner and links are on. */
  readonly shareLinks: readonly LinkRecord[];
}

type PersonLookup = People['byId'];

/** Adds names and shares to files. Reads the shares of many files at once. */
export class FileViews {
  constructor(
    private readonly records: StorageRecords,
    private readonly people: People,
    private readonly shares: Shares,
  ) {}

  async one(userId: string, file: FileRecord, role: ShareRole): Promise<FileView> {
    const own = file.ownerId === userId;
    const [shares, links] = own
      ? await Promise.all([this.records.shares.find({ fileId: file.id }), this.#links({ fileId: file.id })])
      : [[], []];
    return this.#view(userId, file, role, { shares, links, personOf: this.#lookup() });
  }

  /** Returns views in the order of the files. */
  async many(
    userId: string,
    files: readonly { readonly file: FileRecord; readonly role: ShareRole }[],
  ): Promise<FileView[]> {
    const own = files.some(({ file }) => file.ownerId === userId);
    const [shares, links] = own
      ? await Promise.all([this.records.shares.find({ ownerId: userId }), this.#links({ ownerId: userId })])
      : [[], []];
    const [sharesOf, linksOf] = [byFile(shares), byFile(links)];
    const personOf = this.#lookup();
    const views: FileView[] = [];
    for (const { file, role } of files)
      views.push(
        await this.#view(userId, file, role, {
          shares: sharesOf.get(file.id) ?? [],
          links: linksOf.get(file.id) ?? [],
          personOf,
        }),
      );
    return views;
  }

  /** Returns a lookup of names by user id that asks for each name once. */
  names(): (userId: string) => Promise<string | null> {
    const personOf = this.#lookup();
    return async (userId) => (await personOf(userId))?.username ?? null;
  }

  #lookup(): PersonLookup {
    const known = new Map<string, ReturnType<PersonLookup>>();
    return (userId) => {
      const person = known.get(userId) ?? this.people.byId(userId);
      known.set(userId, person);
      return person;
    };
  }

  async #view(
    userId: string,
    file: FileRecord,
    role: ShareRole,
    {
      shares,
      links,
      personOf,
    }: {
      readonly shares: readonly ShareRecord[];
      readonly links: readonly LinkRecord[];
      readonly personOf: PersonLookup;
    },
  ): Promise<FileView> {
    const shared = await Promise.all(
      shares.map(async ({ userId: id, role: accessRole }): Promise<SharedUser[]> => {
        const person = await personOf(id);
        return person === undefined ? [] : [{ username: person.username, displayName: person.displayName, accessRole }];
      }),
    );
    return {
      file,
      owner: (await personOf(file.ownerId))?.username ?? null,
      ownedByCurrentUser: file.ownerId === userId,
      accessRole: role,
      sharedUsers: shared.flat().sort((a, b) => a.username.localeCompare(b.username, 'en')),
      shareLinks: links.filter((link) => !this.shares.isOver(link)).sort((a, b) => a.createdAt - b.createdAt),
    };
  }

  async #links(where: { readonly fileId: string } | { readonly ownerId: string }): Promise<LinkRecord[]> {
    return this.shares.linksUsed ? this.records.links.find(where) : [];
  }
}

function byFile<T extends { readonly fileId: string }>(items: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const known = found.get(item.fileId);
    if (known === undefined) found.set(item.fileId, [item]);
    else known.push(item);
  }
  return found;
}
