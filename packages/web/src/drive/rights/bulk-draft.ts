/*
 * The rights on several items while they are changed together: what is done is done to each item's own list, and what
 * nobody touched stays as it is there.
 */
import { type DraftEntry, type RightsDraft, withEntry, withoutEntry } from './rights-draft.ts'

/** Items whose lists are changed together. */
export const maxBulkItems = 100

type Subject = Pick<DraftEntry, 'subjectType' | 'subjectId'>

/** What is done to one subject on every item. */
export type BulkChange =
  | { readonly give: Pick<DraftEntry, 'subjectType' | 'subjectId' | 'subjectName' | 'rights' | 'expireTime'> }
  | { readonly take: Subject }

/** A subject on several items. */
export interface BulkRow extends Pick<DraftEntry, 'subjectType' | 'subjectId' | 'subjectName'> {
  /** On how many of the items. */
  readonly on: number
  /** On how many of them from above. */
  readonly inherited: number
  /** Undefined where the items differ. */
  readonly rights: number | undefined
  /** Undefined where the items differ. */
  readonly expireTime: number | null | undefined
}

export const subjectKey = ({ subjectType, subjectId }: Subject): string => `${subjectType} ${subjectId}`

/** Entries of approved requests come and go with these. */
const isList = ({ kind }: DraftEntry): boolean => kind !== 'application'

/** An item's list after what was done. */
export function applyChanges(before: RightsDraft, deeds: readonly BulkChange[]): RightsDraft {
  return deeds.reduce((draft, deed) => {
    if ('give' in deed)
      return withEntry(draft, { ...deed.give, people: 1, kind: 'independent', source: { folderId: 0, fName: '' } })
    const own = draft.entries.find((entry) => isList(entry) && subjectKey(entry) === subjectKey(deed.take))
    return own === undefined ? draft : withoutEntry(draft, own)
  }, before)
}

/** Who has something on any of the items, those on most of them first. */
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
