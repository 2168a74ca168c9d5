import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { store, stored } from '../../core/storage/storage.ts'

const storageKey = 'treeWidth'
const width = { least: 180, usual: 232, most: 400 } as const

const within = (value: number): number => Math.max(width.least, Math.min(Math.round(value), width.most))

/** The folder tree column. Its edge can be dragged or moved with the arrow keys; a double click resets the width. */
export function TreeColumn({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useT()
  const column = useRef<HTMLElement>(null)
  const [now, setNow] = useState(() => within(Number(stored(storageKey)) || width.usual))

  const keep = (value: number): void => {
    setNow(within(value))
    store(storageKey, String(within(value)))
  }
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const edge = event.currentTarget
    const from = event.clientX - now
    let to = now
    const move = (moved: globalThis.PointerEvent): void => {
      to = within(moved.clientX - from)
      column.current?.style.setProperty('--tree', `${to}px`)
    }
    const end = (): void => {
      edge.removeEventListener('pointermove', move)
      edge.removeEventListener('pointerup', end)
      edge.removeEventListener('pointercancel', end)
      keep(to)
    }
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', end)
    edge.addEventListener('pointercancel', end)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowLeft' ? -16 : event.key === 'ArrowRight' ? 16 : 0
    if (step !== 0) keep(now + step)
  }

  return (
    <aside ref={column} className="shell-tree" style={{ '--tree': `${now}px` } as React.CSSProperties}>
      <div className="shell-tree-inside">{children}</div>
      <div
        className="shell-tree-edge"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('app.treeWidth')}
        aria-valuenow={now}
        aria-valuemin={width.least}
        aria-valuemax={width.most}
        onPointerDown={drag}
        onDoubleClick={() => keep(width.usual)}
        onKeyDown={onKeyDown}
      />
    </aside>
  )
}
