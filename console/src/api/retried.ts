/**
 * Pauses before something is requested again, in milliseconds. Browsers drop requests that are under way when the
 * network of their machine changes: another Wi-Fi, a VPN, a new address.
 */
const PAUSES_MS = [250, 1500];

/** Runs something again after a failure that may pass. Rejects with the last error. */
export async function retried<T>(run: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> {
  for (const pause of PAUSES_MS)
    try {
      return await run();
    } catch (error) {
      if (!mayPass(error)) throw error;
      await new Promise((resolve) => void setTimeout(resolve, pause));
    }
  return run();
}

/** Loads a module by `import()`, whose failure does not say why: it is tried again. */
export async function loadModule<T>(load: () => Promise<T>): Promise<T> {
  return retried(load, () => true);
}
