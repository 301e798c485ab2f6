import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AccessError,
  InputError,
  token,
  type Clock,
  type Logger,
  type Principal,
  type SharedFiles,
} from '@quire/registry';
import { MAX_IMAGE_BYTES, readSignatureImage } from '../functions/signature-image-data.js';
import { folderKey, folderOfUser, idOfImage, SHARED_FOLDER } from '../functions/signature-image-names.js';
import {
  imageAddress,
  readRecord,
  recordOfImage,
  relabelled,
  type SignatureRecord,
  type SignatureScope,
} from '../functions/signature-image-record.js';
import type { ImageKind } from '../functions/signature-image-shape.js';
import { SignatureFolder } from './signature-folder.js';
import { Verdicts } from './verdicts.js';
import { StoredSignatures, type SignaturePlace } from './stored-signatures.js';

/** Limits of one user's own signatures (spec, 8); those of all users have none. */
const PERSONAL_LIMITS = { count: 20, bytes: 20_000_000 } as const;

export interface NewSignature extends Pick<
  SignatureRecord,
  'id' | 'label' | 'type' | 'scope' | 'signerName' | 'fontFamily' | 'fontSize' | 'textColor'
> {
  /** `data:image/<png|jpg|jpeg>;base64,…`; any other text saves a record without an image. */
  readonly dataUrl: string;
}

/** Who asks, as far as it matters here. */
export type SignatureCaller = Pick<Principal, 'name' | 'role' | 'roles' | 'via'>;

/** The saved signatures of users and those of all (spec, 2.2). */
export interface SignatureImages {
  /**
   * Saves one, in place of the one with its id. Rejects with INPUT_INVALID, IMAGE_UNREADABLE, IMAGE_TOO_LARGE,
   * SIGNATURES_FULL, SHARED_ADMIN_ONLY or DEMO_REFUSED.
   */
  save(caller: SignatureCaller, signature: NewSignature): Promise<SignatureRecord>;
  /** The caller's own, then those of all. Rejects with DEMO_REFUSED. */
  list(caller: SignatureCaller): Promise<readonly SignatureRecord[]>;
  /** Rejects with NOT_FOUND, SHARED_ADMIN_ONLY or DEMO_REFUSED. */
  relabel(caller: SignatureCaller, id: string, label: string): Promise<void>;
  /** Rejects with NOT_FOUND or DEMO_REFUSED. */
  remove(caller: SignatureCaller, id: string): Promise<void>;
  /** The caller's own image of this name, else that of all. Rejects with NOT_FOUND. */
  image(caller: SignatureCaller, fileName: string): Promise<{ readonly kind: ImageKind; readonly bytes: Uint8Array }>;
  /** Names of the images that `image` gives. */
  files(
    caller: SignatureCaller,
  ): Promise<readonly { readonly fileName: string; readonly category: 'Personal' | 'Shared' }[]>;
  /** Moves the signatures of a renamed user, or deletes those of a deleted one. Never rejects. */
  nameFreed(name: string, now: string | undefined): Promise<void>;
}

/** Token of the saved signatures. */
export const signatureImages = token<SignatureImages>('signing.signatureImages');

/**
 * Keeps them in `customFiles/signatures/`, where operators may copy files in at any time; among the shared files where
 * servers share a store.
 */
export class FolderSignatureImages implements SignatureImages {
  readonly #root: string;
  readonly #verdicts = new Verdicts();
  readonly #turns = new Map<string, Promise<unknown>>();
  #recovered: Promise<void> | undefined;

  constructor(
    private readonly parts: {
      readonly customFiles: string;
      readonly clock: Clock;
      readonly log: Logger;
      readonly shared?: SharedFiles;
    },
  ) {
    this.#root = join(parts.customFiles, 'signatures');
  }

