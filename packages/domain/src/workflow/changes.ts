// What differs between two states of a template: shown before publishing, and when somebody else has published meanwhile.
import { edgesFrom, type Template, type TemplateNode } from './template.ts'

/** One difference. `name` is that of the node or field; empty for the rules of the template. */
export interface TemplateChange {
  readonly of: 'node' | 'field' | 'rules'
  readonly what: 'added' | 'removed' | 'changed'
  readonly id: string
  readonly name: string
}

/** A node with what leads on from it: a changed way on is a change of the node. */
const nodeContent = (template: Template, node: TemplateNode): string =>
  stable([node, edgesFrom(template, node.id).map(({ to, when, otherwise }) => ({ to, when, otherwise }))])

/** JSON with sorted keys: the database returns objects in another order than they were sent. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

function compare<T extends Named>(
  of: 'node' | 'field',
  before: readonly T[],
  after: readonly T[],
  content: (one: T, side: 'before' | 'after') => string,
): TemplateChange[] {
  const old = new Map(before.map((one) => [one.id, one]))
  const kept = new Set(after.map(({ id }) => id))
  const found = after.flatMap((one): TemplateChange[] => {
    const was = old.get(one.id)
    if (was === undefined) return [{ of, what: 'added', id: one.id, name: one.name }]
    if (content(was, 'before') === content(one, 'after')) return []
    return [{ of, what: 'changed', id: one.id, name: one.name }]
  })
  const gone = before.filter(({ id }) => !kept.has(id))
  return [...found, ...gone.map(({ id, name }): TemplateChange => ({ of, what: 'removed', id, name }))]
}

/** All differences, in the order in which nodes and fields are drawn. */
export function templateChanges(before: Template, after: Template): readonly TemplateChange[] {
  const sides = { before, after }
  const rulesOf = ({ launcherDecides, skipsSame }: Template): string => `${launcherDecides} ${skipsSame}`
  return [
    ...compare('node', before.nodes, after.nodes, (node, side) => nodeContent(sides[side], node)),
    ...compare('field', before.fields, after.fields, stable),
    ...(rulesOf(before) === rulesOf(after) ? [] : [{ of: 'rules', what: 'changed', id: '', name: '' } as const]),
  ]
}
