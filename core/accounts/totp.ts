/** One time step in seconds. `WINDOW` is how many steps a clock may be off (RFC 6238, 5.2). */
const PERIOD = 30;
const WINDOW = 1;

const settings = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;

/**
 * Returns a new secret of 160 random bits in base32 (RFC 4226, 4), and the URI that authenticator apps read as a QR
 * code.
 */
export async function newTotpSecret(issuer: string, label: string): Promise<{ secret: string; otpauthUri: string }> {
  const { Secret, TOTP } = await import('otpauth');
  const secret = new Secret({ size: 20 });
  return { secret: secret.base32, otpauthUri: new TOTP({ ...settings, issuer, label, secret }).toString() };
}

/** Returns the time step of a code (RFC 6238); undefined for a wrong code. The digits are compared in constant time. */
export async function totpStep(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const { Secret, TOTP } = await import('otpauth');
  const delta = TOTP.validate({
    ...settings,
    token: digits,
    secret: Secret.fromBase32(secret),
    timestamp: nowMs,
    window: WINDOW,
  });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD, timestamp: nowMs }) + delta;
}
