import type { FileRecord, LinkRecord, People, ShareRecord, ShareRole } from './model.js';
import type { Shares } from './shares.js';
import type { StorageRecords } from './storage-records.js';

/** A file as a certain user sees it. */
export interface FileView {
  readonly file: FileRecord;
  /** Name of the owner; null when the account no longer exists. */
  readonly owner: string | null;
  readonly ownedByCurrentUser: boolean;
  readonly accessRole: ShareRole;
  /** Sorted by name; empty unless the user is the owner. */
  readonly sharedUsers: readonly { readonly username: string; readonly accessRole: ShareRole }[];
  /** Links that have not expired, oldest first; empty unless the user is the owner and links are on. */
  readonly shareLinks: readonly LinkRecord[];
}

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
    return this.#view(userId, file, role, { shares, links, nameOf: this.names() });
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
    const nameOf = this.names();
    const views: FileView[] = [];
    for (const { file, role } of files)
      views.push(
        await this.#view(userId, file, role, {
          shares: sharesOf.get(file.id) ?? [],
          links: linksOf.get(file.id) ?? [],
          nameOf,
        }),
      );
    return views;
  }

  /** Returns a lookup of names by user id that asks for each name once. */
  names(): (userId: string) => Promise<string | null> {
    const known = new Map<string, Promise<string | null>>();
    return (userId) => {
      const name = known.get(userId) ?? this.people.byId(userId).then((user) => user?.username ?? null);
      known.set(userId, name);
      return name;
    };
  }

  async #view(
    userId: string,
    file: FileRecord,
    role: ShareRole,
    {
      shares,
      links,
      nameOf,
    }: {
      readonly shares: readonly ShareRecord[];
      readonly links: readonly LinkRecord[];
      readonly nameOf: (userId: string) => Promise<string | null>;
    },
  ): Promise<FileView> {
    const named = await Promise.all(
      shares.map(async (share) => ({ username: await nameOf(share.userId), accessRole: share.role })),
    );
    return {
      file,
      owner: await nameOf(file.ownerId),
      ownedByCurrentUser: file.ownerId === userId,
      accessRole: role,
      sharedUsers: named
        .filter((each): each is { username: string; accessRole: ShareRole } => each.username !== null)
        .sort((a, b) => a.username.localeCompare(b.username, 'en')),
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
