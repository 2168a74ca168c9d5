/*
 * The permissions of several items while they are edited together. Each edit is applied to the own list of each item.
 * Entries that were not edited stay as they are on each item.
 */
import { type DraftEntry, type RightsDraft, withEntry, withoutEntry } from './rights-draft.ts'

/** The maximum number of items that are edited together. */
export const maxBulkItems = 100

type Subject = Pick<DraftEntry, 'subjectType' | 'subjectId'>

/** An edit of one subject on every item. */
export type BulkChange =
  | { readonly give: Pick<DraftEntry, 'subjectType' | 'subjectId' | 'subjectName' | 'rights' | 'expireTime'> }
  | { readonly take: Subject }

/** A subject on several items. */
export interface BulkRow extends Pick<DraftEntry, 'subjectType' | 'subjectId' | 'subjectName'> {
  /** The number of items that have an entry of the subject. */
  readonly on: number
  /** The number of those whose entry is inherited. */
  readonly inherited: number
  /** Undefined if the items differ. */
  readonly rights: number | undefined
  /** Undefined if the items differ. */
  readonly expireTime: number | null | undefined
}

export const subjectKey = ({ subjectType, subjectId }: Subject): string => `${subjectType} ${subjectId}`

/** Entries of approved requests are managed with the requests and are left out. */
const isList = ({ kind }: DraftEntry): boolean => kind !== 'application'

/** Returns the list of an item after the edits. */
export function applyChanges(before: RightsDraft, deeds: readonly BulkChange[]): RightsDraft {
  return deeds.reduce((draft, deed) => {
    if ('give' in deed)
      return withEntry(draft, { ...deed.give, people: 1, kind: 'independent', source: { folderId: 0, fName: '' } })
    const own = draft.entries.find((entry) => isList(entry) && subjectKey(entry) === subjectKey(deed.take))
    return own === undefined ? draft : withoutEntry(draft, own)
  }, before)
}

/** Returns the subjects with an entry on any of the items, the most frequent first. */
export function bulkRows(drafts: readonly RightsDraft[]): readonly BulkRow[] {
  const entries = drafts.flatMap((draft) => draft.entries.filter(isList))
  const rows = [...Map.groupBy(entries, subjectKey).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { subjectType, subjectId, subjectName, rights, expireTime } = first
    return {
      ...{ subjectType, subjectId, subjectName, on: own.length },
      inherited: own.filter(({ kind }) => kind === 'inherited').length,
      rights: own.every((one) => one.rights === rights) ? rights : undefined,
      expireTime: own.every((one) => one.expireTime === expireTime) ? expireTime : undefined,
    }
  })
  return rows.sort((a, b) => b.on - a.on)
}
