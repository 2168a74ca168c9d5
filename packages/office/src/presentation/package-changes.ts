// Changes of the parts of a presentation.
import { attributeOf, type Package, relationsFile, relationsOf } from '../package/index.ts'

/** Changed parts; undefined deletes a part. */
export type SlideChanges = Map<string, string | Uint8Array | undefined>

const ownerOf = (file: string): string => file.replace(/_rels\/([^/]*)\.rels$/, '$1')
const partsOf = (packed: Package, owner: string): string[] =>
  [...relationsOf(packed, owner).values()].map(({ part }) => part)

/** The parts that have relationships. */
export const ownersIn = (packed: Package): string[] =>
  packed.names.filter((name) => name.endsWith('.rels')).map(ownerOf)

/** Deletes parts with all parts that only they refer to; returns those that are gone. */
export function dropParts(packed: Package, changes: SlideChanges, parts: readonly string[]): ReadonlySet<string> {
  const owners = ownersIn(packed)
  const targets = new Map(owners.map((owner) => [owner, new Set(partsOf(packed, owner))]))
  const gone = new Set<string>()
  const drop = (one: string): void => {
    gone.add(one)
    changes.set(one, undefined)
    if (packed.has(relationsFile(one))) changes.set(relationsFile(one), undefined)
    for (const next of targets.get(one) ?? []) {
      const isUsed = owners.some(
        (owner) => !gone.has(owner) && owner !== next && targets.get(owner)?.has(next) === true,
      )
      if (!gone.has(next) && !isUsed && packed.has(next)) drop(next)
    }
  }
  for (const part of parts) if (!gone.has(part)) drop(part)
  const types = '[Content_Types].xml'
  const before = packed.text(types)
  const after = before.replace(/<(?:\w+:)?Override\s[^>]*\/>/g, (tag) =>
    gone.has((attributeOf(tag, 'PartName') ?? '').replace(/^\//, '')) ? '' : tag,
  )
  if (after !== before) changes.set(types, after)
  return gone
}

/** Removes relationships of a part, and deletes the parts that nothing else refers to. */
export function dropUnused(
  packed: Package,
  changes: SlideChanges,
  owner: string,
  ids: ReadonlySet<string>,
  parts: readonly string[],
): void {
  if (ids.size === 0) return
  changes.set(relationsFile(owner), withoutRelations(packed, owner, ids))
  const others = ownersIn(packed).filter((one) => one !== owner)
  const used = new Set(others.flatMap((one) => partsOf(packed, one)))
  const unused = parts.filter((part) => packed.has(part) && !used.has(part))
  if (unused.length > 0) dropParts(packed, changes, unused)
}

/** The relationships part of a part without some. */
export function withoutRelations(packed: Package, owner: string, ids: ReadonlySet<string>): string {
  return packed
    .text(relationsFile(owner))
    .replace(/<(?:\w+:)?Relationship\s[^>]*\/>/g, (tag) => (ids.has(attributeOf(tag, 'Id') ?? '') ? '' : tag))
}
