// One version of a file in the list of its versions.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, fullTime, shortTime } from '@cloudoc/domain'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import type { ActionContext } from '../../items/actions/actions.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import {
  ArrowDownload16Regular,
  Bookmark16Regular,
  BookmarkRegular,
  ColumnDoubleCompare20Regular,
  Delete16Regular,
  DocumentCopy16Regular,
  Edit16Regular,
  Eye16Regular,
  MoreHorizontal16Regular,
} from '../../kit/icons.ts'
import { InlineTextField } from './inline-text-field.tsx'
import {
  describeVersion,
  previewVersion,
  removeVersion,
  restoreVersion,
  saveVersionAs,
  takeVersion,
  type Version,
  type VersionPermissions,
} from './version-operations.ts'

/** What is edited in place. */
export type VersionField = 'comment' | 'versionName'

interface RowProps {
  readonly item: ItemRecord
  readonly version: Version
  /** The previous version in the list. */
  readonly before: number | undefined
  readonly isChosen: boolean
  readonly isFirst: boolean
  readonly editing: VersionField | undefined
  readonly may: VersionPermissions
  readonly context: ActionContext
  readonly onChoose: () => void
  readonly onEdit: (what: VersionField | undefined) => void
  readonly onCompare: (one: number, other: number) => void
}

export function VersionRow(props: RowProps): ReactNode {
  const { item, version, isChosen, isFirst, may, context, onChoose, onEdit } = props
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { version: n, isLatest } = version
  const more = (x: number, y: number): void => void showMenu(menuOf(props, t), { x, y })
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return
    const { key, currentTarget } = event
    const step = (to: Element | null): void => void (to instanceof HTMLElement && to.focus())
    if (key === 'ArrowDown') step(currentTarget.nextElementSibling)
    else if (key === 'ArrowUp') step(currentTarget.previousElementSibling)
    else if ((key === ' ' || key === 'Enter') && may.preview) previewVersion(item, version, context)
    else if (key === 'F2' && may.describe) onEdit('comment')
    else if (key === 'Delete' && may.remove && !isLatest) void removeVersion(item, version)
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
      const { left, bottom } = currentTarget.getBoundingClientRect()
      more(left + 40, bottom)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <tr
      tabIndex={isFirst ? 0 : -1}
      className={isChosen ? 'is-chosen' : ''}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault()
        more(event.clientX, event.clientY)
      }}
    >
      <td className="is-check">
        <input type="checkbox" aria-label={t('property.chooseThis', { n })} checked={isChosen} onChange={onChoose} />
      </td>
      <td>
        <b>{n}</b>
      </td>
      <td title={fullTime(version.createTime)}>{shortTime(version.createTime, now, locale)}</td>
      <td title={version.creatorName}>{version.creatorName}</td>
      <td className="is-said">
        <VersionNote {...props} />
      </td>
      <td className="is-number">{formatSize(version.fileSize)}</td>
      <td className="is-doing">
        {isLatest && <StatusChip tone="success">{t('property.latest')}</StatusChip>}
        <VersionTools {...props} onMore={more} />
      </td>
    </tr>
  )
}

/** The menu of a version. */
function menuOf({ item, version, before, may, context, onEdit, onCompare }: RowProps, t: Translate): MenuEntry[] {
  const { version: n, isLatest, versionName } = version
  return [
    {
      id: 'name',
      label: t(versionName === '' ? 'property.name' : 'property.rename'),
      icon: <Bookmark16Regular />,
      show: may.describe,
      run: () => onEdit('versionName'),
    },
    {
      id: 'unname',
      label: t('property.unname'),
      show: may.describe && versionName !== '',
      run: () => void describeVersion(item, n, { versionName: '' }),
    },
    {
      id: 'comment',
      label: t('property.comment'),
      icon: <Edit16Regular />,
      hint: 'F2',
      show: may.describe,
      run: () => onEdit('comment'),
    },
    {
      id: 'preview',
      label: t('drive.menu.preview'),
      icon: <Eye16Regular />,
      hint: 'Space',
      show: may.preview,
      run: () => previewVersion(item, version, context),
    },
    {
      id: 'compare',
      label: t('property.compareBefore'),
      icon: <ColumnDoubleCompare20Regular />,
      show: may.compare && before !== undefined,
      run: () => onCompare(before ?? 0, n),
    },
    {
      id: 'saveAs',
      label: t('property.saveAs'),
      icon: <DocumentCopy16Regular />,
      show: may.copy,
      run: () => void saveVersionAs(item, n),
    },
    { separator: true } as const,
    {
      id: 'delete',
      label: t('property.deleteThis'),
      icon: <Delete16Regular />,
      hint: 'Delete',
      danger: true,
      show: may.remove && !isLatest,
      run: () => void removeVersion(item, version),
    },
  ]
}

/** The name and the comment of a version, or the field that changes one of them. */
function VersionNote({ item, version, editing, may, onEdit }: RowProps): ReactNode {
  const t = useT()
  const { version: n, versionName, comment, restoredFrom } = version
  if (editing !== undefined)
    return (
      <InlineTextField
        label={t(editing === 'comment' ? 'property.comment' : 'property.name')}
        value={editing === 'comment' ? comment : versionName}
        most={editing === 'comment' ? 500 : 60}
        onEnd={(value) => {
          onEdit(undefined)
          if (value === undefined) return
          void describeVersion(item, n, editing === 'comment' ? { comment: value } : { versionName: value })
        }}
      />
    )
  return (
    <span className="dr-property-said">
      {versionName !== '' && (
        <span className="dr-property-name">
          <BookmarkRegular />
          {versionName}
        </span>
      )}
      {restoredFrom > 0 && <StatusChip>{t('property.restoredFrom', { n: restoredFrom })}</StatusChip>}
      {may.describe ? (
        <button
          type="button"
          className={comment === '' ? 'is-empty' : ''}
          title={comment}
          tabIndex={-1}
          onClick={() => onEdit('comment')}
        >
          {comment || t('property.addComment')}
        </button>
      ) : (
        <span title={comment}>{comment}</span>
      )}
    </span>
  )
}

interface ToolsProps extends RowProps {
  readonly onMore: (x: number, y: number) => void
}

/** The buttons of a version. */
function VersionTools({ item, version, may, context, onCompare, onMore }: ToolsProps): ReactNode {
  const t = useT()
  const { version: n, isLatest } = version
  return (
    <span className="dr-property-doing">
      {may.change && !isLatest && (
        <Button size="small" onClick={() => void restoreVersion(item, n)}>
          {t('property.restore')}
        </Button>
      )}
      {may.preview && (
        <IconButton
          size="small"
          label={t('drive.menu.preview')}
          icon={<Eye16Regular />}
          onClick={() => previewVersion(item, version, context)}
        />
      )}
      {/* Also available without the right: the user sees the version in the previewer, or the reason for the refusal ([R170]). */}
      <IconButton
        size="small"
        label={t('drive.download')}
        icon={<ArrowDownload16Regular />}
        onClick={() => void takeVersion(item, version, context)}
      />
      {may.compare && !isLatest && (
        <IconButton
          size="small"
          label={t('property.compareLatest')}
          icon={<ColumnDoubleCompare20Regular />}
          onClick={() => onCompare(n, item.version)}
        />
      )}
      <IconButton
        size="small"
        label={t('property.more')}
        icon={<MoreHorizontal16Regular />}
        aria-haspopup="menu"
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          onMore(left, bottom + 4)
        }}
      />
    </span>
  )
}
