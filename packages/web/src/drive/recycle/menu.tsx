// Actions of the recycle bin: restore, and delete permanently.

import type { ItemAction } from '../../items/actions/item-action.tsx'
import { ArrowUndo16Regular, Delete16Regular } from '../../kit/icons.ts'

/** The interface that the page of the recycle bin offers to the actions of its list. */
export interface BinPage {
  /** Called when items have left the bin. */
  readonly settle: () => void
  readonly refetch: () => void
}
type BinAction = ItemAction<BinPage>

const operations = () => import('../../items/actions/bin-operations.ts')

export const bringBack: BinAction = {
  id: 'restore',
  linked: true,
  modules: ['recycle'],
  on: 'items',
  label: 'drive.restore',
  icon: <ArrowUndo16Regular />,
  menu: { group: 'open', place: 10 },
  tool: 'button',
  run: ({ withAll, page: { settle } }) =>
    withAll(async (all) => {
      await (await operations()).restore(all)
      settle()
    }),
}

export const destroy: BinAction = {
  id: 'delete',
  linked: true,
  modules: ['recycle'],
  on: 'items',
  label: 'drive.deleteForGood',
  icon: <Delete16Regular />,
  danger: true,
  keys: ['Del'],
  // The key does nothing without a selection.
  answers: ({ length }) => length > 0,
  menu: { group: 'remove', place: 10 },
  tool: 'button',
  run: ({ withAll, page: { settle } }) =>
    withAll(async (all) => (await (await operations()).removeForGood(all)) && settle()),
}

export const refetch: BinAction = {
  id: 'refetch',
  modules: ['recycle'],
  on: 'page',
  label: 'drive.menu.refresh',
  keys: ['F5'],
  run: ({ page: { refetch: again } }) => again(),
}
