// Chooses any file or folder: by name, or by browsing from a library.
import type { Answer, calls } from '@cloudoc/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { ChevronLeft16Regular, ChevronRight16Regular, Dismiss12Regular, Search16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { usePendingEnter } from '../../kit/use-pending-enter.ts'
import './texts.ts'
import './access.css'

export type ReportItem = Answer<typeof calls.findReportItems>['list'][number]

interface ItemFieldProps {
  readonly item: ReportItem | undefined
  readonly onChange: (item: ReportItem | undefined) => void
  /** Which call finds the items. Default: files and folders, for auditors. */
  readonly finder?: 'findReportItems' | 'findRetentionPlaces'
}

function Picture({ item }: { readonly item: ReportItem }): ReactNode {
  return item.fType === 2 ? (
    <FolderIcon size={16} />
  ) : (
    <FileIcon ext={item.fName.split('.').at(-1)?.toLowerCase() ?? ''} size={16} />
  )
}

export function ItemField({ item, onChange, finder = 'findReportItems' }: ItemFieldProps): ReactNode {
  const t = useT()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [way, setWay] = useState<readonly ReportItem[]>([])
  const [at, setAt] = useState(0)
  const keyword = useDeferredValue(typed.trim())
  const within = way.at(-1)
  const { data, isPlaceholderData, isPending } = useQuery({
    queryKey: ['company', 'access', finder, keyword, within?.fId ?? 0],
    queryFn: () => api[finder]({ keyword, parentId: within?.fId ?? 0, rows: 100 }, { quiet: true }),
    enabled: open,
    placeholderData: keepPreviousData,
  })
  const rows = data?.list ?? []
  const current = Math.min(at, rows.length - 1)
  const take = (one: ReportItem | undefined): void => {
    if (one === undefined) return
    onChange(one)
    setTyped('')
    setOpen(false)
  }
  const isWaiting = open && (keyword !== typed.trim() || isPlaceholderData || isPending)
  const enter = usePendingEnter(isWaiting, () => take(rows[current]))
  const look = (next: readonly ReportItem[]): void => {
    setWay(next)
    setTyped('')
    setAt(0)
    enter.forget()
  }
  const close = (): void => {
    setOpen(false)
    enter.forget()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const { key } = event
    const one = isWaiting ? undefined : rows[current]
    if (key === 'ArrowDown') {
      setOpen(true)
      setAt(Math.min(rows.length - 1, current + 1))
    } else if (key === 'ArrowUp') setAt(Math.max(0, current - 1))
    else if (key === 'Enter' && open) enter.take()
    else if (key === 'ArrowRight' && typed === '' && one?.fType === 2) look([...way, one])
    else if (key === 'ArrowLeft' && typed === '' && way.length > 0) look(way.slice(0, -1))
    else if (key === 'Escape' && open) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="co-item">
      <div className="k-input">
        {item === undefined || open ? <Search16Regular /> : <Picture item={item} />}
        <input
          role="combobox"
          aria-label={t('company.access.item')}
          aria-expanded={open}
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open && current >= 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={
            item === undefined || open
              ? t('company.access.itemHint')
              : [item.pathString.replaceAll('/', ' › '), item.fName].filter(Boolean).join(' › ')
          }
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
            setOpen(true)
            enter.forget()
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {item !== undefined && (
          <IconButton
            size="small"
            label={t('company.access.dropItem')}
            icon={<Dismiss12Regular />}
            onClick={() => onChange(undefined)}
          />
        )}
      </div>
      {open && (
        <div
          id={`${id}-list`}
          className="k-select-list co-offers"
          role="listbox"
          aria-label={t('company.access.item')}
          onMouseDown={(event) => event.preventDefault()}
        >
          {within !== undefined && keyword === '' && (
            <button type="button" tabIndex={-1} className="co-back" onClick={() => look(way.slice(0, -1))}>
              <ChevronLeft16Regular />
              {within.fName}
            </button>
          )}
          {data !== undefined && rows.length === 0 && <p>{t('company.access.noItem')}</p>}
          {rows.map((one, n) => (
            // The input field handles the keyboard.
            <div
              key={`${one.fType} ${one.fId}`}
              id={`${id}-${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === current}
              className={n === current ? 'is-current' : ''}
              onPointerMove={() => setAt(n)}
              onClick={() => take(one)}
            >
              <Picture item={one} />
              <span>{one.fName}</span>
              <small>{one.pathString.replaceAll('/', ' › ')}</small>
              {one.fType === 2 && (
                // The keyboard equivalent is the right arrow key.
                <span
                  className="co-into"
                  title={t('company.access.into', { name: one.fName })}
                  onClick={(event) => {
                    event.stopPropagation()
                    look([...way, one])
                  }}
                >
                  <ChevronRight16Regular />
                </span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
