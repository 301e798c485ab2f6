import { definePlugin } from '@quire/registry';
import { addQrCode } from './operations/add-qr-code.op.js';

export default definePlugin({ operations: [addQrCode] });
