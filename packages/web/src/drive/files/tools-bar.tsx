// The toolbar: upload, new, download. With a selection, the selection bar replaces the sort order and the filter, so
// that the content below does not move.
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { type Able, entryOf, inMenuOrder } from '../../items/actions/item-action.tsx'
import { reasonText } from '../../items/actions/reasons.ts'
import { type Filter, FilterField } from '../../items/lists/filter-field.tsx'
import type { Sorting, SortKey } from '../../items/lists/folder-list.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Add16Regular,
  ArrowDown12Regular,
  ArrowDownload16Regular,
  ArrowUp12Regular,
  ArrowUpload16Regular,
  ChevronDown12Regular,
  Dismiss16Regular,
} from '../../kit/icons.ts'
import type { FolderPage } from './menu.tsx'
import './tools-bar.css'

interface ToolsBarProps extends Filter {
  readonly able: Able<FolderPage>
  readonly count: number
  readonly onClear: () => void
  readonly sorting: Sorting
  readonly onSorting: (sorting: Sorting) => void
  readonly grouped: boolean
  readonly onGrouped: (grouped: boolean) => void
  readonly onLeaveFilter: () => void
}

const below = (event: React.MouseEvent<HTMLElement>): { x: number; y: number } => {
  const box = event.currentTarget.getBoundingClientRect()
  return { x: box.left, y: box.bottom + 4 }
}

/** The toolbar of a folder. */
export function ToolsBar(props: ToolsBarProps): ReactNode {
  const { able, count } = props
  const t = useT()
  return (
    <div className="dr-tools" role="toolbar" aria-label={t('drive.tools')}>
      <MenuButton able={able} tool="upload" kind="primary" icon={<ArrowUpload16Regular />} />
      <MenuButton able={able} tool="new" icon={<Add16Regular />} />
      {able.actions
        .filter(({ tool }) => tool === 'button')
        .map((action) => (
          <Button
            key={action.id}
            disabled={!able.verdict(action).enabled}
            title={count === 0 ? t('drive.chooseFirst') : undefined}
            icon={<ArrowDownload16Regular />}
            onClick={() => able.run(action, 'button')}
          >
            {t(action.label)}
          </Button>
        ))}
      {count > 0 ? <Strip {...props} /> : <OrderAndFilter {...props} />}
    </div>
  )
}

interface MenuButtonProps {
  readonly able: Able<FolderPage>
  readonly tool: 'upload' | 'new'
  readonly kind?: 'primary'
  readonly icon: ReactNode
}

/** A button with a menu of actions. It is enabled if its first action is. */
function MenuButton({ able, tool, kind, icon }: MenuButtonProps): ReactNode {
  const t = useT()
  const actions = inMenuOrder(able.actions).filter((action) => action.tool === tool)
  const [first] = actions
  if (first === undefined) return null
  const { show, enabled, reason } = able.verdict(first)
  if (!show) return null
  const entries = (): MenuEntry[] => actions.flatMap((action) => entryOf(able, action, 'button'))
  return (
    <Button
      {...(kind && { kind })}
      disabled={!enabled}
      title={reason && reasonText(reason)}
      icon={icon}
      aria-haspopup="menu"
      onClick={(event) => void showMenu(entries(), below(event))}
    >
      {t(`drive.${tool}`)}
      <ChevronDown12Regular />
    </Button>
  )
}

function Strip({ able, count, onClear }: ToolsBarProps): ReactNode {
  const t = useT()
  const { items: chosen } = able
  const bytes = chosen.reduce((sum, item) => sum + (item.fType === 1 ? item.fileSize : 0), 0)
  return (
    <div className="dr-strip">
      <b>
        {t('drive.chosen', { n: count })}
        {bytes > 0 && count === chosen.length && <span>{` · ${formatSize(bytes)}`}</span>}
      </b>
      {inMenuOrder(able.actions).map((action) => {
        if (typeof action.tool !== 'object') return null
        const { show, enabled, reason } = able.verdict(action)
        if (!show) return null
        const label = t(action.label)
        return (
          <Button
            key={action.id}
            kind="ghost"
            size="small"
            icon={action.tool.icon}
            disabled={!enabled}
            title={enabled || reason === undefined ? label : reasonText(reason)}
            onClick={() => able.run(action, 'button')}
          >
            <span className="dr-strip-word">{label}</span>
          </Button>
        )
      })}
      <IconButton label={t('drive.clearSelection')} hint="Esc" icon={<Dismiss16Regular />} onClick={onClear} />
    </div>
  )
}

const sortKeys: readonly SortKey[] = ['name', 'time', 'size', 'type']

function OrderAndFilter(props: ToolsBarProps): ReactNode {
  const t = useT()
  const { sorting, onSorting, grouped, onGrouped, keyword, onKeyword, onLeaveFilter } = props
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
      <FilterField label={t('drive.filter')} keyword={keyword} onKeyword={onKeyword} onLeave={onLeaveFilter} />
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
