import { useEffect, useMemo } from 'preact/hooks';

/** Returns an address for a file while the component is shown. */
export function useObjectAddress(blob: Blob): string {
  const address = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return address;
}
