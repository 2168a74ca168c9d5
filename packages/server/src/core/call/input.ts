// From a request to a call's input: path, query and body become one flat object, parsed by the call's closed schema.
import type { Call } from '@cloudoc/contract'
import { type CodeName, codes, ResultError } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { readMultipart, readRaw } from './bodies.ts'

/** Fields that every call accepts and none reads: a cache breaker ([R376]) and the token of stream calls. */
const ignored = new Set(['rnd', 'access_token'])

function plainFields(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
}

/** A call's input as sent, and the content that follows it in an upload. */
export interface Incoming {
  readonly raw: Record<string, unknown>
  readonly upload: Upload | undefined
}

/** The content of an upload, with the name its part carries. */
export interface Upload {
  readonly fileName: string
  readonly content: AsyncIterable<Uint8Array>
}

/** The input as sent, unparsed. A body that is no object where fields are expected is refused as bad parameters. */
export async function readInput(call: Call, request: FastifyRequest): Promise<Incoming> {
  // Without a prototype a field called __proto__ is a field like any other, and refused like any unknown one.
  const fields = Object.assign(Object.create(null) as Record<string, unknown>, plainFields(request.query))
  let upload: Upload | undefined
  if (call.payload === 'multipart') {
    const multipart = await readMultipart(request.raw, request.headers['content-type'])
    Object.assign(fields, multipart.fields)
    upload = multipart
  } else if (call.payload === 'raw') {
    upload = { fileName: '', content: readRaw(request.raw) }
  } else if (call.bodyField !== undefined) {
    fields[call.bodyField] = request.body
  } else if (call.payload === 'json' || call.payload === 'form') {
    const { body = {} } = request
    if (body === null || typeof body !== 'object' || Array.isArray(body))
      throw new ResultError('badRequest', 'the body must be an object')
    Object.assign(fields, plainFields(body))
  }
  Object.assign(fields, plainFields(request.params))
  for (const name of ignored) delete fields[name]
  return { raw: fields, upload }
}

/** Parses an input; a schema issue that names a result code fails with it, any other with "bad parameters". */
export function parseInput(schema: z.ZodObject, raw: Record<string, unknown>): z.output<z.ZodObject> {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const named = issue?.code === 'custom' ? (issue.params?.['resultCode'] as CodeName | undefined) : undefined
  if (named !== undefined && named in codes) throw new ResultError(named)
  const where = issue?.path.join('.') ?? ''
  throw new ResultError('badRequest', where === '' ? issue?.message : `${where}: ${issue?.message}`)
}
