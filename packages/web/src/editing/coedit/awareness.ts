// The other members and their cursors (Yjs awareness), as the editor bindings require.
import type { CoeditMember } from '@cloudoc/contract'
import type * as Y from 'yjs'

/** A member as the binding renders it. */
interface MemberCursor {
  readonly user: { readonly name: string; readonly color: string; readonly colorLight: string }
  readonly cursor: unknown
}

/** Dark enough for white text, and distinguishable for color-blind users. */
const colours = ['#0b57d0', '#a8071a', '#237804', '#7a4100', '#722ed1', '#00687a', '#9e1068', '#3f5a14'] as const

/**
 * The colors of the members, the same for all users. Each client has the color of its number, or the next free one, so
 * up to eight members have different colors.
 */
export function memberColours(members: readonly Pick<CoeditMember, 'client'>[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const used = new Set<number>()
  const clients = [...new Set(members.map(({ client }) => client))].sort((a, b) => a - b)
  for (const client of clients) {
    if (used.size === colours.length) used.clear()
    let at = client % colours.length
    while (used.has(at)) at = (at + 1) % colours.length
    used.add(at)
    found.set(client, colours[at] ?? colours[0])
  }
  return found
}

type Change = (change: { added: number[]; updated: number[]; removed: number[] }) => void

export type Awareness = ReturnType<typeof createAwareness>

/** Creates an empty awareness; `moved` receives the own cursor. */
export function createAwareness(doc: Y.Doc, moved: (cursor: string) => void) {
  const states = new Map<number, MemberCursor>()
  const listeners = new Set<Change>()
  let own: Readonly<Record<string, unknown>> = {}
  return {
    doc,
    getStates: (): ReadonlyMap<number, MemberCursor> => states,
    getLocalState: () => own,
    setLocalStateField(field: string, value: unknown): void {
      own = { ...own, [field]: value }
      if (field === 'cursor') moved(value === null ? '' : JSON.stringify(value))
    },
    on: (_name: 'change', hear: Change): void => void listeners.add(hear),
    off: (_name: 'change', hear: Change): void => void listeners.delete(hear),
    /** Replaces the members. */
    set(members: readonly CoeditMember[]): void {
      const before = [...states.keys()]
      states.clear()
      const colourOf = memberColours(members)
      for (const { client, name, cursor } of members) {
        if (client === doc.clientID) continue
        const color = colourOf.get(client) ?? colours[0]
        states.set(client, { user: { name, color, colorLight: `${color}2e` }, cursor: read(cursor) })
      }
      const updated = [...states.keys()]
      for (const hear of listeners)
        hear({ added: [], updated, removed: before.filter((client) => !states.has(client)) })
    },
  }
}

function read(cursor: string): unknown {
  try {
    return cursor === '' ? null : (JSON.parse(cursor) as unknown)
  } catch {
    return null
  }
}
