// The panel under the bell ([R088]-[R101]).

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { useT } from '../core/i18n/i18n.ts'
import { showMenu } from '../core/menu/menu.ts'
import { centreStore, type Group, ignore, loadMore, restore } from '../core/notices/notice-centre.ts'
import { badgeOf, visibleNotices } from '../core/notices/notice-groups.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { Button, IconButton } from '../kit/button.tsx'
import {
  Checkmark16Regular,
  ChevronDown16Regular,
  ChevronUp16Regular,
  Dismiss16Regular,
  Filter16Regular,
  History16Regular,
  Settings16Regular,
} from '../kit/icons.ts'
import { StatePage } from '../kit/state-page.tsx'
import { NothingPicture } from './nothing-picture.tsx'
import { NoticeEntry } from './notice-entry.tsx'
import { closePanel, panelStore, togglePanel } from './panel-state.ts'
import './notify.css'

/** An automatic panel that nobody used: how many notices there are, and the way back to them ([R096]). */
function SmallPanel({ text }: { readonly text: string }): ReactNode {
  const t = useT()
  return (
    <section className="nt-panel is-small" aria-label={t('notify.centre')}>
      <button type="button" className="nt-more" onClick={togglePanel}>
        {t('notify.title')} · {text}
        <ChevronUp16Regular />
      </button>
      <IconButton size="small" label={t('notify.close')} icon={<Dismiss16Regular />} onClick={closePanel} />
    </section>
  )
}

/** Notices of a group drawn before the user expands it. */
const fewest = 3
/** Milliseconds in which ignoring everything can be undone. */
const undoMs = 5000

/** Ignores all notices or a group, and offers an undo. */
async function ignoreMany(what: Parameters<typeof ignore>[0], said: { text: string; undo: string }): Promise<void> {
  const ignoredAt = await ignore(what)
  if (ignoredAt === undefined) return
  toast({
    text: said.text,
    key: 'notices ignored',
    durationMs: undoMs,
    action: { text: said.undo, run: () => void restore(ignoredAt) },
  })
}

export function Panel(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { groups, total, known } = useStore(centreStore)
  const { seenUpTo, byHand, small } = useStore(panelStore)
  const [only, setOnly] = useState<Group['group']>()
  const root = useRef<HTMLElement>(null)
  const from = useRef(pathname + search)
  const shown = groups.filter(({ group }) => only === undefined || group === only)
  const fresh = groups.flatMap(({ list }) => list).filter(({ remindId }) => remindId > seenUpTo).length

  const count = fresh > 0 ? t('notify.countNew', { n: total, fresh: badgeOf(fresh) }) : t('notify.count', { n: total })

  // An automatic panel does not take the focus.
  useEffect(() => {
    if (byHand) root.current?.focus({ preventScroll: true })
  }, [byHand])
  // The chosen group has become empty.
  useEffect(() => {
    if (only !== undefined && !groups.some(({ group }) => group === only)) setOnly(undefined)
  }, [only, groups])
  useEffect(() => {
    if (pathname === '/notify/list' && from.current !== pathname + search) closePanel()
  }, [pathname, search])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      closePanel()
      document.querySelector<HTMLElement>('.nt-bell')?.focus()
      return
    }
    const entries = [...(root.current?.querySelectorAll<HTMLElement>('.nt-entry .nt-text') ?? [])]
    const at = entries.findIndex((one) => one.closest('.nt-entry')?.contains(document.activeElement))
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      entries[Math.max(0, at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 1 : -1))]?.focus()
    } else if (event.key === 'Delete' && at >= 0) {
      const remindId = Number(entries[at]?.closest<HTMLElement>('.nt-entry')?.dataset['remind'])
      ;(entries[at + 1] ?? entries[at - 1])?.focus()
      void ignore({ remindIds: [remindId] })
    }
  }
  const filter = (event: { currentTarget: Element }): void => {
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    void showMenu(
      [
        { id: 'all', label: t('notify.allGroups'), checked: only === undefined, run: () => setOnly(undefined) },
        { separator: true },
        ...groups.map(({ group }) => ({
          id: group,
          label: t(`notify.group.${group}`),
          checked: only === group,
          run: () => setOnly(group),
        })),
      ],
      { x: left, y: bottom + 4 },
    )
  }

  if (small) return <SmallPanel text={count} />
  return (
    <section className="nt-panel" aria-label={t('notify.centre')} ref={root} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="nt-head">
        <h2>{t('notify.title')}</h2>
        <span className="nt-count" aria-live="polite">
          {total > 0 && count}
        </span>
        {groups.length > 1 && (
          <IconButton
            size="small"
            label={t('notify.filter')}
            icon={<Filter16Regular />}
            aria-haspopup="menu"
            pressed={only !== undefined}
            onClick={filter}
          />
        )}
        <IconButton
          size="small"
          label={t('notify.history')}
          icon={<History16Regular />}
          onClick={() => void navigate('/notify/list')}
        />
        <IconButton size="small" label={t('notify.close')} icon={<Dismiss16Regular />} onClick={closePanel} />
      </header>
      {total === 0 ? (
        <div className="nt-nothing">
          <StatePage
            heading="h3"
            picture={<NothingPicture />}
            title={t(known ? 'notify.nothing' : 'notify.loading')}
            text={known ? t('notify.nothingHint') : undefined}
          />
        </div>
      ) : (
        <div className="nt-groups">
          {shown.map((one) => (
            <Entries key={one.group} of={one} seenUpTo={seenUpTo} whole={only !== undefined} />
          ))}
        </div>
      )}
      <footer className="nt-foot">
        <Button
          kind="ghost"
          size="small"
          icon={<Checkmark16Regular />}
          disabled={total === 0}
          onClick={() =>
            void ignoreMany({ all: true }, { text: t('notify.ignoredAll', { n: total }), undo: t('notify.undo') })
          }
        >
          {t('notify.ignoreAll')}
        </Button>
        <Button
          kind="ghost"
          size="small"
          icon={<Settings16Regular />}
          onClick={() => void openWindow('cloudoc-setting', { page: 'notices' })}
        >
          {t('notify.settings')}
        </Button>
      </footer>
    </section>
  )
}

