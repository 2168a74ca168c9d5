/*
 * The list of rights on an item while it is being changed: what is there, and what its editor makes of it. An entry that
 * comes from above is not changed where it is: it becomes one of the item's own, or, taken away, ends the inheritance, with
 * the others kept as the item's own ([R209]).
 */
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { Right } from '@cloudoc/domain'

/** An item whose rights are managed. */
export type ManagedItem = Pick<ItemRecord, 'fId' | 'fType' | 'fName'> & Partial<Pick<ItemRecord, 'secretLevel'>>

/** Whoever hides items from more people than this says so. */
export const confirmationThreshold = 10

export type RightsEntry = Answer<typeof calls.getShareList>['entries'][number]

/** An entry of the draft. */
export interface DraftEntry extends RightsEntry {
  /** Changed or new, not saved. */
  readonly changed?: true
}

export interface RightsDraft {
  readonly inherit: boolean
  readonly restricted: boolean
  readonly entries: readonly DraftEntry[]
}

export const entryKey = ({
  subjectType,
  subjectId,
  kind,
}: Pick<RightsEntry, 'subjectType' | 'subjectId' | 'kind'>): string =>
  `${subjectType}:${subjectId}:${kind === 'application' ? kind : ''}`

/** Whether an entry denies something to more than one person. */
export const deniesSeveral = ({ subjectType, rights }: DraftEntry): boolean =>
  subjectType !== 'user' && (rights & Right.deny) !== 0

/** The draft with an entry of the item's own in the place of that subject's. */
export function withEntry(draft: RightsDraft, entry: DraftEntry): RightsDraft {
  const own: DraftEntry = { ...entry, kind: 'independent', changed: true }
  const key = entryKey(own)
  const at = draft.entries.findIndex((one) => entryKey(one) === key)
  const entries = [...draft.entries]
  entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, own)
  return { ...draft, entries }
}

/** The draft without an entry; without one from above it inherits no more, and keeps the others. */
export function withoutEntry(draft: RightsDraft, entry: DraftEntry): RightsDraft {
  const entries = draft.entries.filter((one) => one !== entry)
  return entry.kind === 'inherited' ? withoutInheritance({ ...draft, entries }) : { ...draft, entries }
}

/** The draft that inherits no more, with what came from above as the item's own. */
export function withoutInheritance(draft: RightsDraft): RightsDraft {
  return {
    ...draft,
    inherit: false,
    entries: draft.entries.map((one) =>
      one.kind === 'inherited' ? { ...one, kind: 'independent' as const, changed: true } : one,
    ),
  }
}

/** The list as it is set. */
export function listOf({ inherit, restricted, entries }: RightsDraft) {
  return {
    inherit,
    restricted,
    entries: entries
      .filter(({ kind }) => kind === 'independent')
      .map(({ subjectType, subjectId, rights, expireTime }) => ({ subjectType, subjectId, rights, expireTime })),
  }
}

/** How many entries and switches differ from what is there. */
export function changesOf(before: RightsDraft, draft: RightsDraft): number {
  const had = new Map(listOf(before).entries.map((entry) => [`${entry.subjectType}:${entry.subjectId}`, entry]))
  let n = Number(before.inherit !== draft.inherit) + Number(before.restricted !== draft.restricted)
  for (const entry of listOf(draft).entries) {
    const key = `${entry.subjectType}:${entry.subjectId}`
    const one = had.get(key)
    if (one?.rights !== entry.rights || one.expireTime !== entry.expireTime) n += 1
    had.delete(key)
  }
  return n + had.size
}

/** What names an item to the calls of rights. */
export const refOf = ({ fId, fType }: Pick<ItemRecord, 'fId' | 'fType'>) =>
  fType === 2 ? { folderId: fId } : { fileId: fId }
