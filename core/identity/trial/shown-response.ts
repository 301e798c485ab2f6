import type { ResponseFacts } from '../saml/index.js';

const LONGEST = 300;

/** What an identity provider sent, as an administrator sees it; nothing of it is verified. */
export interface ShownResponse extends Omit<ResponseFacts, 'attributes'> {
  /** What this server expects instead. */
  readonly expected: {
    readonly issuer: string | null;
    readonly audience: string;
    readonly recipient: string;
    readonly nameIdFormat: string | null;
  };
}

/** Shortens what was sent. */
export function shownResponse(sent: ResponseFacts, expected: ShownResponse['expected']): ShownResponse {
  const { attributes: _, ...facts } = sent;
  const cut = (text: string | null): string | null => text?.slice(0, LONGEST) ?? null;
  return {
    ...facts,
    issuer: cut(facts.issuer),
    status: cut(facts.status),
    destination: cut(facts.destination),
    issuedAt: cut(facts.issuedAt),
    nameId: cut(facts.nameId),
    nameIdFormat: cut(facts.nameIdFormat),
    audiences: facts.audiences.slice(0, 10).map((one) => one.slice(0, LONGEST)),
    recipient: cut(facts.recipient),
    notBefore: cut(facts.notBefore),
    notOnOrAfter: cut(facts.notOnOrAfter),
    contexts: facts.contexts.slice(0, 10).map((one) => one.slice(0, LONGEST)),
    expected,
  };
}
