import type { Role } from './role-facts.ts';
import { t } from './texts.ts';

type Words = Pick<Role, 'title' | 'description'>;

/** The words of the roles that the server ships. Administrators can choose others, which are not translated. */
const shipped: Readonly<Record<string, Words>> = {
  ROLE_ADMIN: {
    title: /* t */ 'Administrator',
    description: /* t */ 'Everything. At least one account keeps this role.',
  },
  ROLE_USER: { title: /* t */ 'User', description: /* t */ 'All tools, without limits.' },
  ROLE_PRO_USER: { title: /* t */ 'Pro user', description: /* t */ 'All tools, without limits.' },
  ROLE_LIMITED_API_USER: {
    title: /* t */ 'Limited user',
    description: /* t */ 'All tools; 40 calls a day while rateLimit is on.',
  },
  ROLE_EXTRA_LIMITED_API_USER: {
    title: /* t */ 'Very limited user',
    description: /* t */ 'As limited users, with 20 calls a day.',
  },
  ROLE_WEB_ONLY_USER: {
    title: /* t */ 'Browser only',
    description: /* t */ 'No calls with API keys, 20 in the browser.',
  },
  ROLE_DEMO_USER: {
    title: /* t */ 'Demo',
    description: /* t */ 'Shared by strangers: cannot change the account; 100 calls a day.',
  },
};

/** The title of a role in the language of the page. */
export function roleTitle({ name, title }: Pick<Role, 'name' | 'title'>): string {
  return shipped[name]?.title === title ? t(title) : title;
}

export function roleDescription({ name, description }: Pick<Role, 'name' | 'description'>): string {
  return shipped[name]?.description === description ? t(description) : description;
}

/** The title of a role of which only the name is known. */
export function titleOfName(name: string): string {
  const known = shipped[name];
  return known === undefined ? name : t(known.title);
}
