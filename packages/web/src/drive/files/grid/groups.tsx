// Groups rows under headers by the sort key. A completely loaded list is grouped by the client. For a longer list, the
// server counts the groups in the same order.
import type { ItemRecord } from '@cloudoc/contract'
import { boundGroup, nameGroup, sizeBounds } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { api } from '../../../core/call/api.ts'
import { queryClient } from '../../../core/call/query.ts'
import { t } from '../../../core/i18n/i18n.ts'
import { createBatcher } from '../../../core/page/batcher.ts'
import { kindText } from '../../../items/item/kind-text.ts'
import type { FolderList, ListState, Sorting, SortKey } from '../../../items/lists/folder-list.ts'
import { type Group, groupName } from '../../../items/lists/list-layout.ts'

/**
 * Returns the start of this year, month, week, yesterday and today. A period that begins inside an earlier period of
 * the list starts with it.
 */
export function timeBounds(now: number): number[] {
  const date = new Date(now)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const sinceMonday = (date.getDay() + 6) % 7
  const rising = [
    new Date(year, month, day),
    new Date(year, month, day - 1),
    new Date(year, month, day - sinceMonday),
    new Date(year, month, 1),
    new Date(year, 0, 1),
  ].map(Number)
  return rising.map((_, i) => Math.min(...rising.slice(0, i + 1))).toReversed()
}

const boundsOf = (sort: SortKey, now: number): number[] =>
  sort === 'time' ? timeBounds(now) : sort === 'size' ? [...sizeBounds] : [0]

function keyOf(item: ItemRecord, sort: SortKey, bounds: readonly number[]): string {
  switch (sort) {
    case 'name':
      return nameGroup(item.nameSort)
    case 'type':
      return item.extName
    case 'time':
      return boundGroup(item.modifyTime, bounds)
    case 'size':
      return boundGroup(item.fileSize, bounds)
  }
}

/** Groups these rows into runs. */
export function groupRows(items: readonly ItemRecord[], sort: SortKey, now: number): Group[] {
  const bounds = boundsOf(sort, now)
  const groups: Group[] = []
  for (const item of items) {
    const { fType } = item
    const key = keyOf(item, sort, bounds)
    const last = groups.at(-1)
    if (last?.fType === fType && last.key === key) groups[groups.length - 1] = { ...last, count: last.count + 1 }
    else groups.push({ fType, key, count: 1 })
  }
  return groups
}

/** Groups rows that are sorted by time, with folders among the files. */
export function groupByTime(items: readonly ItemRecord[], now: number): Group[] {
  const alike = items.map((item) => ({ ...item, fType: 1 as const }))
  return groupRows(alike, 'time', now)
}

/** Groups folders and files separately, for orders that list folders first. */
export const groupByKind = (state: ListState): Group[] | undefined => kindsOf(state)

interface GroupsOf extends Sorting {
  readonly serverId: number
  readonly folderId: number
  readonly keyword: string
}

interface Grouped {
  readonly isOn: boolean
  /** Without other groups, folders and files are separate groups, as in tile views. */
  readonly apart?: boolean
  /** The list shows only some files, for which the server does not count groups. */
  readonly isFiltered?: boolean
  readonly what: GroupsOf
  readonly list: FolderList
  readonly state: ListState
  readonly now: number
}

