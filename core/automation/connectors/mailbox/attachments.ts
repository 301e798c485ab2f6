import type { MessageStructureObject } from 'imapflow';
import { cleanFileName } from '../../../operations/runner/index.js';

/** An attachment of a message. */
export interface Attachment {
  /** Number of the part, such as 2 or 2.1. */
  readonly part: string;
  readonly name: string;
  /** In bytes, after decoding; for base64 it may be a few bytes less. */
  readonly size: number;
  /** Bytes of its base64 text; absent when it is sent in another form. */
  readonly base64?: number;
}

export interface AttachmentRules {
  /** Patterns of names with * and ?; empty for all. */
  readonly names: readonly string[];
  readonly maxBytes: number;
}

/** Returns the attachments of a message that the rules accept. Pictures inside of a text are none. */
export function attachmentsOf(structure: MessageStructureObject | undefined, rules: AttachmentRules): Attachment[] {
  const patterns = rules.names.map(patternOf);
  return leavesOf(structure).flatMap((leaf): Attachment[] => {
    const given = leaf.dispositionParameters?.['filename'] ?? leaf.parameters?.['name'];
    const inText = leaf.disposition === 'inline' && leaf.id !== undefined;
    if (inText || (given === undefined && leaf.disposition !== 'attachment')) return [];
    const name = cleanFileName(given ?? (leaf.type === 'message/rfc822' ? 'message.eml' : 'attachment'));
    const size = decodedSize(leaf);
    const wanted = patterns.length === 0 || patterns.some((pattern) => pattern.test(name));
    return wanted && size <= rules.maxBytes ? [{ part: leaf.part ?? '1', name, size, ...base64Of(leaf) }] : [];
  });
}

/** Parts without parts. An attached message is one file, whatever is attached to it. */
function leavesOf(node: MessageStructureObject | undefined): MessageStructureObject[] {
  if (node === undefined) return [];
  if (node.type === 'message/rfc822' || node.childNodes === undefined || node.childNodes.length === 0) return [node];
  return node.childNodes.flatMap(leavesOf);
}

function base64Of({ encoding, size }: MessageStructureObject): Pick<Attachment, 'base64'> {
  return encoding?.toLowerCase() === 'base64' && size !== undefined ? { base64: size } : {};
}

/** Base64 has 4 characters for 3 bytes, and lines of 76 characters and a line break (RFC 2045, 6.8). */
function decodedSize({ encoding, size = 0 }: MessageStructureObject): number {
  return encoding?.toLowerCase() === 'base64' ? Math.floor(((size * 76) / 78) * 0.75) : size;
}

function patternOf(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'iu');
}
