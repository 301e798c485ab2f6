import { accessRow } from './row.js';

/** Links to stored files. */
export const shareLinkErrors = {
  SHARE_LINK_EXPIRED: accessRow({
    status: 410,
    type: 'gone',
    title: 'Link expired',
    text: 'This link has expired. Ask the person who sent it for a new one.',
  }),
  SHARE_LINK_REVOKED: accessRow({
    status: 410,
    type: 'gone',
    title: 'Link withdrawn',
    text: 'This link was withdrawn, or its file was deleted. Ask the person who sent it for a new one.',
  }),
  SHARE_LINK_USED_UP: accessRow({
    status: 410,
    type: 'gone',
    title: 'Link used up',
    text: 'This link was used as often as its owner allowed. Ask the person who sent it for a new one.',
  }),
  SHARE_LINK_PASSWORD_REQUIRED: accessRow({
    status: 401,
    type: 'unauthorized',
    title: 'Password required',
    text: 'This link has a password. Send it as "password" in the JSON body; the person who sent the link knows it.',
    error: '{text}',
  }),
  SHARE_LINK_PASSWORD_WRONG: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Wrong password',
    text: 'The password of this link is wrong. Ask the person who sent the link for it.',
  }),
  SHARE_LINK_GUARDED: accessRow({
    status: 403,
    type: 'forbidden',
    title: 'Link with a password or a limit',
    text:
      'This link has a password or a limited number of downloads. Send POST to the same address, with the JSON body ' +
      '{"password": "…"}, or {} without a password.',
  }),
} as const;