/** Returns the groups of a list. Undefined while grouping is off or the groups are not known. */
export function useGroups(grouped: Grouped): readonly Group[] | undefined {
  const { isOn, apart = false, isFiltered = false, what, list, state, now } = grouped
  const { serverId, folderId, sort, order, keyword } = what
  const day = new Date(now).toDateString()
  const kinds = useMemo(
    () => (apart && !isOn && state.status === 'ready' ? kindsOf(state) : undefined),
    [apart, isOn, state],
  )
  const asks = (isOn || (apart && kinds === undefined)) && !isFiltered && state.status === 'ready' && !state.complete
  const queryKey = useMemo(
    () => ['drive', 'groups', serverId, folderId, sort, order, keyword, day],
    [serverId, folderId, sort, order, keyword, day],
  )
  const { data } = useQuery({
    queryKey,
    queryFn: async () =>
      (await api.of({ serverId }).getSubItemGroups({ folderId, sort, order, keyword, bounds: boundsOf(sort, now) }))
        .list,
    enabled: asks,
  })
  useEffect(() => {
    if (!asks) return
    const moved = createBatcher(() => queryClient.invalidateQueries({ queryKey }))
    return list.follow(({ kind }) => {
      if (kind !== 'fill') moved()
    })
  }, [asks, list, queryKey])
  const whole = isOn && state.complete ? state.items : undefined
  // Depends on the day only: the time of day does not move a row into another group.
  const own = useMemo(
    () => whole && groupRows(whole as readonly ItemRecord[], sort, Date.parse(day)),
    [whole, sort, day],
  )
  const counted = asks ? data : undefined
  return kinds ?? own ?? (isOn ? counted : counted && apartOf(counted))
}

/** The key of a group that contains all items of its kind. */
const allOfKind = 'all'

function apartBy(folders: number, files: number): Group[] {
  const groups: Group[] = [
    { fType: 2, key: allOfKind, count: folders },
    { fType: 1, key: allOfKind, count: files },
  ]
  return groups.filter(({ count }) => count > 0)
}

/**
 * Returns a group of folders and a group of files; files follow folders in every order. Undefined if the boundary
 * between them is not loaded.
 */
function kindsOf({ items, total, complete }: ListState): Group[] | undefined {
  const firstOther = items.findIndex((item) => item?.fType !== 2)
  if (firstOther < 0) return complete ? apartBy(total, 0) : undefined
  return items[firstOther] === undefined ? undefined : apartBy(firstOther, total - firstOther)
}

function apartOf(groups: readonly Group[]): Group[] {
  const sum = (fType: 1 | 2): number =>
    groups.reduce((count, group) => count + (group.fType === fType ? group.count : 0), 0)
  return apartBy(sum(2), sum(1))
}

const timeNames = ['older', 'year', 'month', 'week', 'yesterday', 'today'] as const
const sizeNames = ['empty', 'tiny', 'small', 'medium', 'large', 'huge'] as const

/** Returns the header text of a group. */
export function groupLabel(sort: SortKey, { fType, key }: Pick<Group, 'fType' | 'key'>): string {
  if (key === allOfKind) return t(fType === 2 ? 'drive.group.allFolders' : 'drive.group.allFiles')
  if (fType === 2 && (sort === 'type' || sort === 'size')) return t('drive.kind.folder')
  const label = labelOf(sort, key)
  return fType === 2 ? t('drive.group.folders', { label }) : label
}

function labelOf(sort: SortKey, key: string): string {
  switch (sort) {
    case 'type':
      return kindText({ fName: key === '' ? '' : `_.${key}`, fType: 1 })
    case 'time':
      return t(`drive.group.${timeNames[Number(key)] ?? 'older'}`)
    case 'size':
      return t(`drive.group.${sizeNames[Number(key)] ?? 'huge'}`)
    case 'name': {
      if (key === '0') return '0 – 9'
      if (/^[a-z]$/.test(key)) return key.toUpperCase()
      if (/^\|[a-z]$/.test(key)) return t('drive.group.pinyin', { letter: key.slice(1).toUpperCase() })
      return t('drive.group.signs')
    }
  }
}

interface GroupHeadProps {
  readonly group: Group
  readonly label: string
  readonly top?: number
  /** The header is pinned above the scrolled rows. It is hidden from assistive technology. */
  readonly isPinned?: true
}

/** The header of a group. A click on it selects its rows. */
export function GroupHead({ group, label, top = 0, isPinned }: GroupHeadProps): ReactNode {
  const text = (
    <>
      <b>{label}</b>
      <small>{t('drive.group.items', { n: group.count })}</small>
    </>
  )
  if (isPinned) {
    return (
      <div className="dr-group is-pinned" data-group={groupName(group)} aria-hidden="true">
        {text}
      </div>
    )
  }
  return (
    <div className="dr-group" role="row" style={{ transform: `translateY(${top}px)` }} data-group={groupName(group)}>
      <span role="gridcell">{text}</span>
    </div>
  )
}
