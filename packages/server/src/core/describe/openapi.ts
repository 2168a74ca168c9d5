// GET /services2/openapi.json: the catalogue as OpenAPI 3.1, sufficient for third-party clients.
import { BatchAnswer, type Call, type Calls, type ContractFeature } from '@cloudoc/contract'
import { type CodeName, codeMessage, codes } from '@cloudoc/domain'
import { exampleOf, meaningOf } from './examples.ts'
import { type Json, Schemas, textOf } from './schemas.ts'

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  multipart: 'multipart/form-data',
  raw: 'application/octet-stream',
} as const

const statusTexts: Readonly<Record<number, string>> = {
  206: 'the range that was asked for',
  302: 'where the content is fetched, on an installation whose store answers downloads itself',
  304: 'the content is what If-None-Match names',
  416: 'the content has no such range',
}
/** Example refusals by HTTP status. */
const refusals: Readonly<Record<number, { readonly name: string; readonly text: string; readonly code: CodeName }>> = {
  400: { name: 'BadRequest', text: 'the request is broken; `msg` says where', code: 'badRequest' },
  401: { name: 'NotLoggedIn', text: 'there is no session, or it has ended; `msg` says why', code: 'notLoggedIn' },
  403: { name: 'Refused', text: 'the content is refused; the code says why', code: 'noPermission' },
  404: { name: 'NotFound', text: 'the content is not there, or not for the caller', code: 'notFound' },
  500: { name: 'ServerException', text: 'our fault: nothing has been changed', code: 'serverException' },
  503: { name: 'Unavailable', text: 'the store of contents is away: ask again', code: 'storageUnavailable' },
}

const description = `Every answer of a call is an envelope: \`result\` is -1 where it is done, else the number of a refusal
(schema \`RefusalCode\`) with \`data: null\` and its text in \`msg\` (Chinese, or English where Accept-Language asks for it
first). A refusal of an ordinary call comes with status 200; a content that is refused with 403 or 404 and the same
envelope. A batch answers each of its items, and \`result\` is that of the first item that was refused. Another method than
the one described is refused with 405. Sign in with \`login3\`, naming a \`clientType\` of your own, and send the token as
\`Authorization: Bearer\`. Times are milliseconds since 1970 UTC, sizes bytes. What the server tells by itself is described
by /services2/asyncapi.json.`

/** A text of who may call. The input names the object that a gate checks. */
function authorityOf(call: Call): string {
  if ('guard' in call) return call.guard.meaning
  if ('open' in call) return `everybody: ${call.open}`
  return 'whoever has the right to it on what the input names'
}

function descriptionOf(call: Call): string {
  const named = (call.codes ?? []).map((name) => `${codes[name].code} ${codeMessage(name, 'en')}`)
  return [
    ...(call.notes === undefined ? [] : [call.notes]),
    `For ${authorityOf(call)}.`,
    ...(named.length > 0 ? [`Refusals to be ready for: ${named.join('; ')}.`] : []),
  ].join('\n\n')
}

/** The HTTP statuses of refusals that a call can answer. */
function refusedWith(call: Call): number[] {
  const needsSession = call.auth === 'required' || call.auth === 'query' || call.codes?.includes('notLoggedIn') === true
  const onItems = 'gate' in call
  return [
    400,
    ...(needsSession ? [401] : []),
    ...(call.kind === 'stream' ? [403] : []),
    ...(call.kind === 'stream' && onItems ? [404] : []),
    500,
    ...(onItems && (call.kind === 'stream' || call.kind === 'staged') ? [503] : []),
  ]
}

/** The envelope schema of success and refusal. */
function envelopeOf(call: Call, schemas: Schemas): Json {
  const envelope = (result: Json, data: Json): Json => ({
    type: 'object',
    required: ['result', 'data', 'msg'],
    properties: { result, data, msg: { type: 'string' } },
    additionalProperties: false,
  })
  const data = schemas.of(call.data, 'output')
  // Some items of a batch may be refused while others succeed.
  if (call.data === BatchAnswer) {
    return envelope({ $ref: '#/components/schemas/ResultCode' }, { anyOf: [data, { type: 'null' }] })
  }
  const done = envelope({ type: 'integer', const: codes.success.code }, data)
  return { oneOf: [done, { $ref: '#/components/schemas/Refusal' }] }
}

