import { tags } from '../asn1/tags.js';
import { extension, extensionOids, type PathCertificate } from './path-certificate.js';

const ANY = '2.5.29.32.0';
/** Limit of policies at one level; hostile certificates have more. */
const MAX_POLICIES = 1000;

/**
 * Policies along a path (RFC 5280, 6.1.3 d to f and 6.1.4 a to b), for a verifier that takes any: what is asked is only
 * whether the valid policy tree is empty where a certificate demands an explicit policy. Of the tree its lowest level
 * does for that, as policies that are expected next.
 */
export class PolicyState {
  #expected: ReadonlySet<string> | undefined = new Set([ANY]);
  #explicit: number;
  #mapping: number;
  #inhibitAny: number;

  /** `length`: certificates in the path without the anchor. */
  constructor(length: number) {
    this.#explicit = this.#mapping = this.#inhibitAny = length + 1;
  }

  /** Processes the next certificate, starting below the anchor; false if the path fails there. Throws RangeError. */
  accept(certificate: PathCertificate, last: boolean): boolean {
    const policies = extension(certificate, extensionOids.certificatePolicies)
      ?.inner()
      .map((information) => information.inner()[0]?.oid() ?? '');
    const nodes = this.#nodes(policies, certificate.selfIssued && !last);
    if (this.#explicit === 0 && nodes === undefined) return false;
    if (last) {
      const demanded = this.#constraints(certificate).explicit === 0;
      return !(demanded || this.#explicit === 1) || nodes !== undefined;
    }
    this.#expected = this.#mapped(nodes, certificate);
    if (!certificate.selfIssued) {
      this.#explicit = Math.max(0, this.#explicit - 1);
      this.#mapping = Math.max(0, this.#mapping - 1);
      this.#inhibitAny = Math.max(0, this.#inhibitAny - 1);
    }
    const { explicit, mapping } = this.#constraints(certificate);
    this.#explicit = Math.min(this.#explicit, explicit ?? Infinity);
    this.#mapping = Math.min(this.#mapping, mapping ?? Infinity);
    this.#inhibitAny = Math.min(
      this.#inhibitAny,
      extension(certificate, extensionOids.inhibitAnyPolicy)?.as(tags.integer).number() ?? Infinity,
    );
    return true;
  }

  #nodes(policies: readonly string[] | undefined, selfIssuedBetween: boolean): ReadonlySet<string> | undefined {
    const expected = this.#expected;
    if (policies === undefined || expected === undefined) return undefined;
    if (policies.length > MAX_POLICIES) throw new RangeError('there are too many policies');
    const nodes = new Set(policies.filter((policy) => policy !== ANY && (expected.has(policy) || expected.has(ANY))));
    if (policies.includes(ANY) && (this.#inhibitAny > 0 || selfIssuedBetween))
      for (const policy of expected) nodes.add(policy);
    return nodes.size === 0 ? undefined : nodes;
  }

  #mapped(nodes: ReadonlySet<string> | undefined, certificate: PathCertificate): ReadonlySet<string> | undefined {
    const pairs =
      extension(certificate, extensionOids.policyMappings)
        ?.inner()
        .map((pair) => pair.inner().map((policy) => policy.oid())) ?? [];
    if (pairs.length > MAX_POLICIES || pairs.some((pair) => pair.includes(ANY)))
      throw new RangeError('policies are mapped to any policy, or too many');
    if (nodes === undefined || pairs.length === 0) return nodes;
    const next = new Set(nodes);
    for (const [from = ''] of pairs) next.delete(from);
    if (this.#mapping > 0)
      for (const [from = '', to = ''] of pairs) if (nodes.has(from) || nodes.has(ANY)) next.add(to);
    return next.size === 0 ? undefined : next;
  }

  #constraints(certificate: PathCertificate): { readonly explicit?: number; readonly mapping?: number } {
    const parts = extension(certificate, extensionOids.policyConstraints)?.inner() ?? [];
    const [explicit, mapping] = [0x80, 0x81].map((wanted) => parts.find(({ tag }) => tag === wanted)?.number());
    return { ...(explicit === undefined ? {} : { explicit }), ...(mapping === undefined ? {} : { mapping }) };
  }
}
