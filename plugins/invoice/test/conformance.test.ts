import { describePlugin } from '@quire/plugin-kit';
import plugin from '../src/index.js';

describePlugin(plugin, { packageRoot: new URL('..', import.meta.url) });
