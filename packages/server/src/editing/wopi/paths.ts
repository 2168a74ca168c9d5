// The WOPI part of openapi.json; the headers are described in the protocol
// (https://learn.microsoft.com/microsoft-365/cloud-storage-partner-program/rest).

const string = { type: 'string' } as const
const fileId = {
  name: 'fileId',
  in: 'path',
  description: 'The file.',
  required: true,
  schema: { type: 'string', pattern: String.raw`^[1-9]\d{0,14}$` },
  example: '42',
}
const key = {
  name: 'access_token',
  in: 'query',
  description: 'A key of createEditKey; may come as a bearer as well.',
  required: true,
  schema: string,
  example: 'KeyThatCreateEditKeyHasIssued',
}
const sent = (name: string, description: string, example: string, required = false): object => ({
  ...{ name, in: 'header', description, required, example },
  schema: string,
})
const proof = [
  sent('X-WOPI-Proof', 'The signature of the office server by its newest key.', 'c2lnbmF0dXJl', true),
  sent('X-WOPI-ProofOld', 'The same by the key before.', 'c2lnbmF0dXJl'),
  sent('X-WOPI-TimeStamp', 'When it was signed, in ticks; good for 20 minutes.', '638000000000000000', true),
]
const lock = sent('X-WOPI-Lock', 'The id of the lock, of up to 1024 bytes.', 'lock-1')
const meanings: Readonly<Record<number, string>> = {
  400: 'a header is missing or broken, or a name cannot be; X-WOPI-InvalidFileNameError says which',
  401: 'the key does not hold, or its person may not do it any more',
  404: 'there is no such file, or no office server is set',
  409: 'another lock is there: X-WOPI-Lock names it; or the name is taken',
  412: 'larger than X-WOPI-MaxExpectedSize',
  413: 'too large, or no space',
  500: 'the signature does not hold, or our fault',
  501: 'no such operation',
}
const refused = (...statuses: readonly number[]): object =>
  Object.fromEntries(statuses.map((status) => [status, { description: meanings[status] }]))
const header = (name: string, description: string) => ({ [name]: { description, schema: string } })
const version = header('X-WOPI-ItemVersion', 'The version of the file.')
const json = (description: string, schema: object): object => ({
  description,
  content: { 'application/json': { schema } },
})
const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
const describe = (operationId: string, summary: string, description: string): object => ({
  ...{ operationId, summary, description },
  tags: ['editing together'],
  // Authenticated by its key and signature only.
  security: [],
})

/** The addresses of WOPI. */
export const wopiPaths = {
  '/wopi/files/{fileId}': {
    parameters: [fileId, key, ...proof],
    get: {
      ...describe('wopiCheckFileInfo', 'Tells an office server of a file', 'CheckFileInfo, for whoever the key is of.'),
      responses: {
        200: json('the file, and what its person may do', {
          type: 'object',
          required: ['BaseFileName', 'OwnerId', 'Size', 'UserId', 'Version'],
          properties: {
            BaseFileName: string,
            OwnerId: string,
            Size: { type: 'integer', format: 'int64' },
            UserId: string,
            Version: string,
            UserFriendlyName: string,
            UserCanWrite: { type: 'boolean' },
            ReadOnly: { type: 'boolean' },
          },
        }),
        ...refused(401, 404, 500),
      },
    },
    post: {
      ...describe(
        'wopiOperation',
        'Locks, renames or copies a file for an office server',
        'X-WOPI-Override names the operation; LOCK with X-WOPI-OldLock is UnlockAndRelock.',
      ),
      parameters: [
        {
          name: 'X-WOPI-Override',
          in: 'header',
          description: 'What is to be done.',
          required: true,
          schema: {
            type: 'string',
            enum: ['LOCK', 'UNLOCK', 'REFRESH_LOCK', 'GET_LOCK', 'PUT_RELATIVE', 'RENAME_FILE'],
          },
          example: 'LOCK',
        },
        lock,
        sent('X-WOPI-OldLock', 'The lock that is to be exchanged.', 'lock-0'),
        sent('X-WOPI-RequestedName', 'The new name without its extension, in UTF-7.', 'report'),
        sent('X-WOPI-SuggestedTarget', 'A name, or an extension, for a copy, in UTF-7.', '.pdf'),
        sent('X-WOPI-RelativeTarget', 'The very name of a copy, in UTF-7.', 'copy.docx'),
        sent('X-WOPI-OverwriteRelativeTarget', 'Whether a file of that name gets it as a version.', 'false'),
      ],
      requestBody: { required: false, content },
      responses: {
        200: {
          ...json('done; PUT_RELATIVE and RENAME_FILE answer the name', {
            type: 'object',
            properties: { Name: string, Url: string },
          }),
          headers: { ...version, ...header('X-WOPI-Lock', 'The lock that is there.') },
        },
        ...refused(400, 401, 404, 409, 413, 500, 501),
      },
    },
  },
  '/wopi/files/{fileId}/contents': {
    parameters: [fileId, key, ...proof],
    get: {
      ...describe('wopiGetFile', 'Gives an office server the bytes of a file', 'GetFile.'),
      parameters: [sent('X-WOPI-MaxExpectedSize', 'More bytes than that are refused.', '2147483647')],
      responses: { 200: { description: 'the bytes', content, headers: version }, ...refused(401, 404, 412, 500) },
    },
    post: {
      ...describe('wopiPutFile', 'Stores what an office server has made of a file', 'PutFile, under its lock.'),
      parameters: [
        sent('X-WOPI-Override', 'Always PUT.', 'PUT', true),
        lock,
        sent('X-WOPI-Editors', 'Who took part, as UserId, with commas.', '7,12'),
      ],
      requestBody: { required: true, content },
      responses: {
        200: {
          ...json('stored', {
            type: 'object',
            properties: { LastModifiedTime: { type: 'string', format: 'date-time' } },
          }),
          headers: version,
        },
        ...refused(400, 401, 404, 409, 413, 500, 501),
      },
    },
  },
} as const
