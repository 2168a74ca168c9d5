// The search field in the title bar. It opens the palette, as does Ctrl+K anywhere.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { windowStore } from '../../core/windows/index.ts'
import { Search16Regular } from '../../kit/icons.ts'
import { Palette } from './palette.tsx'
import { searchPath } from './search-query.ts'
import './search-box.css'

export function SearchBox(): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const { pathname, search } = useLocation()
  // On the page of results the field shows the searched terms instead of the hint.
  const typed = pathname === searchPath ? (new URLSearchParams(search).get('keyword') ?? '') : ''
  const before = useRef<Element>(null)

  const show = (): void => {
    before.current = document.activeElement
    // Synchronous, because the next key press is already part of the search text.
    flushSync(() => setOpen(true))
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // An open window handles the key first.
      if (windowStore.getState().open.length > 0) return
      before.current = document.activeElement
      flushSync(() => setOpen(true))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button type="button" className="dr-search" aria-haspopup="dialog" aria-keyshortcuts="Control+K" onClick={show}>
        <Search16Regular />
        <span className={typed === '' ? undefined : 'is-typed'}>
          {typed === '' ? t('drive.search.placeholder') : typed}
        </span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && (
        <Palette
          typed={typed}
          onClose={() => {
            setOpen(false)
            if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
          }}
        />
      )}
    </>
  )
}
