// Answers of servers of a later release.
import type { z } from 'zod'

/** Parses an answer. Fields that this release does not know are left out: the other server may be newer. */
export function parseKnown<S extends z.ZodType>(schema: S, data: unknown): z.ZodSafeParseResult<z.output<S>> {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed
  const { issues } = parsed.error
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return parsed
    const holder = issue.path.reduce<unknown>((at, key) => Reflect.get(at as object, key), data)
    for (const key of issue.keys) Reflect.deleteProperty(holder as object, key)
  }
  return schema.safeParse(data)
}
