// Converts a request to a call's input: path, query and body become one flat object, parsed by the call's closed
// schema.
import type { Call } from '@cloudoc/contract'
import { type CodeName, codes, type Locale, ResultError } from '@cloudoc/domain'
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

/** The content of an upload, with the file name of its part. */
export interface Upload {
  readonly fileName: string
  readonly content: AsyncIterable<Uint8Array>
}

/** Reads the unparsed input. A body that is not an object, where fields are expected, is refused as bad parameters. */
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

/** Parses an input. A schema issue that names a result code fails with that code, any other with "bad parameters". */
export function parseInput<I extends z.ZodObject>(schema: I, raw: Record<string, unknown>): z.output<I> {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const named = issue?.code === 'custom' ? (issue.params?.['resultCode'] as CodeName | undefined) : undefined
  if (named !== undefined && named in codes) throw new ResultError(named)
  const where = issue?.path.join('.') ?? ''
  const what = issue === undefined ? undefined : issueText(issue, valueAt(raw, issue.path))
  if (what === undefined || where === '') throw new ResultError('badRequest', what)
  throw new ResultError('badRequest', { zh: `${where}：${what.zh}`, en: `${where}: ${what.en}` })
}

const valueAt = (raw: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at === null || typeof at !== 'object' ? undefined : Reflect.get(at, key)), raw)

const kinds: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  array: { zh: '列表', en: 'a list' },
  boolean: { zh: 'true 或 false', en: 'true or false' },
  int: { zh: '整数', en: 'a whole number' },
  number: { zh: '数字', en: 'a number' },
  object: { zh: '对象', en: 'an object' },
  string: { zh: '文本', en: 'a text' },
}

/** The text of a schema violation. */
function issueText(issue: z.core.$ZodIssue, value: unknown): Readonly<Record<Locale, string>> {
  const missing = { zh: '缺少', en: 'is missing' }
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected] ?? { zh: issue.expected, en: issue.expected }
      return value === undefined ? missing : { zh: `应为${kind.zh}`, en: `${kind.en} is expected` }
    }
    case 'invalid_union': {
      if (value === undefined) return missing
      // An integer is accepted as a number or as its digits. No other union of kinds has a text of its own.
      const isNumber = issue.errors.some(
        ([one]) => one?.code === 'invalid_type' && ['int', 'number'].includes(one.expected),
      )
      return isNumber
        ? { zh: '应为整数，或整数的数字文本', en: 'a whole number is expected, or its digits as a text' }
        : { zh: '不是可接受的值', en: 'none of the values that are taken' }
    }
    case 'too_big':
      return { zh: `不能超过 ${issue.maximum}`, en: `at most ${issue.maximum}` }
    case 'too_small':
      return { zh: `不能少于 ${issue.minimum}`, en: `at least ${issue.minimum}` }
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ')
      return value === undefined ? missing : { zh: `应为其中之一：${values}`, en: `one of ${values} is expected` }
    }
    case 'unrecognized_keys': {
      const keys = issue.keys.join(', ').slice(0, 100)
      return { zh: `没有这样的字段：${keys}`, en: `no such fields: ${keys}` }
    }
    case 'invalid_format':
      return { zh: '写法不对', en: 'is not written as it should be' }
    default:
      return { zh: issue.message, en: issue.message }
  }
}
