// Draws the open windows over the page.
import { limits } from '@cloudoc/domain'
import { type ReactNode, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { isComposing } from '../../kit/keys.ts'
import { t } from '../i18n/i18n.ts'
import { confirmBox } from './boxes.ts'
import { closeWindow, cycleWindows, keepInView, type OpenWindow, windowStore } from './index.ts'
import { WindowFrame } from './window-frame.tsx'
import './window.css'

/** Closes a window on the user's request. Asks first if there are unsaved changes. */
export async function leaveWindow({ id, dirty, definition }: OpenWindow): Promise<void> {
  if (definition.locked) return
  if (dirty) {
    const discard = await confirmBox({
      title: t('box.discard.title'),
      text: t('box.discard.text'),
      ok: t('box.discard.ok'),
      danger: true,
    })
    if (!discard) return
  }
  closeWindow(id)
}

/**
 * The page behind is covered by a backdrop and inert while a window is open, and so is every window behind a blocking
 * one.
 */
export function WindowHost({ children }: { readonly children: ReactNode }): ReactNode {
  const open = useStore(windowStore, (state) => state.open)
  const front = open.at(-1)
  const blocked = front?.definition.blocking === true
  useFocusReturn(open)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onResize = (): void => {
      clearTimeout(timer)
      timer = setTimeout(keepInView, limits.resizeDebounceMs)
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      const { open: now } = windowStore.getState()
      const top = now.at(-1)
      if (top === undefined || event.defaultPrevented || isComposing(event)) return
      if (event.key === 'Escape' && !top.dirty) {
        event.preventDefault()
        void leaveWindow(top)
      } else if (event.ctrlKey && event.key === '`' && now.length > 1) {
        event.preventDefault()
        cycleWindows()
      }
    }
    window.addEventListener('resize', onResize)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('resize', onResize)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])

  return (
    <>
      <div className="page" inert={open.length > 0}>
        {children}
      </div>
      {/* In opening order, so that bringing a window to the front moves no DOM element. */}
      {[...open]
        .sort((a, b) => a.id - b.id)
        .map((one) => {
          const depth = open.indexOf(one)
          return (
            <div
              key={one.id}
              className="window-layer"
              style={{ zIndex: 100 + depth }}
              inert={one !== front && blocked}
              data-veil={depth === 0 || one.definition.blocking === true || undefined}
            >
              <WindowFrame window={one} isFront={one === front} onLeave={() => void leaveWindow(one)} />
            </div>
          )
        })}
    </>
  )
}

/** When a window has closed, returns the focus to the previous element, or to the front window. */
function useFocusReturn(open: readonly OpenWindow[]): void {
  const before = useRef<readonly OpenWindow[]>([])
  useEffect(() => {
    const gone = before.current.find((one) => !open.some(({ id }) => id === one.id))
    before.current = open
    if (gone === undefined) return
    const front = document.querySelector<HTMLElement>(`[data-window="${open.at(-1)?.id}"]`)
    const opener = gone.opener instanceof HTMLElement && gone.opener.isConnected ? gone.opener : undefined
    if (front !== null && !front.contains(opener ?? null)) front.focus()
    else opener?.focus({ preventScroll: true })
  }, [open])
}
