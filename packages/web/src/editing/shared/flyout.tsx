// A toolbar button with a panel of choices, such as colors or table sizes. Arrow keys move between the choices.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useAnchoredPosition } from '../../kit/use-anchored-position.ts'

interface FlyoutProps {
  readonly label: string
  readonly icon: ReactNode
  /** The number of choices per row. */
  readonly columns: number
  readonly children: (close: () => void) => ReactNode
}

export function Flyout({ label, icon, columns, children }: FlyoutProps): ReactNode {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className="k-icon-button"
        aria-label={label}
        aria-haspopup="true"
        aria-expanded={isOpen}
        data-tip={label}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
      </button>
      {isOpen && (
        <Panel label={label} columns={columns} field={button} close={close}>
          {children(close)}
        </Panel>
      )}
    </>
  )
}

interface PanelProps {
  readonly label: string
  readonly columns: number
  readonly field: HTMLElement | null
  readonly close: () => void
  readonly children: ReactNode
}

function Panel({ label, columns, field, close, children }: PanelProps): ReactNode {
  const panel = useRef<HTMLDivElement>(null)
  const place = useAnchoredPosition(field, panel, close)
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && panel.current?.contains(target) !== true && field?.contains(target) !== true)
        close()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  }, [close, field])
  useEffect(() => panel.current?.querySelector('button')?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...(panel.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex((one) => one === document.activeElement)
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
    if (event.key === 'Escape') {
      close()
      field?.focus()
    } else if (by !== undefined) all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus()
    else if (event.key === 'Tab') return close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div
      ref={panel}
      className="dc-flyout"
      role="group"
      aria-label={label}
      style={place}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>,
    field?.closest('[role=dialog]') ?? document.body,
  )
}