interface EntriesProps {
  readonly of: Group
  readonly seenUpTo: number
  /** Only this group is shown. */
  readonly whole: boolean
}

function Entries({ of, seenUpTo, whole }: EntriesProps): ReactNode {
  const t = useT()
  const { group, total, list } = of
  const [open, setOpen] = useState(true)
  const [all, setAll] = useState(false)
  const [loading, setLoading] = useState(false)
  const title = t(`notify.group.${group}`)
  const listed = visibleNotices(of)
  const drawn = all || whole ? listed : listed.slice(0, fewest)
  // Notices hidden behind the first of their kind do not count as remaining.
  const rest = total - list.length + listed.length - drawn.length
  const more = async (): Promise<void> => {
    if (!all && !whole) setAll(true)
    else {
      setLoading(true)
      await loadMore(group).finally(() => setLoading(false))
    }
  }
  return (
    <section aria-label={title}>
      <div className="nt-group">
        <h3>{title}</h3>
        <span className="nt-number">{badgeOf(total)}</span>
        <button
          type="button"
          className="nt-quiet"
          onClick={() =>
            void ignoreMany({ groups: [group] }, { text: t('notify.ignoredAll', { n: total }), undo: t('notify.undo') })
          }
        >
          {t('notify.ignoreGroup')}
        </button>
        <IconButton
          size="small"
          label={t(open ? 'notify.fold' : 'notify.unfold', { group: title })}
          aria-expanded={open}
          icon={open ? <ChevronDown16Regular /> : <ChevronUp16Regular />}
          onClick={() => setOpen(!open)}
        />
      </div>
      {open && (
        <ul className="nt-list">
          {drawn.map((notice) => (
            <NoticeEntry
              key={notice.remindId}
              notice={notice}
              isNew={notice.remindId > seenUpTo}
              onLeave={closePanel}
            />
          ))}
        </ul>
      )}
      {open && rest > 0 && (
        <button type="button" className="nt-rest" disabled={loading} onClick={() => void more()}>
          {t('notify.rest', { n: rest })}
          <ChevronDown16Regular />
        </button>
      )}
    </section>
  )
}
