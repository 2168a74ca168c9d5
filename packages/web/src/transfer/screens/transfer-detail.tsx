// The details window of one transfer: its files, and the reasons of failures ([R192]).
import { extNameOf, formatSize } from '@cloudoc/domain'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { nameParts } from '../../items/item/item.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { ArrowClockwise16Regular, Checkmark16Regular, Dismiss16Regular, ErrorCircle16Regular } from '../../kit/icons.ts'
import type { TaskView } from '../engine/live-task.ts'
import type { TransferFile } from '../engine/store.ts'
import { command, transfers, useTransfers } from '../tasks/transfers.ts'
import { keepFocus } from './keep-focus.ts'
import {
  errorText,
  goesTo,
  hasFolder,
  isDoing,
  stateText,
  TaskActions,
  TaskBar,
  TaskIcon,
  TaskText,
  wentTo,
} from './task-parts.tsx'

export interface TransferDetailProps {
  readonly taskId: number
}

type Show = 'all' | 'failed'

const rowHeight = 52
/** The most relevant states first. */
const order: readonly TransferFile['state'][] = ['error', 'clash', 'running', 'pending', 'done', 'skipped']

export function TransferDetail({ taskId, close }: WindowProps<TransferDetailProps>): ReactNode {
  const t = useT()
  const snapshot = useTransfers()
  const task = snapshot.tasks.find((one) => one.taskId === taskId)
  const [files, setFiles] = useState<readonly TransferFile[]>([])
  const [show, setShow] = useState<Show>('all')
  const scroller = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let gone = false
    void transfers.filesOf(taskId).then((found) => {
      if (gone) return
      const ranked = [...found].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.index - b.index)
      setFiles(ranked.filter(({ state }) => state !== 'skipped'))
    })
    return () => {
      gone = true
    }
  }, [taskId, snapshot])

  const isThere = task !== undefined
  useEffect(() => (isThere ? keepFocus(scroller.current?.parentElement ?? null) : undefined), [isThere])

  const shown = show === 'all' ? files : files.filter(({ state }) => state === 'error')
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
  if (task === undefined) {
    return (
      <>
        <p className="dr-detail-gone">{t('drive.transfer.detail.gone')}</p>
        <DialogFooter>
          <Button kind="primary" autoFocus onClick={() => close()}>
            {t('drive.close')}
          </Button>
        </DialogFooter>
      </>
    )
  }
  const missing = new Set(transfers.missingOf(taskId).map(({ index }) => index))
  return (
    <>
      <div className="dr-detail-head">
        <TaskIcon task={task} />
        <TaskText task={task}>
          <small>
            <span>
              {isDoing(task) ? `${stateText(task, t)} · ` : ''}
              {hasFolder(task)
                ? t('drive.transfer.toCount', {
                    folder: task.cloudPath,
                    done: task.successFileCount,
                    n: task.totalFileCount,
                  })
                : isDoing(task) || task.errorFileCount > 0
                  ? goesTo(task, t)
                  : wentTo(task, t)}
            </span>
          </small>
        </TaskText>
        {isDoing(task) && <TaskActions task={task} />}
        {isDoing(task) && <TaskBar task={task} />}
      </div>
      <div className="dr-segments" role="group" aria-label={t('drive.transfer.detail.show')}>
        <button type="button" aria-pressed={show === 'all'} onClick={() => setShow('all')}>
          {t('drive.transfer.detail.all', { n: task.totalFileCount })}
        </button>
        <button type="button" aria-pressed={show === 'failed'} onClick={() => setShow('failed')}>
          {t('drive.transfer.detail.failed', { n: task.errorFileCount })}
        </button>
      </div>
      <div
        className="dr-detail-list"
        ref={scroller}
        role="list"
        tabIndex={0}
        aria-label={t('drive.transfer.detail.list')}
      >
        <div style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const file = shown[index]
            const isMissing = file !== undefined && missing.has(file.index)
            return file && <FileLine key={file.index} task={task} file={file} missing={isMissing} top={start} />
          })}
        </div>
        {shown.length === 0 && show === 'all' && task.successFileCount > 0 && (
          <p className="dr-detail-gone">{t('drive.transfer.detail.forgotten')}</p>
        )}
      </div>
      <DialogFooter>
        {task.errorFileCount > 0 && (
          <Button icon={<ArrowClockwise16Regular />} onClick={() => command('restartFailed', task)}>
            {t('drive.transfer.restartFailed')}
          </Button>
        )}
        <Button kind="primary" onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface FileLineProps {
  readonly task: TaskView
  readonly file: TransferFile
  readonly missing: boolean
  readonly top: number
}

function FileLine({ task, file, missing, top }: FileLineProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { head, tail } = nameParts(file.name, false)
  const error = file.state === 'error' ? errorText(file.error ?? 'unknown', task, locale, t) : undefined
  const state = file.state === 'error' ? 'pending' : missing ? 'missing' : file.state
  const isDown = task.type === 'download' && (state === 'running' || state === 'done')
  const said = isDown ? t(`drive.transfer.file.down.${state}`) : t(`drive.transfer.file.${state}`)
  const line =
    error === undefined
      ? [file.size > 0 && formatSize(file.size, 1), said].filter(Boolean).join(' · ')
      : locale === 'zh'
        ? `${error.what}。${error.advice}`
        : `${error.what}. ${error.advice}`
  return (
    <div className="dr-detail-row" role="listitem" style={{ transform: `translateY(${top}px)` }}>
      <FileIcon ext={extNameOf(file.name)} size={22} />
      <div className="dr-task-text">
        <span className="dr-mid" title={file.path}>
          <span>{head}</span>
          <span>{tail}</span>
        </span>
        <small className={error === undefined ? '' : 'is-danger'} title={line}>
          <span>{line}</span>
        </small>
      </div>
      {file.instant === true && <StatusChip tone="info">{t('drive.transfer.instant')}</StatusChip>}
      {file.state === 'done' && <Checkmark16Regular className="dr-success" />}
      {file.state === 'error' && (
        <>
          <ErrorCircle16Regular className="dr-danger" />
          <IconButton
            size="small"
            label={t('drive.transfer.file.restart')}
            icon={<ArrowClockwise16Regular />}
            onClick={() => command('restartFile', task, file.index)}
          />
        </>
      )}
      {file.state !== 'done' && isDoing(task) && hasFolder(task) && (
        <IconButton
          size="small"
          label={t('drive.transfer.file.leaveOut')}
          icon={<Dismiss16Regular />}
          onClick={() => command('leaveOut', task, file.index)}
        />
      )}
    </div>
  )
}
