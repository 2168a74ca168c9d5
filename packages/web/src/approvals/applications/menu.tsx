// Applications from item menus and from refusals ([R145], [R231]).
import type { ItemRecord } from '@cloudoc/contract'
import { hasRight, OperationBit, rights } from '@cloudoc/domain'
import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { ArrowDownload20Regular, LinkAdd20Regular } from '../../kit/icons.ts'

/** Whether downloads of an item need an application that has not been approved. */
const mayNotTake = ({ linkId, rights: own, operations = 0 }: ItemRecord): boolean =>
  linkId === 0 &&
  (operations & OperationBit.downloadGranted) === 0 &&
  (!hasRight(rights(own), 'download') || (operations & OperationBit.downloadByApplication) !== 0)

const inLists = [...itemLists, 'previewer']

/** Applies for downloads where they need an application ([R145]). */
const applyDownload: ItemAction = {
  gate: 'applyDownload',
  count: 'some',
  forAny: true,
  writes: true,
  id: 'apply-download',
  modules: inLists,
  on: 'items',
  label: 'approvals.menu.applyDownload',
  icon: <ArrowDownload20Regular />,
  show: mayNotTake,
  menu: { group: 'save', place: 10 },
  find: true,
  lifts: { reasons: ['noPermission', 'downloadLimit'], of: ['download'] },
  run: ({ withAll }) =>
    withAll((all) => {
      const items = all.filter(mayNotTake)
      if (items.length > 0) return openWindow('cloudoc-apply-download', { items })
    }),
}

/** Whether links to an item need an application. */
const mayNotLink = ({ linkId, operations = 0 }: ItemRecord): boolean =>
  linkId === 0 && (operations & OperationBit.linkByApplication) !== 0

/** Links to several items at once, where links need an approval. */
const applyLink: ItemAction = {
  gate: 'createLink',
  count: 'some',
  forAny: true,
  writes: true,
  id: 'apply-link',
  modules: inLists,
  on: 'items',
  label: 'approvals.menu.applyLink',
  icon: <LinkAdd20Regular />,
  show: mayNotLink,
  menu: { group: 'save', place: 41.2 },
  run: ({ withAll }) =>
    withAll((all) => {
      const items = all.filter(mayNotLink)
      if (items.length > 0) return openWindow('cloudoc-apply-link', { items })
    }),
}

export const applicationMenu = [applyDownload, applyLink]
