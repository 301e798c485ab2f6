/**
 * Encrypts or decrypts with RC4, which OpenSSL 3 no longer offers and old PDF encryption uses. The key is 1 to 256
 * bytes long.
 */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = new Uint8Array(256);
  for (let i = 0; i < 256; i++) state[i] = i;
  for (let i = 0, j = 0, k = 0; i < 256; i++) {
    const value = state[i] ?? 0;
    j = (j + value + (key[k] ?? 0)) & 255;
    state[i] = state[j] ?? 0;
    state[j] = value;
    if (++k === key.length) k = 0;
  }
  const out = new Uint8Array(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    const a = state[i] ?? 0;
    j = (j + a) & 255;
    const b = state[j] ?? 0;
    state[i] = b;
    state[j] = a;
    out[n] = (data[n] ?? 0) ^ (state[(a + b) & 255] ?? 0);
  }
  return out;
}
