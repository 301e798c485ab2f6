import { OperationalError } from '@quire/registry';

/** An object of a listing. */
export interface ListedObject {
  readonly key: string;
  /** With its quotation marks, as conditions need it. */
  readonly etag: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** One page of a listing (ListObjectsV2). */
export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Continuation token of the next page. */
  readonly next: string | undefined;
}

/** Reads the answer to ListObjectsV2 with `encoding-type=url`. Throws REMOTE_ANSWER for anything else. */
export async function parseListing(xml: string, remote: string): Promise<ListedPage> {
  const { DOMParser } = await import('@xmldom/xmldom');
  try {
    const { documentElement: root } = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(xml, 'text/xml');
    if (root?.localName !== 'ListBucketResult') throw new Error('it is not a ListBucketResult');
    const text = (parent: typeof root, name: string): string =>
      [...parent.childNodes].find((node) => node.nodeName.replace(/^.*:/, '') === name)?.textContent ?? '';
    const next = text(root, 'NextContinuationToken');
    return {
      objects: [...root.getElementsByTagNameNS('*', 'Contents')].map((each) => ({
        key: decodeURIComponent(text(each, 'Key').replaceAll('+', '%20')),
        etag: text(each, 'ETag'),
        size: Number(text(each, 'Size')),
        changedAt: Date.parse(text(each, 'LastModified')),
      })),
      next: text(root, 'IsTruncated') === 'true' && next !== '' ? next : undefined,
    };
  } catch (error) {
    throw new OperationalError(
      'REMOTE_ANSWER',
      { remote, detail: 'with something that is not a listing of a bucket' },
      { cause: error },
    );
  }
}
