// Actions on search results: their module is `search` ([R242]).
import type { ItemRecord } from '@cloudoc/contract'
import { rules } from '../../items/actions/actions.ts'
import type { ItemAction } from '../../items/actions/item-action.tsx'
import { FolderArrowUp20Regular, FolderOpen20Regular } from '../../kit/icons.ts'

/** The interface that the page of results offers to the actions of its list. */
export interface ResultsPage {
  readonly open: (item: ItemRecord) => void
  readonly showInFolder: (item: ItemRecord) => void
  readonly rerun: () => void
  readonly preview: (item: ItemRecord) => void
  readonly rename: (item: ItemRecord) => void
}

const modules = ['search']

export const resultsMenu: readonly ItemAction<ResultsPage>[] = [
  {
    ...rules.open,
    id: 'open',
    linked: true,
    modules,
    on: 'items',
    label: 'search.open',
    icon: <FolderOpen20Regular />,
    keys: ['Enter'],
    answers: ({ length }) => length === 1,
    menu: { group: 'open', place: 10 },
    run: ({ items: [item], page }) => item && page.open(item),
  },
  {
    ...rules.open,
    id: 'showInFolder',
    linked: true,
    modules,
    on: 'items',
    label: 'search.showInFolder',
    icon: <FolderArrowUp20Regular />,
    keys: ['Ctrl+Enter'],
    answers: ({ length }) => length === 1,
    show: ({ parentFolderId }) => parentFolderId > 0,
    menu: { group: 'open', place: 30 },
    find: true,
    run: ({ items: [item], page }) => item && page.showInFolder(item),
  },
  {
    id: 'refetch',
    modules,
    on: 'page',
    label: 'drive.menu.refresh',
    keys: ['F5'],
    run: ({ page }) => page.rerun(),
  },
]
