import { definePlugin } from '@quire/registry';
import { removeCertSign } from './operations/remove-cert-sign.op.js';

export default definePlugin({ operations: [removeCertSign] });
