// The field in the title bar that leads to the palette, which Ctrl+K opens from anywhere.
import { Search16Regular } from '@fluentui/react-icons'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { windowStore } from '../../core/windows/index.ts'
import { Palette } from './palette.tsx'
import { searchPath } from './search-query.ts'
import './search-box.css'

/** Opens the palette. */
export function SearchBox(): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  const { pathname, search } = useLocation()
  // The page of results has its words where others have the hint.
  const typed = pathname === searchPath ? (new URLSearchParams(search).get('keyword') ?? '') : ''
  const before = useRef<Element>(null)

  const show = (): void => {
    before.current = document.activeElement
    // At once: the next key is a letter of the word already.
    flushSync(() => setOpen(true))
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // A window is answered first.
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
