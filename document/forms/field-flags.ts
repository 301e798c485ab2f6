/** Field flags (/Ff) by name (ISO 32000-1, tables 221, 226, 228 and 230). */
export const fieldFlags = {
  readOnly: 1 << 0,
  required: 1 << 1,
  noExport: 1 << 2,
  multiline: 1 << 12,
  password: 1 << 13,
  noToggleToOff: 1 << 14,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  radiosInUnison: 1 << 25,
} as const;

export function hasFlag({ flags }: { readonly flags: number }, flag: keyof typeof fieldFlags): boolean {
  return (flags & fieldFlags[flag]) !== 0;
}
