// Makes a sample of a payload from its schema.
import { mainServerId } from '@cloudoc/domain'
import { z } from 'zod'

/** What a sample is about. */
export interface About {
  readonly now: number
  readonly userId: number
  readonly account: string
  readonly person: string
  /** A folder that the receiver sees. */
  readonly itemId: number
  readonly item: string
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** The values of fields whose names say what they hold. */
const byName = (about: About): Readonly<Record<string, unknown>> => ({
  serverId: mainServerId,
  fId: about.itemId,
  itemId: about.itemId,
  parentId: about.itemId,
  fType: 2,
  fName: about.item,
  userId: about.userId,
  accountId: about.userId,
  account: about.account,
  accountName: about.person,
  userName: about.person,
})

/** A payload that the schema accepts. */
export function samplePayload(schema: z.ZodType, about: About): Record<string, unknown> {
  const root = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as unknown as Schema
  const names = byName(about)
  const accepts = (field: Schema, value: unknown): boolean => {
    if (field.const !== undefined) return field.const === value
    if (field.enum !== undefined) return field.enum.includes(value)
    const types = [field.type].flat()
    return types.includes(typeof value === 'number' ? 'integer' : 'string') || types.includes('number')
  }
  const valueOf = (field: Schema, name: string): unknown => {
    if (field.$ref !== undefined) return valueOf(root.$defs?.[field.$ref.split('/').at(-1) ?? ''] ?? root, name)
    if (Object.hasOwn(names, name) && accepts(field, names[name])) return names[name]
    if (field.const !== undefined) return field.const
    if (field.enum !== undefined) return field.enum[0]
    const [choice] = field.anyOf ?? field.oneOf ?? field.allOf ?? []
    if (choice !== undefined) return valueOf(choice, name)
    switch ([field.type].flat()[0]) {
      case 'object':
        return objectOf(field)
      case 'array':
        return (field.prefixItems ?? Array.from({ length: field.minItems ?? 1 }, () => field.items ?? {})).map((one) =>
          valueOf(one, ''),
        )
      case 'boolean':
        return false
      case 'integer':
      case 'number':
        if (/time$|^at$/i.test(name)) return about.now
        return Math.max(field.minimum ?? 1, field.exclusiveMinimum === undefined ? 1 : field.exclusiveMinimum + 1)
      case 'null':
        return null
      default:
        return /name$/i.test(name) ? about.person : 'test'.padEnd(field.minLength ?? 0, 't')
    }
  }
  const objectOf = (field: Schema): Record<string, unknown> =>
    Object.fromEntries((field.required ?? []).map((name) => [name, valueOf(field.properties?.[name] ?? {}, name)]))
  return objectOf(root.$ref === undefined ? root : (root.$defs?.[root.$ref.split('/').at(-1) ?? ''] ?? root))
}
