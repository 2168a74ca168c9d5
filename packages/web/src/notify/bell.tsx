import { type ReactNode, Suspense, useRef } from 'react'
import { useStore } from 'zustand'
import { useT } from '../core/i18n/i18n.ts'
import { useUnread } from '../core/notices/unread.ts'
import { lazyPage } from '../core/page/chunks.tsx'
import { Alert20Regular } from '../kit/icons.ts'
import { panelStore, togglePanel } from './panel-state.ts'
import './bell.css'

const Panel = lazyPage(() => import('./panel.tsx'), 'Panel')

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
