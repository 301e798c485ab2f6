import { call, callJson } from '../../api/index.ts';

/** A file behind a link, as `POST storage/share-links/{token}/metadata` returns it. */
export interface Shared {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Null without an account. */
  readonly owner: string | null;
  readonly expiresAt: string | null;
  /** How often the content may still be sent; null for no limit. */
  readonly downloadsLeft: number | null;
}

/** A link and what opens it. */
export interface LinkKey {
  /** As in an address. */
  readonly token: string;
  readonly password: string | undefined;
}

export function openLink({ token, password }: LinkKey): Promise<Shared> {
  return callJson<Shared>(`storage/share-links/${token}/metadata`, { body: { password } });
}

/** Loads the content. `inline`: the owner sees that it was viewed, not that it was downloaded. */
export function loadContent({ token, password }: LinkKey, inline: boolean, signal?: AbortSignal): Promise<Response> {
  return call(`storage/share-links/${token}`, { body: { password }, query: { inline }, signal });
}
