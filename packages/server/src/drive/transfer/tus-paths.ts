// The tus paths of openapi.json. The headers are defined in tus 1.0 (https://tus.io/protocols/resumable-upload).

const text = { type: 'string' }
const whole = { type: 'integer', format: 'int64' }
const version = {
  name: 'Tus-Resumable',
  in: 'header',
  description: 'The version of tus.',
  required: true,
  schema: { type: 'string', const: '1.0.0' },
}
const header = (name: string, schema: object, example: unknown, required = false): object => ({
  name,
  in: 'header',
  description: `As tus says of ${name}.`,
  required,
  schema,
  example,
})
const headerOf = (description: string, schema: object): object => ({ description, schema })
const offset = headerOf('How many bytes are held.', whole)
const fileId = headerOf('The file, once all bytes are held.', whole)
const checksum = header('Upload-Checksum', text, 'sha256 n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=')
const bytes = (required: boolean): object => ({
  required,
  content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
})
const refusal = (description: string): object => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})
const texts: Readonly<Record<number, string>> = {
  400: 'a header is missing or broken',
  401: 'there is no session, or it has ended',
  403: 'refused: the right, the type or the secret level',
  404: 'there is no such folder or upload',
  409: 'the bytes begin where those that are held do not end',
  412: 'another version of tus is asked for',
  413: 'too large, or no space',
  422: 'any other refusal: its code says why',
  429: 'too many uploads are open',
  460: 'the bytes are not those of the checksum, or broke off',
  500: 'our fault',
  507: 'the disk is full',
}
const refused = (...statuses: readonly number[]): object =>
  Object.fromEntries(
    statuses.map((status) => [status, status === 412 ? { description: texts[412] } : refusal(texts[status] ?? '')]),
  )
const common = [400, 401, 403, 404, 412, 413, 422, 460, 500, 507] as const

const uploadId = {
  name: 'uploadId',
  in: 'path',
  description: 'The last part of its address.',
  required: true,
  schema: { type: 'string', pattern: String.raw`^\d{1,15}-[\w-]{24}$` },
  example: '34-AbCdEfGhIjKlMnOpQrStUvWx',
}
const describe = (operationId: string, summary: string, description: string): object => ({
  operationId,
  tags: ['transfer'],
  summary,
  description,
})
const abilities = {
  204: {
    description: 'version, extensions, checksum algorithms and the largest upload, in headers',
    headers: { 'Tus-Version': headerOf('1.0.0', text), 'Tus-Extension': headerOf('With commas.', text) },
  },
  ...refused(400, 500),
}

/** The paths of tus. */
export const tusPaths = {
  '/services2/upload/tus': {
    options: {
      ...describe('tusOptions', 'Tells what tus can do here', 'For everybody.'),
      security: [],
      responses: abilities,
    },
    post: {
      ...describe(
        'tusCreate',
        'Begins an upload by tus',
        'Upload-Metadata names `folderId` and `filename`, and if wanted `conflict`, `secretLevel`, `duration`, `unit` and `sha256`. The body may bring the first bytes.',
      ),
      parameters: [
        version,
        header('Upload-Length', whole, 20_480, true),
        header('Upload-Metadata', text, 'folderId MzQ=,filename 5ZCI5ZCMLmRvY3g=', true),
        checksum,
      ],
      requestBody: bytes(false),
      responses: {
        201: {
          description: 'begun; Location is its address',
          headers: {
            Location: headerOf('Where it goes on.', text),
            'Upload-Offset': offset,
            'Cloudoc-File-Id': fileId,
          },
        },
        ...refused(...common, 429),
      },
    },
  },
  '/services2/upload/tus/{uploadId}': {
    parameters: [uploadId],
    options: {
      ...describe('tusOptionsOfOne', 'Tells what tus can do here, at the address of an upload', 'For everybody.'),
      security: [],
      responses: abilities,
    },
    head: {
      ...describe('tusHead', 'Tells how many bytes of an upload are held', 'For whoever began it.'),
      parameters: [version],
      responses: {
        200: {
          description: 'how far it has got',
          headers: {
            'Upload-Offset': offset,
            'Upload-Length': headerOf('Bytes in all.', whole),
            'Upload-Metadata': headerOf('As it was begun with.', text),
            'Upload-Expires': headerOf('When it is given up, while bytes are missing.', text),
            'Cloudoc-File-Id': fileId,
          },
        },
        ...Object.fromEntries(
          [400, 401, 403, 404, 412, 422, 500].map((status) => [status, { description: texts[status] }]),
        ),
      },
    },
    patch: {
      ...describe('tusPatch', 'Adds bytes to an upload', 'For whoever began it. The last byte makes the file.'),
      parameters: [version, header('Upload-Offset', whole, 0, true), checksum],
      requestBody: bytes(true),
      responses: {
        204: { description: 'held', headers: { 'Upload-Offset': offset, 'Cloudoc-File-Id': fileId } },
        ...refused(...common, 409),
      },
    },
    delete: {
      ...describe('tusTerminate', 'Gives an upload up', 'For whoever began it.'),
      parameters: [version],
      responses: { 204: { description: 'given up' }, ...refused(401, 404, 409, 412, 422, 500) },
    },
    post: {
      ...describe(
        'tusOverridden',
        'Any of these, for clients that know no other methods',
        'X-HTTP-Method-Override names the method.',
      ),
      parameters: [
        version,
        header('X-HTTP-Method-Override', { type: 'string', enum: ['PATCH', 'DELETE', 'HEAD'] }, 'PATCH', true),
        header('Upload-Offset', whole, 0),
        checksum,
      ],
      requestBody: bytes(false),
      responses: {
        200: { description: 'as of HEAD', headers: { 'Upload-Offset': offset, 'Cloudoc-File-Id': fileId } },
        204: { description: 'as of PATCH or DELETE', headers: { 'Upload-Offset': offset, 'Cloudoc-File-Id': fileId } },
        ...refused(...common, 409),
      },
    },
  },
} as const
