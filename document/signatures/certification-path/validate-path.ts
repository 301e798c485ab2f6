import { pathFault, type PathFault, weaknessesOf } from './check-path.js';
import { PathFinder } from './find-paths.js';
import { type PathCertificate, readPathCertificate } from './path-certificate.js';
import { RevocationCheck } from './revocation.js';
import type { PathFailure, PathRequest, PathResult } from './types.js';

/** Whole paths that are checked, and those of them whose revocation is asked for. */
const MAX_PATHS = 16;
const MAX_REVOCATION_CHECKS = 3;

/**
 * Looks for a path from a certificate to an anchor, and validates it at a time (RFC 5280, 6): names, signatures,
 * validity, authorities, key usages, name constraints, policies, critical extensions, revocation (6.3, RFC 6960).
 * Signatures are OpenSSL's to check. All possible paths are tried, within bounds; the result describes the first valid
 * one, or why the most promising one failed. Rejects only when cancelled.
 */
export async function validatePath(request: PathRequest): Promise<PathResult> {
  const check = new RevocationCheck(request);
  const leaf = readPathCertificate(request.leaf);
  const result = (
    path: readonly PathCertificate[],
    fault?: Fault,
    softFailures: readonly string[] = [],
  ): PathResult => ({
    valid: fault === undefined,
    path: path.map(({ der }) => der),
    length: path.length > 1 ? path.length - 1 : path.length,
    notExpired: leaf !== undefined && leaf.notBefore <= request.at && request.at <= leaf.notAfter,
    failure: fault?.failure ?? null,
    error: fault?.error ?? null,
    revocationStatus: statusOf(request, fault?.failure),
    ...(fault?.revoked === undefined ? {} : { revoked: fault.revoked }),
    softFailures,
    weaknesses: weaknessesOf(path),
    used: check.used,
  });
  if (leaf === undefined)
    return result([], { failure: 'certificate-unreadable', error: 'The certificate cannot be read.' });
  const finder = new PathFinder(request);
  let failed: { readonly path: readonly PathCertificate[]; readonly fault: Fault } | undefined;
  let paths = 0;
  let asked = 0;
  for await (const path of finder.from(leaf)) {
    if (++paths > MAX_PATHS) break;
    const fault = pathFault(path, request.at, request.purpose);
    if (fault === undefined && request.revocation.mode === 'none') return result(path);
    if (fault === undefined && ++asked > MAX_REVOCATION_CHECKS) break;
    const { fault: revocation, softFailures } =
      fault === undefined ? await revocationOf(path, check, request) : { softFailures: [] };
    if (fault === undefined && revocation === undefined) return result(path, undefined, softFailures);
    const worst = fault ?? revocation;
    // A path that is valid but for revocation says more than one that is not valid at all.
    if (worst !== undefined && (failed === undefined || (fault === undefined && !isRevocation(failed.fault.failure))))
      failed = { path, fault: worst };
  }
  if (failed !== undefined) return result(failed.path, failed.fault);
  return result([], noPath(finder));
}

interface Fault extends PathFault {
  readonly revoked?: { readonly at: Date; readonly reason: string };
}

/**
 * From the anchor down: whoever says that a certificate is good must be good himself. The anchor is not asked about.
 */
async function revocationOf(
  path: readonly PathCertificate[],
  check: RevocationCheck,
  { revocation: { hardFail }, signal }: PathRequest,
): Promise<{ readonly fault?: Fault; readonly softFailures: readonly string[] }> {
  const softFailures: string[] = [];
  for (let i = path.length - 2; i >= 0; i--) {
    signal?.throwIfAborted();
    const [certificate, issuer] = [path[i], path[i + 1]];
    if (certificate === undefined || issuer === undefined) continue;
    const status = await check.of(certificate, issuer);
    if (status.state === 'good') continue;
    if (status.state === 'revoked') {
      const { at, reason } = status;
      return {
        softFailures,
        fault: {
          failure: 'revoked',
          error: `The certificate "${certificate.label}" was revoked at ${at.toISOString()} (${reason}).`,
          revoked: { at, reason },
        },
      };
    }
    const error = `The revocation status of the certificate "${certificate.label}" is unknown: ${status.why}.`;
    if (hardFail) return { softFailures, fault: { failure: 'revocation-unknown', error } };
    softFailures.push(error);
  }
  return { softFailures };
}

function noPath({ exhausted, longest }: PathFinder): Fault {
  const last = longest.at(-1);
  if (exhausted) return { failure: 'too-many-paths', error: 'There are too many possible paths to try them all.' };
  if (last?.selfIssued === true)
    return { failure: 'not-trusted', error: `The path ends at the certificate "${last.label}", which is not trusted.` };
  return {
    failure: 'no-issuer',
    error: `No trusted certificate was found that issued the certificate "${last?.label ?? ''}".`,
  };
}

function isRevocation(failure: PathFailure | undefined): boolean {
  return failure === 'revoked' || failure === 'revocation-unknown';
}

function statusOf(
  { revocation: { mode } }: PathRequest,
  failure: PathFailure | undefined,
): PathResult['revocationStatus'] {
  if (mode === 'none') return 'not-checked';
  if (failure === undefined) return 'good';
  return failure === 'revoked' ? 'revoked' : failure === 'revocation-unknown' ? 'soft-fail' : 'unknown';
}