const refusalOf = (code: CodeName): Json => ({ result: codes[code].code, data: null, msg: codeMessage(code, 'en') })

function answers(call: Call, schemas: Schemas): Json {
  const refused = refusedWith(call).map((status) => [
    status,
    { $ref: `#/components/responses/${refusals[status]?.name ?? ''}` },
  ])
  if (call.kind === 'stream') {
    const { answers: type = 'application/octet-stream', statuses = [] } = call
    const schema = type.startsWith('image/svg') ? { type: 'string' } : { type: 'string', format: 'binary' }
    const content = { [type]: { schema } }
    const own = statuses.map((status) => [
      status,
      { description: statusTexts[status] ?? '', ...(status === 206 ? { content } : {}) },
    ])
    return Object.fromEntries([[200, { description: 'the content', content }], ...own, ...refused]) as Json
  }
  const schema = envelopeOf(call, schemas)
  const done = exampleOf(schema, schemas.named)
  const examples = {
    done: { summary: 'done', value: done },
    refused: { summary: 'refused', value: refusalOf(call.codes?.[0] ?? 'noPermission') },
  }
  const content = { 'application/json': { schema, examples } }
  return Object.fromEntries([[200, { description: 'done, or refused by a code', content }], ...refused]) as Json
}

/** An optional field of a body. Generators treat a field with `default` as always present. */
function inBody({ default: value, ...schema }: Json): Json {
  if (value === undefined) return schema
  const leftOut = `Left out: ${JSON.stringify(value)}.`
  const { description } = schema
  return { ...schema, description: description === undefined ? leftOut : `${textOf(description)} ${leftOut}` }
}

interface Described {
  readonly operationId: string
  readonly call: Call
  readonly tag: string
  readonly alias?: string
}

function operation({ operationId, call, tag, alias }: Described, schemas: Schemas): Json {
  const input = schemas.of(call.input, 'input')
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = new Set((input['required'] ?? []) as string[])
  const inPath = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))
  const inQuery = (field: string): boolean =>
    !inPath.has(field) &&
    field !== call.bodyField &&
    (call.payload === 'query' || call.payload === 'none' || call.payload === 'text' || call.payload === 'raw')
  const fields = Object.keys(properties)
  const parameters: Json[] = fields
    .filter((field) => inPath.has(field) || inQuery(field))
    .map((field) => ({
      name: field,
      in: inPath.has(field) ? 'path' : 'query',
      required: inPath.has(field) || required.has(field),
      description: meaningOf(field, properties[field]),
      schema: properties[field],
      example: exampleOf(properties[field] ?? {}, schemas.named, field),
    }))
  if (call.auth === 'query') {
    const about = 'The token, or a ticket of createDownloadTicket, where no header can be sent.'
    parameters.push({
      name: 'access_token',
      in: 'query',
      required: false,
      description: about,
      schema: { type: 'string' },
    })
  }
  const body = fields.filter((field) => !inPath.has(field) && !inQuery(field))
  const requestBody = (): Json => {
    if (call.payload === 'raw') return { type: 'string', format: 'binary' }
    if (call.bodyField !== undefined) return properties[call.bodyField] ?? {}
    const own = Object.fromEntries(
      body.map((field) => {
        const schema = properties[field] ?? {}
        return [field, inBody({ ...schema, description: meaningOf(field, schema) })]
      }),
    )
    const bytes = { type: 'string', format: 'binary', description: meaningOf('file', undefined) }
    const file = call.payload === 'multipart' ? { file: bytes } : {}
    const needed = [...body.filter((field) => required.has(field)), ...Object.keys(file)]
    return {
      type: 'object',
      properties: { ...own, ...file },
      ...(needed.length > 0 ? { required: needed } : {}),
      additionalProperties: false,
    }
  }
  const needsBody = call.payload === 'multipart' || call.payload === 'raw' || body.some((field) => required.has(field))
  const contentType = call.payload in bodyTypes ? bodyTypes[call.payload as keyof typeof bodyTypes] : undefined
  const bodyOf = (type: string): Json => {
    const schema = requestBody()
    const isText = call.payload !== 'raw' && call.payload !== 'multipart'
    const example = isText ? { example: exampleOf(schema, schemas.named, call.bodyField) } : {}
    return { required: needsBody, content: { [type]: { schema, ...example } } }
  }
  return {
    operationId,
    tags: [tag],
    summary: alias === undefined ? call.summary : `${call.summary} (another address of ${alias})`,
    description: descriptionOf(call),
    'x-authority': authorityOf(call),
    ...(alias === undefined ? {} : { 'x-alias-of': alias }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(contentType === undefined ? {} : { requestBody: bodyOf(contentType) }),
    responses: answers(call, schemas),
    ...(call.auth === 'none' ? { security: [] } : {}),
    ...(call.auth === 'optional' ? { security: [{ bearer: [] }, {}] } : {}),
  }
}

