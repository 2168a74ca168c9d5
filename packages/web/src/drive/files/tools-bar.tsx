// Upload, new, download; beside them the strip of the selection, which stands where otherwise the order and the filter
// stand, so that nothing below moves when it comes.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import {
  Add16Regular,
  ArrowDown12Regular,
  ArrowDownload16Regular,
  ArrowUp12Regular,
  ArrowUpload16Regular,
  ChevronDown12Regular,
  Delete16Regular,
  Dismiss16Regular,
  Filter16Regular,
  FolderArrowRight16Regular,
  Rename16Regular,
} from '@fluentui/react-icons'
import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { isComposing } from '../../core/page/keys.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import type { Action } from '../actions/actions.ts'
import type { NewKind } from '../actions/operations.ts'
import { reasonText } from '../actions/reasons.ts'
import type { Sorting, SortKey } from '../lists/folder-list.ts'
import { type Able, newMenu, uploadMenu } from './menus.tsx'

interface ToolsBarProps extends Able {
  /** What is selected, as far as it is loaded. */
  readonly chosen: readonly ItemRecord[]
  readonly count: number
  readonly onMake: (kind: NewKind) => void
  readonly onUploadFolder: () => void
  readonly onClear: () => void
  readonly sorting: Sorting
  readonly onSorting: (sorting: Sorting) => void
  readonly grouped: boolean
  readonly onGrouped: (grouped: boolean) => void
  readonly keyword: string
  readonly onKeyword: (keyword: string) => void
  readonly onLeaveFilter: () => void
}

const below = (event: React.MouseEvent<HTMLElement>): { x: number; y: number } => {
  const box = event.currentTarget.getBoundingClientRect()
  return { x: box.left, y: box.bottom + 4 }
}

/** The tools of a folder. */
export function ToolsBar(props: ToolsBarProps): ReactNode {
  const { verdict, run, count, onMake, onUploadFolder } = props
  const t = useT()
  const upload = verdict('upload')
  const make = verdict('create')
  return (
    <div className="dr-tools" role="toolbar" aria-label={t('drive.tools')}>
      {upload.show && (
        <Button
          kind="primary"
          disabled={!upload.enabled}
          title={upload.reason && reasonText(upload.reason)}
          icon={<ArrowUpload16Regular />}
          aria-haspopup="menu"
          onClick={(event) => void showMenu(uploadMenu({ verdict, run, uploadFolder: onUploadFolder }), below(event))}
        >
          {t('drive.upload')}
          <ChevronDown12Regular />
        </Button>
      )}
      {make.show && (
        <Button
          disabled={!make.enabled}
          title={make.reason && reasonText(make.reason)}
          icon={<Add16Regular />}
          aria-haspopup="menu"
          onClick={(event) => void showMenu(newMenu({ verdict, run, make: onMake }), below(event))}
        >
          {t('drive.new')}
          <ChevronDown12Regular />
        </Button>
      )}
      <Button
        disabled={!verdict('download').enabled}
        title={count === 0 ? t('drive.chooseFirst') : undefined}
        icon={<ArrowDownload16Regular />}
        onClick={run.download}
      >
        {t('drive.download')}
      </Button>
      {count > 0 ? <Strip {...props} /> : <OrderAndFilter {...props} />}
    </div>
  )
}

function Strip({ verdict, run, chosen, count, onClear }: ToolsBarProps): ReactNode {
  const t = useT()
  const bytes = chosen.reduce((sum, item) => sum + (item.fType === 1 ? item.fileSize : 0), 0)
  const actions: readonly (readonly [Action, ReactNode])[] = [
    ['move', <FolderArrowRight16Regular key="move" />],
    ['rename', <Rename16Regular key="rename" />],
    ['delete', <Delete16Regular key="delete" />],
  ]
  return (
    <div className="dr-strip">
      <b>
        {t('drive.chosen', { n: count })}
        {bytes > 0 && count === chosen.length && <span>{` · ${formatSize(bytes)}`}</span>}
      </b>
      {actions.map(([action, icon]) => {
        const { show, enabled, reason } = verdict(action)
        if (!show) return null
        return (
          <Button
            key={action}
            kind="ghost"
            size="small"
            icon={icon}
            disabled={!enabled}
            title={enabled || reason === undefined ? t(`drive.menu.${action}`) : reasonText(reason)}
            onClick={run[action]}
          >
            <span className="dr-strip-word">{t(`drive.menu.${action}`)}</span>
          </Button>
        )
      })}
      <IconButton label={t('drive.clearSelection')} hint="Esc" icon={<Dismiss16Regular />} onClick={onClear} />
    </div>
  )
}

/** Milliseconds after the last key before the filter is applied. */
const filterDelayMs = 200
const sortKeys: readonly SortKey[] = ['name', 'time', 'size', 'type']

function OrderAndFilter(props: ToolsBarProps): ReactNode {
  const t = useT()
  const { sorting, onSorting, grouped, onGrouped, keyword, onKeyword, onLeaveFilter } = props
  const [text, setText] = useState(keyword)
  useEffect(() => setText(keyword), [keyword])
  useEffect(() => {
    if (text.trim() === keyword) return
    const timer = setTimeout(() => onKeyword(text.trim()), filterDelayMs)
    return () => clearTimeout(timer)
  }, [text, keyword, onKeyword])

  const menu = () => [
    ...sortKeys.map((sort) => ({
      id: sort,
      label: t(`drive.sort.${sort}`),
      checked: sorting.sort === sort,
      run: () => onSorting({ ...sorting, sort }),
    })),
    { separator: true as const },
    ...(['asc', 'desc'] as const).map((order) => ({
      id: order,
      label: t(`drive.sort.${order}`),
      checked: sorting.order === order,
      run: () => onSorting({ ...sorting, order }),
    })),
    { separator: true as const },
    { id: 'group', label: t('drive.group'), checked: grouped, run: () => onGrouped(!grouped) },
  ]
  return (
    <div className="dr-order">
      <label className="dr-filter">
        <Filter16Regular />
        <input
          value={text}
          placeholder={t('drive.filter')}
          aria-label={t('drive.filter')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (isComposing(event)) return
            if (event.key === 'Escape') {
              if (text === '') onLeaveFilter()
              setText('')
            } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
              event.preventDefault()
              onLeaveFilter()
            }
          }}
        />
      </label>
      <button
        type="button"
        className="dr-sort"
        aria-haspopup="menu"
        onClick={(event) => void showMenu(menu(), below(event))}
      >
        {t('drive.sortedBy', { column: t(`drive.sort.${sorting.sort}`) })}
        {sorting.order === 'asc' ? <ArrowUp12Regular /> : <ArrowDown12Regular />}
      </button>
    </div>
  )
}
