// The WebDAV paths of openapi.json, as far as OpenAPI knows their methods. The others are defined in RFC 4918.

const path = {
  name: 'path',
  in: 'path',
  description: 'The names of a library, its folders and a file.',
  required: true,
  schema: { type: 'string' },
  example: '合同/2026/租赁.docx',
}
const refusals = {
  401: { description: 'The user name is not the account of the token, or there is no token.' },
  403: { description: 'Refused; the body names the code.' },
  404: { description: 'Nothing that the caller may see stands there.' },
  423: { description: 'Locked by somebody else.' },
}

export const davPaths = {
  '/dav/{path}': {
    parameters: [path],
    get: {
      summary: 'Reads a file of a network drive',
      operationId: 'davGet',
      responses: { 200: { description: 'The content.' }, ...refusals },
    },
    put: {
      summary: 'Writes a file of a network drive',
      operationId: 'davPut',
      requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
      responses: { 201: { description: 'A new file.' }, 204: { description: 'A new version.' }, ...refusals },
    },
    delete: {
      summary: 'Moves what stands there to the recycle bin',
      operationId: 'davDelete',
      responses: { 204: { description: 'Done.' }, ...refusals },
    },
  },
}
