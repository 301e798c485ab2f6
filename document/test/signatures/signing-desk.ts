import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { Authority, type Issued, timeStampReply } from '../../../test/pki/index.js';
import {
  type CmsSigner,
  planCms,
  readTimeStampReply,
  signCms,
  signWith,
  timeStampRequest,
} from '../../signatures/cms/index.js';
import { type Edit, editFile } from '../../file/open/index.js';
import { openLazily } from '../../file/reader/index.js';
import { reviewSignatures, signFile, type SignatureEntries, type SignatureReview } from '../../signatures/index.js';

/** Signs documents for tests, with an authority of its own, in a folder of its own. */
export class SigningDesk {
  #count = 0;
  /** The signing time of all signatures: certificates are issued at the time of the run. Whole seconds, as in a CMS. */
  readonly signedAt = new Date(Math.floor(Date.now() / 1000) * 1000);

  private constructor(
    readonly folder: string,
    readonly authority: Authority,
    readonly ann: Issued,
    readonly tsa: Issued,
  ) {}

  static async open(): Promise<SigningDesk> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-desk-'));
    const authority = await Authority.root(join(folder, 'root'), { name: 'Root' });
    return new SigningDesk(
      folder,
      authority,
      await authority.issue({ name: 'Ann' }),
      await authority.issue({ name: 'Time', purpose: 'time-stamp' }),
    );
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  file(bytes: Uint8Array | string): string {
    const path = join(this.folder, `${this.#count++}.pdf`);
    writeFileSync(path, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    return path;
  }

  /** A page of text with whatever `change` adds. */
  async plain(
    change: (document: PDFDocument) => void | Promise<void> = () => undefined,
    options = { useObjectStreams: false },
  ): Promise<string> {
    const document = await PDFDocument.create();
    document.addPage([300, 200]).drawText('Pay 100 to Bob', { x: 20, y: 150 });
    await change(document);
    return this.file(await document.save(options));
  }

  async signer(issued: Issued = this.ann): Promise<CmsSigner> {
    const key = createPrivateKey(await readFile(issued.keyFile));
    return {
      certificate: issued.certificate,
      chain: [this.authority.own.certificate],
      sign: (data, scheme) => signWith(key, data, scheme),
    };
  }

  async sign(
    source: string,
    more: Partial<SignatureEntries> = {},
    { password }: { readonly password?: string } = {},
  ): Promise<string> {
    const target = join(this.folder, `${this.#count++}.pdf`);
    const by = await this.signer();
    const plan = planCms(by);
    if (plan === undefined) throw new Error('no plan');
    await signFile(source, target, {
      ...(password === undefined ? {} : { password }),
      entries: ({ pages: [page] }) => {
        if (page === undefined) throw new Error('no page');
        return {
          subFilter: 'ETSI.CAdES.detached',
          capacity: plan.size,
          time: this.signedAt,
          name: 'Ann',
          reason: 'Approved',
          page,
          ...more,
        };
      },
      value: async (digest) =>
        signCms({
          signer: by,
          scheme: plan.scheme,
          digest: digest(plan.scheme.digest),
          signingTime: this.signedAt,
        }),
    });
    return target;
  }

  async stamp(source: string): Promise<string> {
    const target = join(this.folder, `${this.#count++}.pdf`);
    await signFile(source, target, {
      entries: ({ pages: [page] }) => {
        if (page === undefined) throw new Error('no page');
        return { subFilter: 'ETSI.RFC3161', capacity: 8192, page };
      },
      value: async (digest) => {
        const request = timeStampRequest(digest('sha256'));
        return readTimeStampReply(await timeStampReply(this.authority, this.tsa, request.der), request);
      },
    });
    return target;
  }

  /** Appends what an edit changes, as any software may that does not look for signatures. */
  async append(source: string, edit: Edit<unknown>): Promise<string> {
    const target = join(this.folder, `${this.#count++}.pdf`);
    await editFile(source, target, { mode: 'append', repair: false, stamp: false }, edit);
    return target;
  }

  /** The same file with other bytes. */
  tamper(source: string, change: (text: string) => string): string {
    return this.file(change(readFileSync(source, 'latin1')));
  }

  review(path: string): Promise<readonly SignatureReview[]> {
    const bytes = new Uint8Array(readFileSync(path));
    return reviewSignatures(bytes, openLazily(bytes));
  }
}

/** The verdict of a review in one word, or why there is none. */
export function verdictOf(review: SignatureReview | undefined): string {
  if (review === undefined) return 'no signature';
  const { integrity, changes } = review;
  if (!integrity.holds) return integrity.fault ?? 'broken';
  return changes?.state === 'refused' ? changes.what.join('; ') : `valid, ${changes?.state ?? 'unknown'}`;
}