  async save(caller: SignatureCaller, { dataUrl, ...given }: NewSignature): Promise<SignatureRecord> {
    refuseDemo(caller);
    if (given.scope === 'shared' && caller.role !== 'admin') throw new AccessError('SHARED_ADMIN_ONLY');
    const folder = await this.#folder(given.scope, caller);
    if (folder === undefined) throw new InputError('NOT_FOUND');
    return this.#inTurn(folder, async () => {
      // Cheap to find out, so before the image is decoded.
      const checkSize = given.scope === 'shared' ? undefined : await roomFor(folder, dataUrl);
      const image = await readSignatureImage(dataUrl);
      if (image !== undefined) checkSize?.(image.bytes.length);
      const now = this.parts.clock.now().getTime();
      const fileName = image === undefined ? undefined : `${given.id}.${image.extension}`;
      const before = await folder.record(given.id);
      const created =
        before === undefined
          ? now
          : (readRecord(before, { id: given.id, fileName: '', scope: given.scope, time: now })?.createdAt ?? now);
      const record: SignatureRecord = {
        id: given.id,
        label: given.label,
        type: given.type,
        scope: given.scope,
        dataUrl: fileName === undefined ? null : imageAddress(fileName),
        signerName: given.signerName,
        fontFamily: given.fontFamily,
        fontSize: given.fontSize,
        textColor: given.textColor,
        createdAt: created,
        updatedAt: now,
      };
      await folder.save(
        given.id,
        JSON.stringify(record),
        image === undefined || fileName === undefined ? undefined : { fileName, bytes: image.bytes },
      );
      return record;
    });
  }

  async list(caller: SignatureCaller): Promise<readonly SignatureRecord[]> {
    refuseDemo(caller);
    const found: SignatureRecord[] = [];
    for (const { folder, scope } of await this.#visible(caller)) {
      for (const { id, fileName, time } of await folder.images()) {
        const facts = { id, fileName, scope, time };
        const text = await folder.record(id);
        found.push((text === undefined ? undefined : readRecord(text, facts)) ?? recordOfImage(facts));
      }
    }
    return found;
  }

  async relabel(caller: SignatureCaller, id: string, label: string): Promise<void> {
    refuseDemo(caller);
    const [personal, shared] = [await this.#folder('personal', caller), await this.#folder('shared', caller)];
    if (caller.role !== 'admin' && (await shared?.record(id)) !== undefined) throw new AccessError('SHARED_ADMIN_ONLY');
    for (const folder of [personal, caller.role === 'admin' ? shared : undefined]) {
      if (folder === undefined) continue;
      const done = await this.#inTurn(folder, async () => {
        const text = await folder.record(id);
        const changed = text === undefined ? undefined : relabelled(text, label, this.parts.clock.now().getTime());
        if (changed !== undefined) await folder.relabel(id, changed);
        return changed !== undefined;
      });
      if (done) return;
    }
    throw new InputError('NOT_FOUND');
  }

  async remove(caller: SignatureCaller, id: string): Promise<void> {
    refuseDemo(caller);
    for (const scope of ['personal', ...(caller.role === 'admin' ? ['shared' as const] : [])] as const) {
      const folder = await this.#folder(scope, caller);
      if (folder !== undefined && (await this.#inTurn(folder, () => folder.remove(id)))) return;
    }
    throw new InputError('NOT_FOUND');
  }

  async image(
    caller: SignatureCaller,
    fileName: string,
  ): Promise<{ readonly kind: ImageKind; readonly bytes: Uint8Array }> {
    if (idOfImage(fileName) !== undefined) {
      for (const { folder } of await this.#visible(caller)) {
        const found = await folder.image(fileName);
        if (found !== undefined) return found;
      }
    }
    throw new InputError('NOT_FOUND');
  }

  async files(
    caller: SignatureCaller,
  ): Promise<readonly { readonly fileName: string; readonly category: 'Personal' | 'Shared' }[]> {
    const found: { fileName: string; category: 'Personal' | 'Shared' }[] = [];
    for (const { folder, scope } of await this.#visible(caller)) {
      for (const { fileName } of await folder.images())
        found.push({ fileName, category: scope === 'personal' ? 'Personal' : 'Shared' });
    }
    return found;
  }

  async nameFreed(name: string, now: string | undefined): Promise<void> {
    try {
      await (this.#recovered ??= this.#recover());
      const folder = await this.#find(folderOfUser(name));
      const target = now === undefined ? undefined : await this.#find(folderOfUser(now));
      await this.#inTurn(folder, () => (target === undefined ? folder.clear() : folder.moveTo(target)));
    } catch (error) {
      this.parts.log.error(
        { code: (error as NodeJS.ErrnoException).code },
        'saved signatures of a user who was removed or renamed stayed where they were',
      );
    }
  }

  async #visible(
    caller: SignatureCaller,
  ): Promise<readonly { readonly folder: SignaturePlace; readonly scope: SignatureScope }[]> {
    const [personal, shared] = [await this.#folder('personal', caller), await this.#folder('shared', caller)];
    return [
      ...(personal === undefined ? [] : [{ folder: personal, scope: 'personal' as const }]),
      ...(shared === undefined ? [] : [{ folder: shared, scope: 'shared' as const }]),
    ];
  }

  /** Undefined for the personal folder of a caller who is not logged in. */
  async #folder(scope: SignatureScope, caller: SignatureCaller): Promise<SignaturePlace | undefined> {
    if (scope === 'personal' && caller.via === 'none') return undefined;
    await (this.#recovered ??= this.#recover());
    return this.#find(scope === 'shared' ? SHARED_FOLDER : folderOfUser(caller.name));
  }

  async #find(name: string): Promise<SignaturePlace> {
    const { shared } = this.parts;
    return shared?.shared === true
      ? new StoredSignatures(shared, folderKey(name), this.#verdicts)
      : SignatureFolder.find(this.#root, name, this.#verdicts);
  }

  /** Serialises changes in one folder, so that no two of them use the same free space. */
  #inTurn<T>(folder: SignaturePlace, change: () => Promise<T>): Promise<T> {
    const key = folderKey(folder.path);
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(change);
    const over = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#turns.get(key) === over) this.#turns.delete(key);
      });
    this.#turns.set(key, over);
    return turn;
  }

  /** Before anything is read or changed: a server that was killed may have left a save half done. */
  async #recover(): Promise<void> {
    if (this.parts.shared?.shared === true) return;
    const folders = await readdir(this.#root, { withFileTypes: true }).catch(() => []);
    for (const { name } of folders.filter((entry) => entry.isDirectory())) {
      await SignatureFolder.find(this.#root, name, this.#verdicts)
        .then((folder) => folder.recover())
        .catch((error: NodeJS.ErrnoException) => {
          this.parts.log.warn({ code: error.code }, 'a folder of saved signatures cannot be put in order');
        });
    }
  }
}

/** Refuses a signature that does not fit, judged by its data URL; the returned function checks the final size. */
async function roomFor(folder: SignaturePlace, dataUrl: string): Promise<(size: number) => void> {
  const files = await folder.files();
  // Records without an image never show, but they must not fill the disk either.
  const count = /^data:image\//i.test(dataUrl) ? files.length : await folder.loneRecords();
  if (count >= PERSONAL_LIMITS.count) throw full('count', count + 1);
  const used = files.reduce((sum, { size }) => sum + size, 0);
  const check = (size: number): void => {
    if (used + size > PERSONAL_LIMITS.bytes) throw full('bytes', used + size);
  };
  check(Math.min(MAX_IMAGE_BYTES, Math.floor(dataUrl.length * 0.75)));
  return check;
}

function full(what: keyof typeof PERSONAL_LIMITS, found: number): InputError {
  const unit = what === 'count' ? '' : ' bytes';
  return new InputError('SIGNATURES_FULL', { found: `${found}${unit}`, limit: `${PERSONAL_LIMITS[what]}${unit}` });
}

/** A demo account is shared by strangers. */
function refuseDemo({ roles }: SignatureCaller): void {
  if (roles?.includes('ROLE_DEMO_USER') === true) throw new AccessError('DEMO_REFUSED');
}
