// Bottom sheets: actions of an item, and a field for a name.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { type MenuEntry, type MenuItem, tidy } from '../core/menu/menu.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/fields.tsx'

interface SheetProps {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly onClose: () => void
}

/** A sheet over the page. The back gesture and a tap beside it close it. */
export function Sheet({ title, children, onClose }: SheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="m-sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="m-sheet-inside">
        <div className="m-grip" aria-hidden="true" />
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

interface MenuSheetProps {
  readonly title: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly onClose: () => void
}

/** A menu as a sheet. Entries of submenus follow under the name of their menu. */
export function MenuSheet({ title, entries, onClose }: MenuSheetProps): ReactNode {
  const t = useT()
  const choose = (item: MenuItem): void => {
    onClose()
    if (item.disabled === true) item.why?.()
    else item.run?.()
  }
  const rows = (list: readonly MenuEntry[]): ReactNode[] =>
    tidy(list).map((entry, at) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity, and the list does not change
      if ('separator' in entry) return <hr key={at} />
      if (entry.children !== undefined)
        return (
          <section key={entry.id} aria-label={entry.label}>
            <h3>{entry.label}</h3>
            {rows(entry.children)}
          </section>
        )
      return (
        <button
          key={entry.id}
          type="button"
          className={`m-act${entry.danger === true ? ' is-danger' : ''}${entry.disabled === true ? ' is-off' : ''}`}
          onClick={() => choose(entry)}
        >
          <span className="m-act-icon">{entry.icon}</span>
          <span className="m-act-name">{entry.label}</span>
          {entry.reason !== undefined && <small>{entry.reason}</small>}
          {entry.checked === true && <small aria-hidden="true">✓</small>}
        </button>
      )
    })
  return (
    <Sheet title={title} onClose={onClose}>
      <div className="m-acts">{rows(entries)}</div>
      <Button className="m-wide" onClick={onClose}>
        {t('mobile.close')}
      </Button>
    </Sheet>
  )
}

interface NameSheetProps {
  readonly title: string
  readonly label: string
  readonly button: string
  readonly start: string
  /** Fails with the reason, which is shown at the field. */
  readonly onName: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for a name. */
export function NameSheet({ title, label, button, start, onName, onClose }: NameSheetProps): ReactNode {
  const t = useT()
  const [name, setName] = useState(start)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    try {
      await onName(name.trim())
      onClose()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <form
        className="m-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && name.trim() !== '') void submit()
        }}
      >
        <TextField
          size="large"
          name="name"
          label={label}
          autoFocus
          maxLength={255}
          value={name}
          problem={problem}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="m-buttons">
          <Button onClick={onClose}>{t('mobile.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
            {button}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}
