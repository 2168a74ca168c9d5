// GET /services2/openapi.json: the catalogue as OpenAPI 3.1, so that a foreign client needs nothing else.
import type { Call, Calls } from '@cloudoc/contract'
import { z } from 'zod'

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  multipart: 'multipart/form-data',
  raw: 'application/octet-stream',
} as const

type JsonObject = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject
  return json
}

/** Who may call; which object a gate is asked of is in the input. */
function authorityOf(call: Call): string {
  if ('guard' in call) return call.guard.meaning
  if ('open' in call) return `everybody: ${call.open}`
  return 'whoever has the right to it on what the input names'
}

function operation(name: string, call: Call): JsonObject {
  const input = schemaOf(call.input, 'input')
  const properties = (input['properties'] ?? {}) as Record<string, JsonObject>
  const required = new Set((input['required'] ?? []) as string[])
  const inPath = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))
  const inQuery = (field: string): boolean =>
    !inPath.has(field) &&
    field !== call.bodyField &&
    (call.payload === 'query' || call.payload === 'none' || call.payload === 'text' || call.payload === 'raw')
  const fields = Object.keys(properties)
  const parameters = fields
    .filter((field) => inPath.has(field) || inQuery(field))
    .map((field) => ({
      name: field,
      in: inPath.has(field) ? 'path' : 'query',
      required: inPath.has(field) || required.has(field),
      schema: properties[field],
    }))
  if (call.auth === 'query') {
    parameters.push({ name: 'access_token', in: 'query', required: false, schema: { type: 'string' } })
  }
  const body = fields.filter((field) => !inPath.has(field) && !inQuery(field))
  const requestBody = (): JsonObject => {
    if (call.payload === 'raw') return { type: 'string', format: 'binary' }
    if (call.bodyField !== undefined) return properties[call.bodyField] ?? {}
    const own = Object.fromEntries(body.map((field) => [field, properties[field]]))
    const file = call.payload === 'multipart' ? { file: { type: 'string', format: 'binary' } } : {}
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
  return {
    operationId: name,
    'x-authority': authorityOf(call),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(contentType === undefined
      ? {}
      : { requestBody: { required: needsBody, content: { [contentType]: { schema: requestBody() } } } }),
    responses: {
      200: {
        description: 'result -1: done; any other number is a result code',
        content:
          call.kind === 'stream'
            ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
            : {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['result', 'data', 'msg'],
                    properties: {
                      result: { type: 'integer' },
                      data: { anyOf: [schemaOf(call.data, 'output'), { type: 'null' }] },
                      msg: { type: 'string' },
                    },
                  },
                },
              },
      },
      400: { $ref: '#/components/responses/Refused' },
      ...(call.auth === 'required' || call.auth === 'query' ? { 401: { $ref: '#/components/responses/Refused' } } : {}),
    },
    ...(call.auth === 'none' ? { security: [] } : {}),
  }
}

/** The answer to a request that is broken or has no session. */
const refused = {
  description: 'the code says why',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['result', 'data', 'msg'],
        properties: { result: { type: 'integer' }, data: { type: 'null' }, msg: { type: 'string' } },
      },
    },
  },
} as const

/** The whole catalogue as an OpenAPI document. */
export function openApi(calls: Calls): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, declared] of Object.entries(calls)) {
    const call = declared as Call
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cloudoc', version: '1' },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: { Refused: refused },
    },
    security: [{ bearer: [] }],
    paths,
  }
}
