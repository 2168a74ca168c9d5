/*
 * The If header (RFC 4918, 10.4): lists of conditions, each about the resource named before it or the one requested. It
 * is true if one of its lists is; a list is true if all of its conditions are.
 */

/** One condition: a lock token or an ETag, possibly negated. */
interface Condition {
  readonly not: boolean
  readonly token?: string
  readonly etag?: string
}

export interface ConditionList {
  /** The address that the list is about; undefined for that of the request. */
  readonly address: string | undefined
  readonly conditions: readonly Condition[]
}

/** Parses the header. Undefined if it is malformed. */
export function parseIf(header: string): readonly ConditionList[] | undefined {
  const lists: ConditionList[] = []
  let rest = header.trim()
  let address: string | undefined
  while (rest !== '') {
    const tag = /^<([^>]*)>\s*/.exec(rest)
    if (tag !== null) {
      address = tag[1]
      rest = rest.slice(tag[0].length)
    }
    const list = /^\(((?:[^()"]|"[^"]*")*)\)\s*/.exec(rest)
    if (list === null) return undefined
    const conditions = conditionsOf(list[1] ?? '')
    if (conditions === undefined) return undefined
    lists.push({ address, conditions })
    rest = rest.slice(list[0].length)
  }
  return lists
}

function conditionsOf(text: string): readonly Condition[] | undefined {
  const conditions: Condition[] = []
  let rest = text.trim()
  while (rest !== '') {
    const match = /^(Not\s+)?(?:<([^>]*)>|\[((?:W\/)?"[^"]*")\])\s*/i.exec(rest)
    if (match === null) return undefined
    const [whole, not, token, etag] = match
    conditions.push({ not: not !== undefined, ...(token === undefined ? { etag: etag ?? '' } : { token }) })
    rest = rest.slice(whole.length)
  }
  return conditions.length === 0 ? undefined : conditions
}

/** All lock tokens that the header names. */
export const tokensOf = (lists: readonly ConditionList[]): readonly string[] =>
  lists.flatMap(({ conditions }) => conditions.flatMap(({ token }) => token ?? []))

/** Whether one list is true. `state` returns the tokens and the ETag that apply to an address. */
export async function holds(
  lists: readonly ConditionList[],
  state: (address: string | undefined) => Promise<{ readonly tokens: ReadonlySet<string>; readonly etag?: string }>,
): Promise<boolean> {
  for (const { address, conditions } of lists) {
    const { tokens, etag } = await state(address)
    const isTrue = conditions.every((one) => {
      const met = one.token === undefined ? one.etag === etag : tokens.has(one.token)
      return met !== one.not
    })
    if (isTrue) return true
  }
  return false
}
