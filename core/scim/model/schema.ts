import { usualRoles } from './assignable-roles.js';

/** An attribute of a resource (RFC 7643, 7). Members that are missing have the usual values of 2.2. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'writeOnly' | 'immutable';
  readonly returned?: 'always' | 'never';
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A schema as the server describes it (RFC 7643, 7). */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A kind of resource (RFC 7643, 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  /** Below `/scim/v2`. */
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

/** A resource as JSON: attributes of the schema under their own spelling, those of extensions in an object by URN. */
export type Resource = Record<string, unknown>;

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

/** Sub-attributes of lists (RFC 7643, 2.4). */
const listParts = (value: Attribute, types: readonly string[] = []): readonly Attribute[] => [
  value,
  text('display', 'A name for people'),
  text('type', 'What the value is for', types.length === 0 ? {} : { canonicalValues: types }),
  { name: 'primary', type: 'boolean', description: 'The preferred value; of one at most' },
];

const list = (name: string, description: string, parts: readonly Attribute[]): Attribute => ({
  name,
  type: 'complex',
  description,
  multiValued: true,
  subAttributes: parts,
});

const member = (name: string, description: string, more: Partial<Attribute>): Attribute =>
  text(name, description, { caseExact: true, ...more });

/** Common attributes of RFC 7643, 3.1. */
export const commonAttributes: readonly Attribute[] = [
  text('id', 'Id of the resource', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  text('externalId', 'Id that the identity provider gave', { caseExact: true, uniqueness: 'server' }),
  {
    name: 'schemas',
    type: 'reference',
    description: 'Schemas of the resource',
    multiValued: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    referenceTypes: ['uri'],
  },
  {
    name: 'meta',
    type: 'complex',
    description: 'Facts about the resource',
    mutability: 'readOnly',
    subAttributes: [
      text('resourceType', 'User or Group', { caseExact: true, mutability: 'readOnly' }),
      { name: 'created', type: 'dateTime', description: 'When it was created', mutability: 'readOnly' },
      { name: 'lastModified', type: 'dateTime', description: 'When it was changed by SCIM', mutability: 'readOnly' },
      { name: 'location', type: 'reference', description: 'Its address', mutability: 'readOnly' },
      text('version', 'Its entity tag', { caseExact: true, mutability: 'readOnly' }),
    ],
  },
];

const userSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'An account of this server that logs in with a provider',
  attributes: [
    text('userName', 'Name of the account: 3 to 50 letters and digits, or a mail address', {
      required: true,
      uniqueness: 'server',
    }),
    {
      name: 'name',
      type: 'complex',
      description: 'Parts of the name of the person',
      subAttributes: [
        text('formatted', 'The full name'),
        text('familyName', 'Family name'),
        text('givenName', 'Given name'),
        text('middleName', 'Middle name'),
        text('honorificPrefix', 'Title before the name'),
        text('honorificSuffix', 'Title after the name'),
      ],
    },
    text('displayName', 'Name of the person for people'),
    text('nickName', 'Casual name'),
    { name: 'profileUrl', type: 'reference', description: 'A page about the person', referenceTypes: ['external'] },
    text('title', 'Title at work'),
    text('userType', 'Relation to the organisation'),
    text('preferredLanguage', 'Preferred language, as in Accept-Language'),
    text('locale', 'Where the person is, for formats of dates and numbers'),
    text('timezone', 'Time zone, such as Europe/Berlin'),
    { name: 'active', type: 'boolean', description: 'Whether the account may be used' },
    text('password', 'Ignored: accounts of SCIM have no password here', { mutability: 'writeOnly', returned: 'never' }),
    list('emails', 'Mail addresses', listParts(text('value', 'The address'), ['work', 'home', 'other'])),
    list('phoneNumbers', 'Phone numbers', listParts(text('value', 'The number'), ['work', 'home', 'mobile', 'fax'])),
    list('ims', 'Addresses of messengers', listParts(text('value', 'The address'))),
    list(
      'photos',
      'Pictures of the person',
      listParts(
        { name: 'value', type: 'reference', description: 'Address of the picture', referenceTypes: ['external'] },
        ['photo', 'thumbnail'],
      ),
    ),
    list('addresses', 'Postal addresses', [
      text('formatted', 'The whole address'),
      text('streetAddress', 'Street and number'),
      text('locality', 'City'),
      text('region', 'State or region'),
      text('postalCode', 'Postal code'),
      text('country', 'Country'),
      text('type', 'What the address is for', { canonicalValues: ['work', 'home', 'other'] }),
      { name: 'primary', type: 'boolean', description: 'The preferred address; of one at most' },
    ]),
    {
      ...list('groups', 'Groups of the account; changed at the groups', [
        member('value', 'Id of the group', { mutability: 'readOnly' }),
        {
          name: '$ref',
          type: 'reference',
          description: 'Address of the group',
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        },
        text('display', 'Name of the group', { mutability: 'readOnly' }),
        text('type', 'direct: groups are not nested', { mutability: 'readOnly', canonicalValues: ['direct'] }),
      ]),
      mutability: 'readOnly',
    },
    list('entitlements', 'Rights elsewhere; kept, without effect here', listParts(text('value', 'The right'))),
    list(
      'roles',
      'Role of the account: one that this server has',
      listParts(text('value', 'The role', { canonicalValues: usualRoles })),
    ),
    list(
      'x509Certificates',
      'Certificates of the person',
      listParts({ name: 'value', type: 'binary', description: 'DER in base64', caseExact: true }),
    ),
  ],
};

const enterpriseSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Facts of an organisation about a person; kept, without effect here',
  attributes: [
    text('employeeNumber', 'Number of the employee'),
    text('costCenter', 'Cost centre'),
    text('organization', 'Organisation'),
    text('division', 'Division'),
    text('department', 'Department'),
    {
      name: 'manager',
      type: 'complex',
      description: 'Manager of the person',
      subAttributes: [
        member('value', 'Id of the account of the manager', {}),
        { name: '$ref', type: 'reference', description: 'Address of that account', referenceTypes: ['User'] },
        text('displayName', 'Name of the manager', { mutability: 'readOnly' }),
      ],
    },
  ],
};

const groupSchema: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of the identity provider; the settings scim.groupRoles and scim.groupTeams give it a meaning',
  attributes: [
    text('displayName', 'Name of the group', { required: true, uniqueness: 'server' }),
    list('members', 'Accounts in the group', [
      member('value', 'Id of the account', { mutability: 'immutable' }),
      {
        name: '$ref',
        type: 'reference',
        description: 'Address of the account',
        mutability: 'immutable',
        referenceTypes: ['User'],
      },
      text('display', 'Ignored', { mutability: 'readOnly' }),
      text('type', 'User: groups are not nested', { mutability: 'immutable', canonicalValues: ['User'] }),
    ]),
  ],
};

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'Accounts',
  schema: userSchema,
  extensions: [enterpriseSchema],
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of accounts',
  schema: groupSchema,
  extensions: [],
};

export const resourceTypes: readonly ResourceType[] = [userType, groupType];
