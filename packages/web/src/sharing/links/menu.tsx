// Links in item menus ([R154]): creating one, and showing existing ones.
import type { ItemRecord } from '@cloudoc/contract'
import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { Link20Regular, LinkMultiple20Regular } from '../../kit/icons.ts'
import { hasLinks, linksOf } from './link-queries.ts'

const items = { count: 'one', modules: itemLists, on: 'items', find: true } as const

/** Shows a single own link directly, several in a list. Users who cannot change them see a read-only view. [R226] */
async function showLinks(item: ItemRecord): Promise<void> {
  const { list } = await linksOf(item).queryFn()
  const own = list.filter(({ mayManage }) => mayManage)
  const [first] = own
  if (list.length > 1 && first !== undefined) return void openWindow('cloudoc-link-list', { item })
  if (first !== undefined)
    return void openWindow('cloudoc-link-detail', { externalId: first.externalId, name: first.note || first.fName })
  return void openWindow('cloudoc-link-detail-lite', { item })
}

export const linkMenu: readonly ItemAction[] = [
  {
    ...items,
    gate: 'createLink',
    writes: true,
    id: 'create-link',
    label: 'links.menu.create',
    icon: <Link20Regular />,
    show: ({ linkId }) => linkId === 0,
    menu: { group: 'save', place: 41 },
    run: ({ items: [item] }) => item && openWindow('cloudoc-link-create', { item }),
  },
  {
    ...items,
    gate: 'see',
    id: 'show-links',
    label: 'links.menu.show',
    icon: <LinkMultiple20Regular />,
    show: ({ linkId, itemStatus }) => linkId === 0 && hasLinks(itemStatus),
    menu: { group: 'save', place: 41.5 },
    run: ({ items: [item] }) => item && showLinks(item),
  },
]
