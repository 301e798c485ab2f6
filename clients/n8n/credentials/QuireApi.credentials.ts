import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

/** Address of a Quire server and the key with which it is called. */
export class QuireApi implements ICredentialType {
  name = 'quireApi';

  displayName = 'Quire API';

  icon = 'file:../nodes/Quire/quire.svg' as const;

  documentationUrl = 'https://github.com/quire/quire/blob/main/docs/guides/clients/n8n.md';

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      default: 'http://localhost:8080',
      placeholder: 'https://quire.example.com',
      description: 'Address of the server, without /api',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Key of a user, from the account page of the console. Empty for a server without login.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-KEY': '={{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}',
      url: '/api/v1/general/jobs',
      qs: { limit: 1 },
    },
  };
}
