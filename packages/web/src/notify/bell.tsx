import { Alert20Regular } from '@fluentui/react-icons'
import { type ReactNode, Suspense, useRef } from 'react'
import { useStore } from 'zustand'
import { useT } from '../core/i18n/i18n.ts'
import { centreStore } from '../core/notices/notice-centre.ts'
import { badgeOf } from '../core/notices/notice-groups.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { panelStore, togglePanel } from './panel-state.ts'
import './bell.css'

const Panel = lazyPage(() => import('./panel.tsx'), 'Panel')

/** The unread count as badge text; empty if there are none. */
export function useUnread(): string {
  const total = useStore(centreStore, (state) => state.total)
  return total === 0 ? '' : badgeOf(total)
}

/** The bell of the title bar with its count, and the panel below it. */
export function Bell(): ReactNode {
  const t = useT()
  const unread = useUnread()
  const open = useStore(panelStore, (state) => state.open)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`k-icon-button nt-bell${open ? ' is-open' : ''}`}
        aria-label={unread === '' ? t('notify.title') : t('notify.bell', { n: unread })}
        aria-expanded={open}
        data-tip={t('notify.title')}
        onClick={togglePanel}
      >
        <Alert20Regular />
        {unread !== '' && (
          <span className="nt-badge" aria-hidden="true">
            {unread}
          </span>
        )}
      </button>
      {open && (
        <Suspense>
          <Panel />
        </Suspense>
      )}
    </>
  )
}
