// The SCIM paths of openapi.json. Bodies and answers are defined in RFC 7643 and 7644.

const scimBody = {
  required: true,
  content: { 'application/scim+json': { schema: { type: 'object' } } },
}
const scimAnswer = (description: string) => ({
  description,
  content: { 'application/scim+json': { schema: { type: 'object' } } },
})
const refusals = {
  400: { description: 'The body, the filter or the path is wrong; `scimType` says how.' },
  401: { description: 'No valid token of the scope provisioning.' },
  404: { description: 'No such resource.' },
}
const changeRefusals = { ...refusals, 409: { description: 'Another resource has this name.' } }
const id = {
  name: 'id',
  in: 'path',
  description: 'The id of the resource.',
  required: true,
  schema: { type: 'string' },
  example: '12',
}
const parameter = (name: string, description: string, type = 'string') => ({
  ...{ name, in: 'query', description, schema: { type } },
})
const paging = [
  parameter('filter', 'RFC 7644, 3.4.2.2, such as `userName eq "anna"`.'),
  parameter('startIndex', 'The first resource of the page, from 1.', 'integer'),
  parameter('count', 'How many; 500 at most.', 'integer'),
  parameter('attributes', 'Only these attributes.'),
  parameter('excludedAttributes', 'Without these attributes.'),
]

const kinds = [
  { path: 'Users', one: 'user', name: 'User' },
  { path: 'Groups', one: 'group', name: 'Group' },
] as const

const paths: readonly (readonly [string, object])[] = [
  ...kinds.flatMap(({ path, one, name }): [string, object][] => [
    [
      `/scim/v2/${path}`,
      {
        get: {
          ...{ operationId: `scimList${name}s`, tags: ['provisioning'], summary: `Lists or finds each ${one} (SCIM)` },
          parameters: paging,
          responses: { 200: scimAnswer('A page.'), ...refusals },
        },
        post: {
          ...{ operationId: `scimCreate${name}`, tags: ['provisioning'], summary: `Creates a ${one} (SCIM)` },
          requestBody: scimBody,
          responses: { 201: scimAnswer('Created.'), ...changeRefusals },
        },
      },
    ],
    [
      `/scim/v2/${path}/{id}`,
      {
        parameters: [id],
        get: {
          ...{ operationId: `scimGet${name}`, tags: ['provisioning'], summary: `Reads a ${one} (SCIM)` },
          responses: { 200: scimAnswer('The resource.'), ...refusals },
        },
        put: {
          ...{ operationId: `scimReplace${name}`, tags: ['provisioning'], summary: `Replaces a ${one} (SCIM)` },
          requestBody: scimBody,
          responses: { 200: scimAnswer('The resource.'), ...changeRefusals },
        },
        patch: {
          ...{ operationId: `scimPatch${name}`, tags: ['provisioning'], summary: `Changes a ${one} (SCIM)` },
          requestBody: scimBody,
          responses: {
            200: scimAnswer('The resource.'),
            204: { description: 'Done.' },
            ...changeRefusals,
            503: { description: 'More people than usual would be frozen: an administrator has to confirm it.' },
          },
        },
        delete: {
          ...{ operationId: `scimDelete${name}`, tags: ['provisioning'] },
          summary: name === 'User' ? 'Freezes an account (SCIM)' : 'Removes a group (SCIM)',
          responses: {
            204: { description: 'Done.' },
            ...refusals,
            503: { description: 'More people than usual would be frozen: an administrator has to confirm it.' },
          },
        },
      },
    ],
  ]),
  ...['ServiceProviderConfig', 'ResourceTypes', 'Schemas'].map((path): [string, object] => [
    `/scim/v2/${path}`,
    {
      get: {
        ...{ operationId: `scim${path}`, tags: ['provisioning'], summary: 'Tells what the server supports (SCIM)' },
        responses: { 200: scimAnswer('The description.'), ...refusals },
      },
    },
  ]),
]

export const scimPaths: Readonly<Record<string, object>> = Object.fromEntries(paths)
