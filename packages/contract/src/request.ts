import type { CallShape } from './call.ts'

/** Header of a refused sign-in, with the value `due`: the next attempt needs a captcha. */
export const captchaDueHeader = 'x-cloudoc-captcha'

/** The parts of a call that define its HTTP request. */
type Travel = Pick<CallShape, 'method' | 'path' | 'payload' | 'bodyField'>

/** An input distributed over the parts of an HTTP request, for any HTTP client. */
export interface PlacedRequest {
  readonly method: CallShape['method']
  /** Relative to the API base, including the query. */
  readonly path: string
  /** Absent if the call has no body, and for uploads, whose body is the content. */
  readonly body?: { readonly type: string; readonly text: string }
}

/** Encodes fields as a query or form; arrays become repeated keys ([R376]). */
function encode(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((one: unknown) => [key, String(one)] as const),
    )
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** The fields of an input, for code that passes on any of them. */
export type Fields = Readonly<Record<string, unknown>>

/** Distributes an input over path, query and body as its call declares. */
export function placeInput(call: Travel, input: Fields): PlacedRequest {
  const rest = { ...input }
  const take = (field: string): unknown => {
    const value = rest[field]
    delete rest[field]
    return value
  }
  const bare = call.path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(take(field))))
  const withQuery = (): string => {
    const query = encode(rest)
    return query === '' ? bare : `${bare}?${query}`
  }
  if (call.bodyField !== undefined) {
    const whole = take(call.bodyField)
    const body =
      call.payload === 'text'
        ? { type: 'text/plain', text: String(whole) }
        : { type: 'application/json', text: JSON.stringify(whole) }
    return { method: call.method, path: withQuery(), body }
  }
  if (call.payload === 'json') {
    return { method: call.method, path: bare, body: { type: 'application/json', text: JSON.stringify(rest) } }
  }
  if (call.payload === 'form') {
    const type = 'application/x-www-form-urlencoded'
    return { method: call.method, path: bare, body: { type, text: encode(rest) } }
  }
  return { method: call.method, path: withQuery() }
}
