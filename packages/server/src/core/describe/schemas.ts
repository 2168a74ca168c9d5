// Schemas of the contract as JSON schemas. A named schema appears once, under components/schemas.
import { z } from 'zod'

export type Json = Record<string, unknown>

/** Returns a string as it is, any other value as ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Schemas by name, collected while a description is built. */
export class Schemas {
  readonly named: Record<string, Json> = {}

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const whole = jsonSchema(z.strictObject({ schema }), io)
    for (const [name, one] of Object.entries((whole['$defs'] ?? {}) as Record<string, Json>)) {
      this.named[name] ??= tidy(one) as Json
    }
    const { schema: own } = whole['properties'] as { schema: Json }
    return tidy(own) as Json
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: made }) {
      const { def } = zodSchema as unknown as z.ZodType
      // zod omits the default if input and output differ.
      if (def.type === 'default') made.default = (def as unknown as { defaultValue: typeof made.default }).defaultValue
      if (io !== 'input' || def.type !== 'pipe') return
      const { out } = def as unknown as { out: z.ZodType }
      // A number that is sent as text in a URL is described as the number it is converted to.
      if (out.def.type === 'transform') return
      const { description } = made
      for (const key of Object.keys(made)) delete made[key]
      const { $schema: _, ...json } = z.toJSONSchema(out, { io }) as Json
      Object.assign(made, json, description === undefined ? {} : { description })
    },
  }) as Json
}

/** Removes noise: the default bounds of integers, and names of schemas that their keys already contain. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value as Json).flatMap(([key, part]): [string, unknown][] => {
    if (key === 'minimum' && part === Number.MIN_SAFE_INTEGER) return []
    if (key === 'maximum' && part === Number.MAX_SAFE_INTEGER) return []
    if (key === 'id' && typeof part === 'string') return []
    if (key === '$ref') return [[key, textOf(part).replace('#/$defs/', '#/components/schemas/')]]
    return [[key, tidy(part)]]
  })
  const whole = (value as Json)['type'] === 'integer' && !('const' in value) && !('enum' in value)
  return Object.fromEntries([...kept, ...(whole ? [['format', 'int64']] : [])])
}
