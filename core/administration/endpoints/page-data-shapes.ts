import type { JoiRoot } from '@quire/registry';

export const base = { since: '1.0.0', tag: 'ui-data', method: 'GET' } as const;
export const text = (joi: JoiRoot) => joi.string().required();
export const flag = (joi: JoiRoot) => joi.boolean().required();
export const count = (joi: JoiRoot) => joi.number().integer().required();
