/** Methods that are more than something one knows (RFC 8176, 2). */
const FURTHER_FACTORS: ReadonlySet<unknown> = new Set(['mfa', 'otp', 'hwk', 'swk', 'sc', 'sms', 'fpt', 'face', 'iris']);

/** Whether a token says that its user has shown more than something they know (claim `amr`). */
export function hasFurtherFactor({ amr }: Readonly<Record<string, unknown>>): boolean {
  return [amr].flat().some((method) => FURTHER_FACTORS.has(method));
}
