// Uploads as the status bar tells them, and the panel with each file.
import { type CodeName, codes, extNameOf, formatSize } from '@cloudoc/domain'
import {
  ArrowClockwise16Regular,
  ArrowUp12Regular,
  Checkmark16Regular,
  ChevronDown16Regular,
  Dismiss16Regular,
  Warning16Regular,
} from '@fluentui/react-icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { type Translate, useLocale, useT } from '../../core/i18n.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FileIcon } from '../file-icon.tsx'
import { nameParts } from '../item.ts'
import type { UploadSummary, UploadTask } from './upload-queue.ts'
import { uploads } from './uploads.ts'

/** Seconds beyond which a remaining time is a guess that nobody needs. */
const longestEta = 24 * 3600
/** Milliseconds that the panel stays once everything has arrived. */
const foldMs = 4000

/** The uploads in the status bar; a click opens and closes the panel. */
export function TransferSummary(): ReactNode {
  const t = useT()
  const summary = useSyncExternalStore(uploads.subscribe, uploads.snapshot)
  const [open, setOpen] = useState(false)
  const active = summary.waiting + summary.sending
  const total = summary.tasks.length

  // The panel comes by itself when uploads begin.
  const before = useRef(0)
  useEffect(() => {
    if (total > before.current) setOpen(true)
    before.current = total
  }, [total])

  // When all went well there is nothing more to read in it.
  const allWell = total > 0 && active === 0 && summary.failed === 0
  useEffect(() => {
    if (!allWell) return
    const timer = setTimeout(() => setOpen(false), foldMs)
    return () => clearTimeout(timer)
  }, [allWell])

  if (total === 0) return null
  return (
    <>
      <button type="button" className="dr-transfer-status" aria-expanded={open} onClick={() => setOpen(!open)}>
        {active > 0 ? (
          <>
            <ArrowUp12Regular />
            {[String(active), summary.speed > 0 && `${formatSize(summary.speed, 1)}/s`, remaining(summary, t)]
              .filter(Boolean)
              .join(' · ')}
          </>
        ) : summary.failed > 0 ? (
          <span className="is-warning">
            <Warning16Regular />
            {t('drive.upload.failedCount', { n: summary.failed })}
          </span>
        ) : (
          <>
            <Checkmark16Regular />
            {t('drive.upload.doneCount', { n: summary.done })}
          </>
        )}
      </button>
      {open && createPortal(<TransferPanel summary={summary} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}

function remaining({ bytes, bytesSent, speed }: UploadSummary, t: Translate): string | undefined {
  if (speed === 0) return undefined
  const seconds = Math.ceil((bytes - bytesSent) / speed)
  if (seconds > longestEta) return undefined
  return seconds < 60
    ? t('drive.upload.seconds', { n: seconds })
    : t('drive.upload.minutes', { n: Math.ceil(seconds / 60) })
}

const rowHeight = 52

interface TransferPanelProps {
  readonly summary: UploadSummary
  readonly onClose: () => void
}

function TransferPanel({ summary, onClose }: TransferPanelProps): ReactNode {
  const t = useT()
  const scroller = useRef<HTMLDivElement>(null)
  const active = summary.waiting + summary.sending
  const order = { sending: 0, failed: 1, waiting: 2, done: 3, cancelled: 4 }
  const tasks = [...summary.tasks].sort((a, b) => order[a.state] - order[b.state] || a.id - b.id)
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
  })
  const title =
    active > 0
      ? t('drive.upload.title', { n: active })
      : summary.failed > 0
        ? t('drive.upload.titleFailed', { done: summary.done, failed: summary.failed })
        : t('drive.upload.titleDone', { n: summary.done })
  return (
    <section className="dr-transfer" aria-label={t('drive.upload.panel')}>
      <header>
        <b aria-live="polite">{title}</b>
        {summary.failed > 0 && (
          <Button kind="ghost" size="small" icon={<ArrowClockwise16Regular />} onClick={() => uploads.retryFailed()}>
            {t('drive.upload.retryFailed')}
          </Button>
        )}
        {active > 0 && (
          <Button kind="ghost" size="small" onClick={() => uploads.cancelAll()}>
            {t('drive.upload.cancelAll')}
          </Button>
        )}
        {active > 0 ? (
          <IconButton label={t('drive.upload.fold')} icon={<ChevronDown16Regular />} onClick={onClose} />
        ) : (
          <IconButton
            label={t('drive.close')}
            icon={<Dismiss16Regular />}
            onClick={() => {
              uploads.clearFinished()
              onClose()
            }}
          />
        )}
      </header>
      {active > 0 && (
        <div className="dr-progress">
          <i style={{ width: `${summary.bytes === 0 ? 0 : (summary.bytesSent / summary.bytes) * 100}%` }} />
        </div>
      )}
      <div className="dr-transfer-rows" ref={scroller} tabIndex={-1}>
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((row) => {
            const task = tasks[row.index]
            return task && <TaskRow key={task.id} task={task} top={row.start} />
          })}
        </div>
      </div>
    </section>
  )
}

function TaskRow({ task, top }: { readonly task: UploadTask; readonly top: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { head, tail } = nameParts(task.name, false)
  const moving = task.state === 'waiting' || task.state === 'sending'
  const whole = task.state === 'sending' && task.sent >= task.file.size
  const line =
    task.state === 'failed'
      ? reasonOf(task.error, locale, t)
      : whole
        ? t('drive.upload.saving')
        : t(`drive.upload.state.${task.state}`, {
            size: formatSize(task.file.size, 1),
            sent: formatSize(task.sent, 1),
            folder: task.folderName,
          })
  return (
    <div className={`dr-task is-${task.state}`} style={{ transform: `translateY(${top}px)` }}>
      <FileIcon ext={extNameOf(task.name)} />
      <span className="dr-task-text">
        <span className="dr-mid" title={task.name}>
          <span>{head}</span>
          <span>{tail}</span>
        </span>
        <small title={line}>{line}</small>
        {task.state === 'sending' && (
          <span className="dr-progress">
            <i style={{ width: `${task.file.size === 0 ? 100 : (task.sent / task.file.size) * 100}%` }} />
          </span>
        )}
      </span>
      {task.state === 'failed' && task.error === 'alreadyExists' && (
        <Button kind="ghost" size="small" onClick={() => uploads.retry(task.id, 'keepBoth')}>
          {t('drive.conflict.keepBoth')}
        </Button>
      )}
      {task.state === 'done' && <Checkmark16Regular className="dr-success" />}
      {(task.state === 'failed' || task.state === 'cancelled') && (
        <IconButton
          label={t('drive.retry')}
          icon={<ArrowClockwise16Regular />}
          onClick={() => uploads.retry(task.id)}
        />
      )}
      {moving && (
        <IconButton label={t('drive.cancel')} icon={<Dismiss16Regular />} onClick={() => uploads.cancel(task.id)} />
      )}
    </div>
  )
}

function reasonOf(error: CodeName | 'network' | undefined, locale: 'zh' | 'en', t: Translate): string {
  return error === undefined || error === 'network' ? t('drive.upload.network') : codes[error][locale]
}
