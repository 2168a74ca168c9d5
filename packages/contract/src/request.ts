import type { CallShape } from './call.ts'

/** What a request is made of. */
type Travel = Pick<CallShape, 'method' | 'path' | 'payload' | 'bodyField'>

/** Where the parts of an input travel, for any HTTP client. */
export interface PlacedRequest {
  readonly method: CallShape['method']
  /** Below the API's base, with its query. */
  readonly path: string
  /** Absent where the call has no body, and for uploads, whose body is the content. */
  readonly body?: { readonly type: string; readonly text: string }
}

/** Fields as a query or form; arrays travel as repeated keys ([R376]). */
function encode(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((one: unknown) => [key, String(one)] as const),
    )
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** Places an input where its call says that it travels: path, query or body. */
export function placeInput(call: Travel, input: Readonly<Record<string, unknown>>): PlacedRequest {
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
