// Applications from item menus and from refusals ([R145], [R231]).
import type { ItemRecord } from '@cloudoc/contract'
import { hasRight, OperationBit, rights } from '@cloudoc/domain'
import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { ArrowDownload20Regular, LinkAdd20Regular } from '../../kit/icons.ts'

/** Whether downloads of an item need an application. */
const mayNotTake = ({ rights: own, operations = 0 }: ItemRecord): boolean =>
  !hasRight(rights(own), 'download') || (operations & OperationBit.downloadByApplication) !== 0

const inLists = [...itemLists, 'previewer']

/** Applies for downloads where they need an application ([R145]). */
const applyDownload: ItemAction = {
  gate: 'applyDownload',
  count: 'some',
  writes: true,
  id: 'apply-download',
  modules: inLists,
  on: 'items',
  label: 'approvals.menu.applyDownload',
  icon: <ArrowDownload20Regular />,
  show: ({ linkId, operations = 0 }) => linkId === 0 && (operations & OperationBit.downloadGranted) === 0,
  menu: { group: 'save', place: 10 },
  find: true,
  lifts: { reasons: ['noPermission', 'downloadLimit'], of: ['download'] },
  run: ({ withAll }) =>
    withAll((all) => {
      const items = all.filter((one) => one.linkId === 0 && mayNotTake(one))
      if (items.length > 0) return openWindow('cloudoc-apply-download', { items })
    }),
}

/** Links to several items at once, where links need an approval. */
const applyLink: ItemAction = {
  gate: 'createLink',
  count: 'some',
  writes: true,
  id: 'apply-link',
  modules: inLists,
  on: 'items',
  label: 'approvals.menu.applyLink',
  icon: <LinkAdd20Regular />,
  show: ({ linkId, operations = 0 }) => linkId === 0 && (operations & OperationBit.linkByApplication) !== 0,
  menu: { group: 'save', place: 41.2 },
  run: ({ withAll }) =>
    withAll((all) => {
      const items = all.filter(({ linkId }) => linkId === 0)
      if (items.length > 0) return openWindow('cloudoc-apply-link', { items })
    }),
}

export const applicationMenu = [applyDownload, applyLink]
