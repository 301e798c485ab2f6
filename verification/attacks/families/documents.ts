import type { Attack, Battlefield } from '../attack.js';
import { baseForms, type BaseForm, isTool } from '../base-forms.js';
import { hostileFiles } from '../hostile-files.js';
import { type HostileFile, hostilePdfs } from '../hostile-pdfs.js';
import { formAttack, inTurn } from './fields.js';

/** Hostile PDFs for each form that takes one, in turn. */
const PDFS_EACH = 4;

/** Files made to harm their reader, sent to every tool that takes files of their kind. */
export function documentAttacks(battlefield: Battlefield): Attack[] {
  const { listener, secretFile, dropFolder } = battlefield;
  const nextPdf = inTurn(hostilePdfs(listener, secretFile, dropFolder));
  const others = hostileFiles({ listener, secretFile, dropFolder });
  return baseForms(battlefield).flatMap((form): Attack[] => {
    const name = form.parts.find((part) => part.file !== undefined)?.fileName;
    if (name === undefined || !isTool(form.call)) return [];
    const kind = extension(name);
    const files =
      kind === 'pdf'
        ? Array.from({ length: PDFS_EACH }, nextPdf)
        : others.filter((each) => takes(form, kind, extension(each.name)));
    return files.map((each) => withFile(form, each));
  });
}

const extension = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
const PICTURES = ['png', 'jpg', 'jpeg', 'svg', 'gif', 'webp', 'bmp', 'tiff'];

/** A form takes files of the kind of its example; converters of any file take all. */
function takes({ call }: BaseForm, kind: string, offered: string): boolean {
  if (/\/(?:file\/pdf|any\/)/.test(call.name)) return true;
  return (
    kind === offered ||
    (PICTURES.includes(kind) && PICTURES.includes(offered)) ||
    (kind === 'html' && offered === 'zip')
  );
}

function withFile(form: BaseForm, { name, title, bytes }: HostileFile): Attack {
  const first = form.parts.findIndex((part) => part.file !== undefined);
  const attack = formAttack(form, 'documents', title, [], []);
  return {
    ...attack,
    // The file is made when it is sent: some have hundreds of megabytes on the way.
    body: () => {
      const parts = form.parts.map((part, i) => (i === first ? { ...part, file: bytes(), fileName: name } : part));
      return formAttack(form, '', '', parts, []).body?.() ?? Buffer.alloc(0);
    },
  };
}
