import { asProblem, askLogin, callBlob, callJson, config, credentials, root } from '../../api/index.ts';

/** A page that arrived from the phone. */
export interface Arrived {
  readonly file: File;
  readonly url: string;
}

/** Survives a reload of the page, so that the code on the screen stays valid. */
const KEY = 'quire.scan';

/** Continues the session of this tab, or begins one. Returns its id. */
export async function openSession(): Promise<string> {
  const known = sessionStorage.getItem(KEY);
  if (known !== null && (await isAlive(known))) return known;
  const id = randomId();
  await begin(id);
  sessionStorage.setItem(KEY, id);
  return id;
}

/** Deletes the session with everything that the phone sent. */
export async function endSession(id: string): Promise<void> {
  sessionStorage.removeItem(KEY);
  await callJson(`mobile-scanner/session/${id}`, { method: 'DELETE' });
}

export async function isAlive(id: string): Promise<boolean> {
  try {
    await callJson(`mobile-scanner/validate-session/${encodeURIComponent(id)}`, { login: 'quiet' });
    return true;
  } catch (error) {
    if (asProblem(error).code === 'SCAN_SESSION_UNKNOWN') return false;
    throw error;
  }
}

/** Where the phone goes. */
export function phoneAddress(id: string): string {
  return new URL(`scan/${id}`, root).href;
}

export async function namesIn(id: string, signal: AbortSignal): Promise<readonly string[]> {
  const { files } = await callJson<{ files: readonly { filename: string }[] }>(`mobile-scanner/files/${id}`, {
    signal,
  });
  return files.map(({ filename }) => filename);
}

/** Reads a page. A range leaves it on the server: without one the session would end with its last page. */
export async function readPage(id: string, name: string, signal: AbortSignal): Promise<Arrived> {
  const blob = await callBlob(`mobile-scanner/download/${id}/${encodeURIComponent(name)}`, {
    headers: { Range: 'bytes=0-' },
    signal,
  });
  const file = new File([blob], name, { type: blob.type || 'image/jpeg' });
  return { file, url: URL.createObjectURL(file) };
}

async function begin(id: string): Promise<void> {
  const create = () => callJson(`mobile-scanner/create-session/${id}`, { method: 'POST' });
  try {
    await create();
  } catch (error) {
    const stranger = config.value?.enableLogin === true && credentials.value === undefined;
    if (!stranger || asProblem(error).code !== 'FEATURE_OFF' || !(await askLogin())) throw error;
    await create();
  }
}

/** 128 random bits; `crypto.randomUUID` exists on pages with HTTPS only. */
function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
