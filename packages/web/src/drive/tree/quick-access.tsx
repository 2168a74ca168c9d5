// The first section of the pane: quick access to items in any folder. Dropping items on the favourites adds them.
// Favourites and tags can be expanded.

import { type ReactNode, Suspense, useState } from 'react'
import { NavLink, useLocation, useSearchParams } from 'react-router'
import { type PlainTextKey, useT } from '../../core/i18n/i18n.ts'
import { lazyPage } from '../../core/page/chunks.tsx'
import { useSession } from '../../core/session/session.ts'
import { setFavorites } from '../../items/actions/favorites.ts'
import {
  ChevronRight12Regular,
  Eye16Regular,
  History16Regular,
  Link16Regular,
  ShareAndroid16Regular,
  Star16Regular,
  Tag16Regular,
} from '../../kit/icons.ts'
import { draggedItems } from '../drag/drag.ts'

const load = () => import('./quick-lists.tsx')
const QuickFavorites = lazyPage(load, 'QuickFavorites')
const QuickTags = lazyPage(load, 'QuickTags')

const ways: readonly {
  readonly to: string
  /** The address prefixes of its pages. */
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

/** An entry that expands to its content. */
function Unfolding(props: {
  readonly isOpen: boolean
  readonly label: string
  readonly isCurrent: boolean
  readonly onTurn: () => void
  readonly children: ReactNode
}): ReactNode {
  const { isOpen, label, isCurrent, onTurn, children } = props
  return (
    <div className={`dr-node is-split${isCurrent ? ' is-current' : ''}`}>
      <button
        type="button"
        className={`dr-twist is-button${isOpen ? ' is-open' : ''}`}
        aria-expanded={isOpen}
        aria-label={label}
        onClick={onTurn}
      >
        <ChevronRight12Regular />
      </button>
      {children}
    </div>
  )
}

function Favorites(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const [isOver, setOver] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const drop = {
    onDragOver: (event: React.DragEvent) => {
      if (draggedItems(event).length === 0) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: React.DragEvent) => {
      setOver(false)
      const items = draggedItems(event)
      if (items.length === 0) return
      event.preventDefault()
      event.stopPropagation()
      void setFavorites(items, true)
    },
  }
  return (
    <>
      <Unfolding
        isOpen={isOpen}
        label={t(isOpen ? 'quick.fold' : 'quick.unfold', { name: t('favorites.title') })}
        isCurrent={pathname === '/doc/folder/favorite'}
        onTurn={() => setOpen(!isOpen)}
      >
        <NavLink to="/doc/folder/favorite" className={isOver ? 'is-drop' : ''} {...drop}>
          <Star16Regular />
          <span className="dr-node-name">{t('favorites.title')}</span>
        </NavLink>
      </Unfolding>
      {isOpen && (
        <Suspense>
          <QuickFavorites />
        </Suspense>
      )}
    </>
  )
}

function Tags(): ReactNode {
  const t = useT()
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const isHere = pathname === '/doc/folder/tag'
  const [isOpen, setOpen] = useState(isHere)
  return (
    <>
      <Unfolding
        isOpen={isOpen}
        label={t(isOpen ? 'quick.fold' : 'quick.unfold', { name: t('tags.title') })}
        isCurrent={isHere && !query.has('tagIds')}
        onTurn={() => setOpen(!isOpen)}
      >
        <NavLink to="/doc/folder/tag">
          <Tag16Regular />
          <span className="dr-node-name">{t('tags.title')}</span>
        </NavLink>
      </Unfolding>
      {isOpen && (
        <Suspense>
          <QuickTags />
        </Suspense>
      )}
    </>
  )
}
