// The first section of the pane: the person's own ways to items, whichever folder those are in. What is dragged onto the
// favourites becomes one; the tags unfold.
import {
  ChevronRight12Regular,
  Eye16Regular,
  History16Regular,
  Link16Regular,
  ShareAndroid16Regular,
  Star16Regular,
  Tag16Regular,
} from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { NavLink, useLocation, useSearchParams } from 'react-router'
import { api } from '../../core/call/api.ts'
import { type PlainTextKey, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { setFavorites } from '../actions/favorites.ts'
import { draggedItems } from '../drag/drag.ts'
import { TagDot } from '../labels/tag-chip.tsx'

const ways: readonly {
  readonly to: string
  /** How the addresses of its pages begin. */
  readonly at: readonly string[]
  readonly label: PlainTextKey
  readonly icon: ReactNode
}[] = [
  {
    to: '/doc/folder/recently/history',
    at: ['/doc/folder/recently'],
    label: 'recent.title',
    icon: <History16Regular />,
  },
  {
    to: '/doc/folder/share/permission-shared',
    at: ['/doc/folder/share/permission-'],
    label: 'share.title',
    icon: <ShareAndroid16Regular />,
  },
  {
    to: '/doc/folder/share/link-creation',
    at: ['/doc/folder/share/link-creation', '/doc/folder/share/link-shared'],
    label: 'quick.links',
    icon: <Link16Regular />,
  },
  {
    to: '/doc/folder/cooperate/watch-change',
    at: ['/doc/folder/cooperate/watch-'],
    label: 'drive.follow.title',
    icon: <Eye16Regular />,
  },
]

/** The section. */
export function QuickAccess(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const { setting } = useSession()
  return (
    <section className="dr-quick">
      <h2>{t('quick.title')}</h2>
      <nav aria-label={t('quick.title')}>
        <Favorites />
        {ways.map(({ to, at, label, icon }) => (
          <NavLink
            key={to}
            to={to}
            className={() => `dr-node${at.some((one) => pathname.startsWith(one)) ? ' is-current' : ''}`}
          >
            <span className="dr-twist" />
            {icon}
            <span className="dr-node-name">{t(label)}</span>
          </NavLink>
        ))}
        {setting.tag && <Tags />}
      </nav>
    </section>
  )
}

function Favorites(): ReactNode {
  const t = useT()
  const [isOver, setOver] = useState(false)
  return (
    <NavLink
      to="/doc/folder/favorite"
      className={({ isActive }) => `dr-node${isActive ? ' is-current' : ''}${isOver ? ' is-drop' : ''}`}
      onDragOver={(event) => {
        if (draggedItems(event).length === 0) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const items = draggedItems(event)
        if (items.length === 0) return
        event.preventDefault()
        event.stopPropagation()
        void setFavorites(items, true)
      }}
    >
      <span className="dr-twist" />
      <Star16Regular />
      <span className="dr-node-name">{t('favorites.title')}</span>
    </NavLink>
  )
}

function Tags(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const isHere = pathname === '/doc/folder/tag'
  const [isOpen, setOpen] = useState(isHere)
  const { data } = useQuery({
    queryKey: ['drive', 'tags', 'list', ''],
    queryFn: () => api.getTagList({ keyword: '' }, { quiet: true }),
    enabled: isOpen,
  })
  const chosen = isHere ? (query.get('tagIds') ?? '').split(',') : []
  return (
    <>
      <div className={`dr-node is-split${isHere && chosen[0] === '' ? ' is-current' : ''}`}>
        <button
          type="button"
          className={`dr-twist is-button${isOpen ? ' is-open' : ''}`}
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'quick.foldTags' : 'quick.unfoldTags')}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight12Regular />
        </button>
        <NavLink to="/doc/folder/tag">
          <Tag16Regular />
          <span className="dr-node-name">{t('tags.title')}</span>
        </NavLink>
      </div>
      {isOpen &&
        data?.list.map((tag) => (
          <NavLink
            key={tag.tagId}
            to={`/doc/folder/tag?tagIds=${tag.tagId}`}
            className={() => `dr-node is-below${chosen.includes(String(tag.tagId)) ? ' is-current' : ''}`}
          >
            <TagDot colour={tag.colour} />
            <span className="dr-node-name">{tag.tagName}</span>
            <small>{tag.count || ''}</small>
          </NavLink>
        ))}
    </>
  )
}
