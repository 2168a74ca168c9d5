// The expanded content of quick access entries: the favourites and the tags.
import type { ItemRecord } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Link, NavLink, useLocation, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { extOf, folderPath, isFolder, isLink, keyOf, parentOf } from '../../items/item/item.ts'
import { TagDot } from '../../items/labels/tag-chip.tsx'
import { favoritesOf } from '../../items/lists/lists.ts'

/** The maximum number of favourites in the pane. Their page shows all of them. */
const mostFavorites = 20

/** Returns the address of a folder, or of the folder that contains a file. */
function addressOf(item: ItemRecord): string {
  if (isFolder(item) && !isLink(item)) return folderPath(item)
  if (item.parentFolderId > 0) return folderPath(parentOf(item), item)
  return `/doc/folder/files?${new URLSearchParams({ itemIdStr: item.itemIdStr })}`
}

/** The latest favourites. */
export function QuickFavorites(): ReactNode {
  const t = useT()
  const list = favoritesOf()
  const { items, total, status } = useSyncExternalStore(list.subscribe, list.snapshot)
  useEffect(() => void list.refresh(), [list])
  if (status !== 'ready') return null
  if (total === 0) return <p className="dr-node is-below is-none">{t('favorites.nothing')}</p>
  const shown = items.slice(0, mostFavorites).filter((item) => item !== undefined)
  return (
    <>
      {shown.map((item) => (
        <Link key={keyOf(item)} to={addressOf(item)} className="dr-node is-below" title={item.fName}>
          {isFolder(item) ? <FolderIcon size={16} /> : <FileIcon ext={extOf(item)} size={16} />}
          <span className="dr-node-name">{item.fName}</span>
        </Link>
      ))}
      {total > shown.length && (
        <Link to="/doc/folder/favorite" className="dr-node is-below is-none">
          {t('quick.all', { n: total })}
        </Link>
      )}
    </>
  )
}

/** The tags, with the number of items for each. */
export function QuickTags(): ReactNode {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const { data } = useQuery({
    queryKey: ['drive', 'tags', 'list', ''],
    queryFn: () => api.getTagList({ keyword: '' }, { quiet: true }),
  })
  const chosen = pathname === '/doc/folder/tag' ? (query.get('tagIds') ?? '').split(',') : []
  return data?.list.map((tag) => (
    <NavLink
      key={tag.tagId}
      to={`/doc/folder/tag?tagIds=${tag.tagId}`}
      className={() => `dr-node is-below${chosen.includes(String(tag.tagId)) ? ' is-current' : ''}`}
    >
      <TagDot colour={tag.colour} />
      <span className="dr-node-name">{tag.tagName}</span>
      <small>{tag.count || ''}</small>
    </NavLink>
  ))
}