/** The result codes as an enumeration, with the meaning of each. */
function enumeration(names: readonly (keyof typeof codes)[], what: string): Json {
  const each = names.map((name) => ({ name, number: codes[name].code, en: codes[name].en, zh: codes[name].zh }))
  return {
    type: 'integer',
    description: [what, ...each.map(({ name, number, en, zh }) => `- ${number} ${name}: ${en} (${zh})`)].join('\n'),
    enum: each.map(({ number }) => number),
    'x-enum-varnames': each.map(({ name }) => name),
    'x-enum-descriptions': each.map(({ en }) => en),
  }
}

const codeNames = Object.keys(codes) as (keyof typeof codes)[]
const codeSchemas: Readonly<Record<string, Json>> = {
  ResultCode: enumeration(codeNames, 'What became of a call, or of an item of a batch.'),
  RefusalCode: enumeration(
    codeNames.filter((name) => name !== 'success'),
    'Why a call was refused.',
  ),
  Refusal: {
    type: 'object',
    required: ['result', 'data', 'msg'],
    properties: {
      result: { $ref: '#/components/schemas/RefusalCode' },
      data: { type: 'null' },
      msg: {
        type: 'string',
        description: 'The text of the code, and where one can say it, what of the request it is about.',
      },
    },
    additionalProperties: false,
  },
}

/** The operation name at an alias: the last segment of its path, as in the documents. */
const nameOfAlias = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The whole catalogue as an OpenAPI document, with the addresses that are not calls. */
export function openApi(features: readonly ContractFeature[], others: Readonly<Record<string, object>>): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  const add = (path: string, method: Call['method'], made: Json): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: made }
  }
  for (const { calls = {}, about } of features) {
    for (const [name, declared] of Object.entries<Calls[string]>(calls)) {
      const call = declared as Call
      const tag = about?.name ?? 'others'
      add(call.path, call.method, operation({ operationId: name, call, tag }, schemas))
      for (const path of call.aliases ?? []) {
        add(path, call.method, operation({ operationId: nameOfAlias(path), call, tag, alias: name }, schemas))
      }
    }
  }
  const responses = Object.entries(refusals).map(([, { name, text, code }]) => [
    name,
    {
      description: text,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, example: refusalOf(code) } },
    },
  ])
  const withoutName = features.some(({ about, calls }) => about === undefined && calls !== undefined)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloudoc',
      version: '1',
      description,
      contact: { name: 'whoever runs this installation' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'where this description was fetched' }],
    tags: [
      ...features.flatMap(({ about }) => (about === undefined ? [] : [{ name: about.name, description: about.text }])),
      ...(withoutName ? [{ name: 'others', description: 'What no feature has named' }] : []),
      { name: 'operations', description: 'What operators and programs ask of a server beside the calls' },
    ].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    security: [{ bearer: [] }],
    paths: { ...paths, ...others },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(responses) as Json,
      schemas: { ...schemas.named, ...codeSchemas },
    },
  }
}
