/*
 * The draft of the permission list of an item: the saved list and the editor's changes. An inherited entry is not
 * changed in its origin. Editing it creates an entry on the item itself. Removing it ends the inheritance, and the
 * other inherited entries become the item's own ([R209]).
 */
import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { Right } from '@cloudoc/domain'

/** An item whose rights are managed. */
export type ManagedItem = Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'> &
  Partial<Pick<ItemRecord, 'secretLevel'>>

/** A confirmation is required to hide items from more people than this. */
export const confirmationThreshold = 10

export type RightsEntry = Answer<typeof calls.getShareList>['entries'][number]

export interface DraftEntry extends RightsEntry {
  /** Changed or new, and not saved. */
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

/** Whether an entry denies rights to more than one person. */
export const deniesSeveral = ({ subjectType, rights }: DraftEntry): boolean =>
  subjectType !== 'user' && (rights & Right.deny) !== 0

/** Returns the draft with an own entry that replaces the entry of the same subject. */
export function withEntry(draft: RightsDraft, entry: DraftEntry): RightsDraft {
  const own: DraftEntry = { ...entry, kind: 'independent', changed: true }
  const key = entryKey(own)
  const at = draft.entries.findIndex((one) => entryKey(one) === key)
  const entries = [...draft.entries]
  entries.splice(at < 0 ? entries.length : at, at < 0 ? 0 : 1, own)
  return { ...draft, entries }
}

/**
 * Returns the draft without an entry. Removing an inherited entry ends the inheritance; the other inherited entries
 * stay as own ones.
 */
export function withoutEntry(draft: RightsDraft, entry: DraftEntry): RightsDraft {
  const entries = draft.entries.filter((one) => one !== entry)
  return entry.kind === 'inherited' ? withoutInheritance({ ...draft, entries }) : { ...draft, entries }
}

/** Returns the draft without inheritance. Inherited entries become the item's own. */
export function withoutInheritance(draft: RightsDraft): RightsDraft {
  return {
    ...draft,
    inherit: false,
    entries: draft.entries.map((one) =>
      one.kind === 'inherited' ? { ...one, kind: 'independent' as const, changed: true } : one,
    ),
  }
}

/** Returns the list in the format of the call that saves it. */
export function listOf({ inherit, restricted, entries }: RightsDraft) {
  return {
    inherit,
    restricted,
    entries: entries
      .filter(({ kind }) => kind === 'independent')
      .map(({ subjectType, subjectId, rights, expireTime }) => ({ subjectType, subjectId, rights, expireTime })),
  }
}

/** Returns the number of entries and switches that differ from the saved list. */
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

/** Returns the item as an argument of the permission calls. */
export const refOf = ({ fId, fType }: Pick<ItemRecord, 'fId' | 'fType'>) =>
  fType === 2 ? { folderId: fId } : { fileId: fId }
